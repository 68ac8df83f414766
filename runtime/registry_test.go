package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake is a client whose behaviour a test chooses. It counts its closes.
type fake struct {
	call   func(context.Context, ToolCall) (*CallResult, error)
	close  func() error
	closes atomic.Int32
}

func (f *fake) ListTools(context.Context) ([]Tool, error) { return nil, nil }

func (f *fake) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	if f.call == nil {
		return &CallResult{Text: call.Server + "/" + call.Name + string(call.Arguments)}, nil
	}
	return f.call(ctx, call)
}

func (f *fake) Close() error {
	f.closes.Add(1)
	if f.close == nil {
		return nil
	}
	return f.close()
}

// quiet is a logger for tests whose logs are of no interest.
func quiet() CommonOption { return WithLogger(slog.New(slog.DiscardHandler)) }

func toolsNamed(names ...string) []Tool {
	var tools []Tool
	for _, name := range names {
		tools = append(tools, Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)})
	}
	return tools
}

// namespace renders the flat namespace as "registered=server/wire".
func namespace(r *Registry) []string {
	got := []string{}
	for _, t := range r.Tools() {
		got = append(got, t.Name+"="+t.Server+"/"+t.WireName)
	}
	return got
}

func TestCollisions(t *testing.T) {
	type reg struct {
		server string
		tools  []string
		fails  bool
	}
	tests := []struct {
		name    string
		policy  Collision
		regs    []reg
		want    []string
		skipped map[string][]string
	}{
		{
			name: "no collision", policy: CollideFail,
			regs: []reg{{"b", []string{"y"}, false}, {"a", []string{"x"}, false}},
			want: []string{"x=a/x", "y=b/y"},
		},
		{
			name: "fail leaves the holder alone", policy: CollideFail,
			regs: []reg{{"a", []string{"x", "y"}, false}, {"b", []string{"w", "x"}, true}},
			want: []string{"x=a/x", "y=a/y"},
		},
		{
			name: "fail keeps the earlier registration of the server", policy: CollideFail,
			regs: []reg{{"a", []string{"x"}, false}, {"b", []string{"w"}, false}, {"b", []string{"v", "x"}, true}},
			want: []string{"w=b/w", "x=a/x"},
		},
		{
			name: "skip", policy: CollideSkip,
			regs:    []reg{{"a", []string{"x"}, false}, {"b", []string{"w", "x"}, false}},
			want:    []string{"w=b/w", "x=a/x"},
			skipped: map[string][]string{"b": {"x"}},
		},
		{
			name: "the holder wins, not the first name", policy: CollideSkip,
			regs:    []reg{{"b", []string{"x"}, false}, {"a", []string{"x"}, false}},
			want:    []string{"x=b/x"},
			skipped: map[string][]string{"a": {"x"}},
		},
		{
			name: "a name set free goes to the first server that waits for it", policy: CollideSkip,
			regs:    []reg{{"b", []string{"x"}, false}, {"d", []string{"x"}, false}, {"c", []string{"x"}, false}, {"b", []string{"y"}, false}},
			want:    []string{"x=c/x", "y=b/y"},
			skipped: map[string][]string{"d": {"x"}},
		},
		{
			name: "prefix", policy: CollidePrefix,
			regs: []reg{{"a", []string{"x"}, false}, {"b", []string{"w", "x"}, false}},
			want: []string{"b__x=b/x", "w=b/w", "x=a/x"},
		},
		{
			name: "a prefixed name is kept when the plain one is free again", policy: CollidePrefix,
			regs: []reg{{"a", []string{"x"}, false}, {"b", []string{"x"}, false}, {"a", []string{"y"}, false}},
			want: []string{"b__x=b/x", "y=a/y"},
		},
		{
			name: "a server's own name beats its prefixed one, what is left is skipped", policy: CollidePrefix,
			regs:    []reg{{"a", []string{"x"}, false}, {"b", []string{"x", "b__x"}, false}},
			want:    []string{"b__x=b/b__x", "x=a/x"},
			skipped: map[string][]string{"b": {"x"}},
		},
		{
			name: "a prefixed name collides with another server's", policy: CollidePrefix,
			regs:    []reg{{"a", []string{"x", "b__x"}, false}, {"b", []string{"x"}, false}},
			want:    []string{"b__x=a/b__x", "x=a/x"},
			skipped: map[string][]string{"b": {"x"}},
		},
		{
			name: "one server, one name twice and one empty", policy: CollideFail,
			regs: []reg{{"a", []string{"x", "x", ""}, false}},
			want: []string{"x=a/x"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRegistry(WithCollision(tt.policy), quiet())
			last := map[string][]string{}
			for _, reg := range tt.regs {
				err := r.RegisterServer(reg.server, &fake{}, toolsNamed(reg.tools...))
				if (err != nil) != reg.fails {
					t.Fatalf("RegisterServer(%s): %v", reg.server, err)
				}
				if err == nil {
					last[reg.server] = reg.tools
				}
			}
			if diff := cmp.Diff(tt.want, namespace(r)); diff != "" {
				t.Errorf("namespace (-want +got):\n%s", diff)
			}
			for _, st := range r.Status() {
				if diff := cmp.Diff(tt.skipped[st.Name], st.Skipped); diff != "" {
					t.Errorf("skipped of %s (-want +got):\n%s", st.Name, diff)
				}
			}
			for _, tool := range r.Tools() {
				if !r.Has(tool.Name) {
					t.Errorf("Has(%q) = false", tool.Name)
				}
				res, err := r.CallTool(t.Context(), ToolCall{Name: tool.Name})
				if want := tool.Server + "/" + tool.WireName + "{}"; err != nil || res.Text != want {
					t.Errorf("call of %q reached %v, %v; want %s", tool.Name, res, err, want)
				}
			}
			for server, tools := range last { // every tool is reachable with its server named
				for _, name := range slices.DeleteFunc(slices.Clone(tools), func(s string) bool { return s == "" }) {
					res, err := r.CallTool(t.Context(), ToolCall{Server: server, Name: name})
					if want := server + "/" + name + "{}"; err != nil || res.Text != want {
						t.Errorf("call of %s/%s reached %v, %v", server, name, res, err)
					}
				}
			}
		})
	}
}

func TestCollisionErrorNamesHolders(t *testing.T) {
	r := NewRegistry(quiet())
	loser := &fake{}
	must(t, r.RegisterServer("a", &fake{}, toolsNamed("one", "two", "three", "four", "five")))
	err := r.RegisterServer("b", loser, toolsNamed("one", "two", "three", "four", "five"))
	want := `server "b": tool names are taken: "five" (held by server "a"), "four" (held by server "a"), "one" (held by server "a"), 2 more; ` +
		`give NewRegistry WithCollision(CollidePrefix) or WithCollision(CollideSkip), or leave one of the servers out`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if loser.closes.Load() != 0 {
		t.Error("a client that was refused was closed, it is still the caller's")
	}
}

func TestRegisterServerReplaces(t *testing.T) {
	r := NewRegistry(quiet())
	first, second := &fake{}, &fake{}
	r.RecordFailure("a", errors.New("down"))
	must(t, r.RegisterServer("a", first, toolsNamed("x", "y")))
	if failed := r.FailedServers(); len(failed) != 0 {
		t.Errorf("registration did not clear the failure: %v", failed)
	}
	must(t, r.RegisterServer("a", first, toolsNamed("x")))
	if first.closes.Load() != 0 {
		t.Error("registering the same client again closed it")
	}
	must(t, r.RegisterServer("a", second, toolsNamed("z")))
	if first.closes.Load() != 1 || second.closes.Load() != 0 {
		t.Errorf("closes: replaced %d, new %d", first.closes.Load(), second.closes.Load())
	}
	if diff := cmp.Diff([]string{"z=a/z"}, namespace(r)); diff != "" {
		t.Error(diff)
	}
	must(t, r.Close())
	must(t, r.Close())
	if second.closes.Load() != 1 {
		t.Errorf("closed %d times", second.closes.Load())
	}
	if err := r.RegisterServer("a", first, nil); err == nil || err.Error() != `server "a": the registry is closed` {
		t.Errorf("after Close: %v", err)
	}
}

func TestCallersCannotCorruptTheRegistry(t *testing.T) {
	r := NewRegistry(quiet())
	schema := json.RawMessage(`{"type":"object"}`)
	given := []Tool{{Name: "x", InputSchema: schema, OutputSchema: schema, Annotations: schema, Raw: schema}}
	must(t, r.RegisterServer("a", &fake{}, given))
	r.RecordFailure("b", errors.New("down"))
	copy(schema, "XXXX")
	given[0].Name = "changed"

	tools := r.Tools()
	for _, raw := range []json.RawMessage{tools[0].InputSchema, tools[0].OutputSchema, tools[0].Annotations, tools[0].Raw} {
		if string(raw) != `{"type":"object"}` {
			t.Fatalf("the registry shares the bytes it was given: %s", raw)
		}
		copy(raw, "YYYY")
	}
	tools[0].Name = "changed"
	clear(r.FailedServers())
	clear(r.Servers())

	if got := r.Tools()[0]; got.Name != "x" || string(got.InputSchema) != `{"type":"object"}` {
		t.Errorf("a caller changed the registry: %v", got)
	}
	if len(r.FailedServers()) != 1 || r.Servers()[0] != "a" {
		t.Error("a caller changed the servers")
	}
}

func TestCallErrors(t *testing.T) {
	broken := func(call func() (*CallResult, error)) *fake {
		return &fake{call: func(context.Context, ToolCall) (*CallResult, error) { return call() }}
	}
	r := NewRegistry(WithCollision(CollideSkip), quiet())
	must(t, r.RegisterServer("a", &fake{}, toolsNamed("x")))
	must(t, r.RegisterServer("b", &fake{}, toolsNamed("x")))
	must(t, r.RegisterServer("none", nil, toolsNamed("idle")))
	must(t, r.RegisterServer("typednil", (*fake)(nil), toolsNamed("idle2")))
	must(t, r.RegisterServer("panics", broken(func() (*CallResult, error) { panic("secret value") }), toolsNamed("p")))
	must(t, r.RegisterServer("nil", broken(func() (*CallResult, error) { return nil, nil }), toolsNamed("n")))
	must(t, r.RegisterServer("slow", broken(func() (*CallResult, error) {
		return nil, fmt.Errorf("post: %w", context.DeadlineExceeded)
	}), toolsNamed("s")))
	must(t, r.RegisterServer("own", broken(func() (*CallResult, error) {
		return nil, &CallError{Server: "own", Tool: "o", Phase: PhaseCall, Err: ErrServerUnavailable}
	}), toolsNamed("o")))
	r.RecordFailure("down", fmt.Errorf("%w: no route to host", ErrTimeout))

	tests := []struct {
		name  string
		call  ToolCall
		is    error
		phase Phase
		text  string
	}{
		{"unknown name", ToolCall{Name: "nope"}, ErrUnknownTool, PhaseRoute,
			`tool "nope": route: unknown tool: Registry.Tools lists what there is; it may belong to a server that failed: "down"`},
		{"unknown tool of a server", ToolCall{Server: "a", Name: "nope"}, ErrUnknownTool, PhaseRoute,
			`server "a": tool "nope": route: unknown tool: the server does not list it (Registry.Tools has what it lists); if the server changed, generate again`},
		{"a registered name is no wire name of another server", ToolCall{Server: "a", Name: "p"}, ErrUnknownTool, PhaseRoute, ""},
		{"unknown server", ToolCall{Server: "zzz", Name: "x"}, ErrNotConnected, PhaseRoute,
			`server "zzz": tool "x": route: not connected: no such server is registered; connect it with ConnectAll, or bind the client to another one with OnServer`},
		{"failed server", ToolCall{Server: "down", Name: "x"}, ErrServerUnavailable, PhaseRoute,
			`server "down": tool "x": route: server unavailable: timeout: no route to host`},
		{"no client", ToolCall{Name: "idle"}, ErrNotConnected, PhaseRoute, `server "none": tool "idle": route: not connected (call Connect first)`},
		{"nil pointer client", ToolCall{Name: "idle2"}, ErrNotConnected, PhaseRoute, ""},
		{"panic", ToolCall{Name: "p"}, ErrServerUnavailable, PhaseCall, `server "panics": tool "p": call: server unavailable: panic with a string`},
		{"neither result nor error", ToolCall{Name: "n"}, ErrServerUnavailable, PhaseCall, ""},
		{"deadline", ToolCall{Name: "s"}, ErrTimeout, PhaseCall, `server "slow": tool "s": call: timeout: post: context deadline exceeded`},
		{"an error of the client's is not wrapped twice", ToolCall{Name: "o"}, ErrServerUnavailable, PhaseCall,
			`server "own": tool "o": call: server unavailable`},
		{"arguments no object", ToolCall{Name: "x", Arguments: json.RawMessage(`[1]`)}, ErrInvalidArguments, PhaseValidate,
			`server "a": tool "x": check arguments: invalid arguments: not a JSON object`},
		{"arguments null", ToolCall{Name: "x", Arguments: json.RawMessage(`null`)}, ErrInvalidArguments, PhaseValidate, ""},
		{"arguments no JSON", ToolCall{Name: "x", Arguments: json.RawMessage(`{"a":hunter2}`)}, ErrInvalidArguments, PhaseValidate,
			`server "a": tool "x": check arguments: invalid arguments: not JSON`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := r.CallTool(t.Context(), tt.call)
			ce, ok := errors.AsType[*CallError](err)
			if res != nil || !ok || ce.Phase != tt.phase || !errors.Is(err, tt.is) {
				t.Fatalf("got %v, %#v", res, err)
			}
			for _, other := range []error{ErrUnknownTool, ErrNotConnected, ErrServerUnavailable, ErrTimeout, ErrInvalidArguments, ErrDecode} {
				if !errors.Is(tt.is, other) && errors.Is(err, other) {
					t.Errorf("%v is also %v", err, other)
				}
			}
			if tt.text != "" && err.Error() != tt.text {
				t.Errorf("got  %s\nwant %s", err, tt.text)
			}
		})
	}

	t.Run("after Close", func(t *testing.T) {
		must(t, r.Close())
		for _, call := range []ToolCall{{Name: "x"}, {Server: "a", Name: "x"}} {
			if _, err := r.CallTool(t.Context(), call); !errors.Is(err, ErrNotConnected) {
				t.Errorf("%v: %v", call, err)
			}
		}
		if len(r.Tools()) != 0 || len(r.Servers()) != 0 {
			t.Error("a closed registry still offers tools or servers")
		}
	})
}

func TestNameTakenHintsAtServer(t *testing.T) {
	r := NewRegistry(WithCollision(CollidePrefix), quiet())
	must(t, r.RegisterServer("a", &fake{}, toolsNamed("x")))
	must(t, r.RegisterServer("b", &fake{}, toolsNamed("x")))
	must(t, r.RegisterServer("a", &fake{}, nil))
	_, err := r.CallTool(t.Context(), ToolCall{Name: "x"})
	if !errors.Is(err, ErrUnknownTool) || !strings.Contains(err.Error(), `name its server in the call: "b"`) {
		t.Errorf("got %v", err)
	}
}

func TestServerNames(t *testing.T) {
	r := NewRegistry(quiet())
	for _, name := range []string{"", "a b", "a/b", "ä", strings.Repeat("x", 65), "a\n", "\x1b[2J"} {
		if err := r.RegisterServer(name, &fake{}, nil); err == nil {
			t.Errorf("%q was accepted", name)
		} else if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("the error is not fit to be printed: %q", err)
		}
	}
	must(t, r.RegisterServer(strings.Repeat("x", 64), &fake{}, nil))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

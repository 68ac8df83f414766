package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dialFake is a connection whose behaviour a test chooses.
type dialFake struct {
	fake
	connect func(context.Context) error
	tools   []Tool
	listErr error
}

func (d *dialFake) Connect(ctx context.Context) error {
	if d.connect == nil {
		return nil
	}
	return d.connect(ctx)
}

func (d *dialFake) onRelist(func([]Tool)) {}

func (d *dialFake) ListTools(context.Context) ([]Tool, error) { return d.tools, d.listErr }

// after answers, with err, when d has passed.
func after(d time.Duration, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fleet makes the connections of a test by server name, and counts them.
type fleet map[string]*dialFake

func (f fleet) connectAll(ctx context.Context, reg *Registry, configs []ServerConfig, opts ...Option) []string {
	return connectAll(ctx, reg, configs, newOptions(append([]Option{quiet()}, opts...)),
		func(cfg ServerConfig) connection { return f[cfg.Name] })
}

func configs(names ...string) []ServerConfig {
	var list []ServerConfig
	for _, name := range names {
		list = append(list, ServerConfig{Name: name, URL: "http://" + name + ".example/mcp"})
	}
	return list
}

// outcome renders everything that a registry tells, but for times.
func outcome(r *Registry, failed []string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "failed:", failed)
	fmt.Fprintln(&b, "servers:", r.Servers())
	fmt.Fprintln(&b, "tools:", namespace(r))
	for _, st := range r.Status() {
		fmt.Fprintln(&b, st.Name, st.State, st.Tools, st.Skipped, st.Error)
	}
	return b.String()
}

// The same servers, answering in every order, make the same registry.
func TestTimingDecidesNothing(t *testing.T) {
	for _, policy := range []Collision{CollideFail, CollideSkip, CollidePrefix} {
		seen := map[string]bool{}
		for _, delays := range permutations([]int{1, 2, 3, 4}) {
			synctest.Test(t, func(t *testing.T) {
				r := NewRegistry(WithCollision(policy), quiet())
				servers := fleet{
					"a": {tools: toolsNamed("x", "y")},
					"b": {tools: toolsNamed("x", "z")},
					"c": {tools: toolsNamed("z")},
					"d": {},
				}
				for i, name := range []string{"a", "b", "c", "d"} {
					servers[name].connect = after(time.Duration(delays[i])*time.Second, nil)
				}
				servers["d"].connect = after(time.Duration(delays[3])*time.Second, errors.New("refused"))
				list := configs("d", "b", "c", "a")
				seen[outcome(r, servers.connectAll(t.Context(), r, list))] = true
				_ = r.Close()
			})
		}
		if len(seen) != 1 {
			t.Errorf("policy %d: the order of answers makes a difference: %v", policy, seen)
		}
	}
}

func permutations(items []int) [][]int {
	if len(items) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, first := range items {
		for _, rest := range permutations(slices.Delete(slices.Clone(items), i, i+1)) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

func TestConnectAllCollision(t *testing.T) {
	r := NewRegistry(quiet())
	servers := fleet{"a": {tools: toolsNamed("x")}, "b": {tools: toolsNamed("x", "y")}}
	failed := servers.connectAll(t.Context(), r, configs("b", "a"))
	want := `failed: [b]
servers: [a]
tools: [x=a/x]
a ready 1 [] 
b down 0 [] server "b": tool names are taken: "x" (held by server "a"); give NewRegistry WithCollision(CollidePrefix) or WithCollision(CollideSkip), or leave one of the servers out
`
	if got := outcome(r, failed); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a, b := servers["a"].closes.Load(), servers["b"].closes.Load(); a != 0 || b != 1 {
		t.Errorf("closes: winner %d, loser %d", a, b)
	}
	_, err := r.CallTool(t.Context(), ToolCall{Server: "b", Name: "y"})
	if !errors.Is(err, ErrCollision) || errors.Is(err, ErrServerUnavailable) {
		t.Errorf("a call to the loser: %v; connecting again would not help it", err)
	}
	if want := `server "b": tool "y": route: tool names are taken: "x" (held by server "a"); give NewRegistry WithCollision(`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s...", err, want)
	}
}

// A server that never answers fails after its own timeout; the others are
// connected long before, and nothing of it stays behind.
func TestHangingServer(t *testing.T) {
	for name, connect := range map[string]func(context.Context) error{
		"obeys its context":   after(time.Hour, nil),
		"ignores its context": func(context.Context) error { time.Sleep(time.Hour); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var dialled atomic.Int64
				start := time.Now()
				ready := func(context.Context) error { dialled.Store(int64(time.Since(start))); return nil }
				servers := fleet{"a": {connect: connect, tools: toolsNamed("late")}, "b": {connect: ready, tools: toolsNamed("x")}}
				r := NewRegistry(quiet())
				failed := servers.connectAll(t.Context(), r, configs("a", "b"))
				if took := time.Since(start); took > defaultConnectTimeout+lastWords {
					t.Errorf("took %v", took)
				}
				if dialled.Load() != 0 {
					t.Error("the other server waited")
				}
				if !slices.Equal(failed, []string{"a"}) || !errors.Is(r.FailedServers()["a"], ErrTimeout) || !r.Has("x") {
					t.Error(outcome(r, failed))
				}
				time.Sleep(2 * time.Hour)
				if n := servers["a"].closes.Load(); n != 1 {
					t.Errorf("the late client was closed %d times", n)
				}
				if r.Has("late") {
					t.Error("a server that came too late was registered")
				}
			})
		})
	}
}

func TestTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		servers := fleet{"default": {connect: after(time.Hour, nil)}, "own": {connect: after(time.Hour, nil)}}
		list := configs("default", "own")
		list[1].Timeout = 30 * time.Second
		r := NewRegistry(quiet())
		start := time.Now()
		failed := servers.connectAll(t.Context(), r, list, WithConnectTimeout(2*time.Second))
		if took := time.Since(start); took != 30*time.Second || len(failed) != 2 {
			t.Errorf("took %v, failed %v", took, failed)
		}
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		servers := fleet{}
		var names []string
		for i := range 10 {
			name := fmt.Sprint("s", i)
			names = append(names, name)
			servers[name] = &dialFake{connect: func(context.Context) error {
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
				return nil
			}}
		}
		r := NewRegistry(quiet())
		start := time.Now()
		servers.connectAll(t.Context(), r, configs(names...), WithConcurrency(3))
		if took := time.Since(start); most.Load() != 3 || took != 4*time.Second {
			t.Errorf("%d at once, %v", most.Load(), took)
		}
	})
}

func TestConnectAllCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		servers := fleet{
			"a": {connect: after(0, nil), tools: toolsNamed("x")},
			"b": {connect: after(time.Minute, nil)},
			"c": {connect: after(time.Minute, nil)},
		}
		r := NewRegistry(quiet())
		start := time.Now()
		failed := servers.connectAll(ctx, r, configs("a", "b", "c"), WithConcurrency(1))
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v", took)
		}
		if !slices.Equal(failed, []string{"b", "c"}) || !r.Has("x") || len(r.FailedServers()) != 2 {
			t.Error(outcome(r, failed))
		}
	})
}

func TestFailuresOfOneServer(t *testing.T) {
	listed := &dialFake{listErr: errors.New("no tools today")}
	secret := "hunter2-hunter2"
	tests := []struct {
		name   string
		cfg    ServerConfig
		client *dialFake // nil: must not be made
		text   string
	}{
		{"fault found before", ServerConfig{Name: "s", URL: "http://x", Err: errors.New("variable TOKEN is not set")}, nil, "variable TOKEN is not set"},
		{"both", ServerConfig{Name: "s", URL: "http://x", Command: "y"}, nil, "both url and command are set; remove one"},
		{"neither", ServerConfig{Name: "s"}, nil, "neither url nor command is set; set one"},
		{"bad name", ServerConfig{Name: "s/../s", URL: "http://x"}, nil, `server name "s/../s": use 1 to 64 of the characters A-Z a-z 0-9 . _ -`},
		{"refused", ServerConfig{Name: "s", URL: "http://x"}, &dialFake{connect: after(0, errors.New("refused"))}, `server "s": connect: refused`},
		{"list fails", ServerConfig{Name: "s", Command: "x"}, listed, `server "s": list tools: no tools today`},
		{"panic", ServerConfig{Name: "s", URL: "http://x"}, &dialFake{connect: func(context.Context) error { var p *ServerConfig; _ = p.Name; return nil }},
			"server unavailable: panic: runtime error: invalid memory address or nil pointer dereference"},
		{"echoed secret", ServerConfig{Name: "s", URL: "http://x", Secrets: map[string]string{"TOKEN": secret}},
			&dialFake{connect: after(0, fmt.Errorf("bad token %s", secret))}, `server "s": connect: bad token ${TOKEN}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var logs bytes.Buffer
			log := WithLogger(slog.New(slog.NewTextHandler(&logs, nil)))
			r := NewRegistry(log)
			other := &dialFake{tools: toolsNamed("x")}
			failed := connectAll(t.Context(), r, append(configs("other"), tt.cfg), newOptions([]Option{log}), func(cfg ServerConfig) connection {
				if cfg.Name == "other" {
					return other
				}
				if tt.client == nil {
					t.Error("the server was dialled")
				}
				return tt.client
			})
			if !slices.Equal(failed, []string{tt.cfg.Name}) || !r.Has("x") {
				t.Error(outcome(r, failed))
			}
			if err := r.FailedServers()[tt.cfg.Name]; err == nil || err.Error() != tt.text {
				t.Errorf("got  %v\nwant %s", err, tt.text)
			}
			if tt.client != nil && tt.client.closes.Load() != 1 {
				t.Errorf("closed %d times", tt.client.closes.Load())
			}
			if got := logs.String(); !strings.Contains(got, "MCP server failed") || strings.Contains(got, secret) ||
				!strings.Contains(got, "configured=2 connected=1 failed=1 tools=1") {
				t.Errorf("logged %s", got)
			}
		})
	}
}

func TestServersThatShareAName(t *testing.T) {
	r := NewRegistry(quiet())
	servers := fleet{"other": {}}
	failed := servers.connectAll(t.Context(), r, configs("git", "Git", "twice", "twice", "other"))
	if diff := cmp.Diff([]string{"Git", "git", "twice"}, failed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"other"}, r.Servers()); diff != "" {
		t.Error(diff)
	}
}

// While servers are dialled, Status shows all of them.
func TestDeclaredFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		servers := fleet{"a": {connect: after(time.Second, nil)}, "b": {connect: after(time.Second, nil)}}
		r := NewRegistry(quiet())
		done := make(chan struct{})
		go func() {
			defer close(done)
			servers.connectAll(t.Context(), r, configs("a", "b"), WithConcurrency(1))
		}()
		synctest.Wait()
		want := []ServerStatus{
			{Name: "a", URL: "http://a.example/mcp", State: StateConnecting, Since: time.Now()},
			{Name: "b", URL: "http://b.example/mcp", State: StateNew, Since: time.Now()},
		}
		if diff := cmp.Diff(want, r.Status()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		<-done
	})
}

// A registry that is closed while servers connect takes none of them.
func TestCloseWhileConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		servers := fleet{"a": {connect: after(time.Second, nil)}}
		r := NewRegistry(quiet())
		done := make(chan []string)
		go func() { done <- servers.connectAll(t.Context(), r, configs("a")) }()
		synctest.Wait()
		must(t, r.Close())
		if failed := <-done; !slices.Equal(failed, []string{"a"}) || servers["a"].closes.Load() != 1 {
			t.Error(failed, servers["a"].closes.Load())
		}
	})
}

// Close takes as long as its slowest client, and never longer than its bound.
func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRegistry(quiet())
		for name, d := range map[string]time.Duration{"a": time.Second, "b": 2 * time.Second, "c": time.Hour} {
			must(t, r.RegisterServer(name, &fake{close: func() error { time.Sleep(d); return nil }}, nil))
		}
		must(t, r.RegisterServer("d", &fake{close: func() error { panic("no") }}, nil))
		must(t, r.RegisterServer("e", &fake{close: func() error { return errors.New("stuck") }}, nil))
		must(t, r.RegisterServer("f", &fake{close: func() error {
			return &CallError{Server: "f", Phase: PhaseClose, Err: ErrTimeout}
		}}, nil))
		start := time.Now()
		err := r.Close()
		want := "server \"c\": close: timeout after 15s\nserver \"d\": close: server unavailable: panic with a string\nserver \"e\": close: stuck\nserver \"f\": close: timeout"
		if took := time.Since(start); took != closeTimeout || err == nil || err.Error() != want {
			t.Errorf("%v: %v", took, err)
		}
		time.Sleep(time.Hour) // for the client that hangs
	})
}

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

type searchInput struct {
	Query string   `json:"query"`
	Limit *int     `json:"limit,omitzero"`
	Tags  []string `json:"tags,omitzero"`
}

func (v searchInput) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *searchInput) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

type searchOutput struct {
	Total int           `json:"total"`
	Items []searchEntry `json:"items"`
}

func (v searchOutput) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *searchOutput) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

type searchEntry struct {
	ID    json.Number `json:"id"`
	Title *string     `json:"title,omitzero"`
}

func (v searchEntry) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *searchEntry) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

var searchTool = ToolSpec{Name: "search", ReadOnly: true}

// callerFunc is a Caller made of a function.
type callerFunc func(context.Context, ToolCall) (*CallResult, error)

func (f callerFunc) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	return f(ctx, call)
}

// answering returns a caller that always answers res and keeps the last call.
func answering(res *CallResult, err error) (Caller, *ToolCall) {
	last := new(ToolCall)
	return callerFunc(func(_ context.Context, call ToolCall) (*CallResult, error) {
		*last = call
		return res, err
	}), last
}

func TestCall(t *testing.T) {
	caller, last := answering(&CallResult{Structured: json.RawMessage(`{"total":1.0,"items":[{"id":9007199254740993,"new":true}]}`)}, nil)
	out, err := Call[searchOutput](t.Context(), Bind(caller, "shop", OnServer("shop-prod")), searchTool, searchInput{Query: "a", Limit: new(30)})
	must(t, err)
	if diff := cmp.Diff(&searchOutput{Total: 1, Items: []searchEntry{{ID: "9007199254740993"}}}, out); diff != "" {
		t.Error(diff)
	}
	want := ToolCall{Server: "shop-prod", Name: "search", Arguments: json.RawMessage(`{"query":"a","limit":30}`), Repeatable: true}
	if diff := cmp.Diff(want, *last); diff != "" {
		t.Error(diff)
	}
}

func TestCallArguments(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want string
	}{
		{nil, ""},
		{json.RawMessage(nil), ""},
		{json.RawMessage(`{"raw": 1e400}`), `{"raw": 1e400}`},
		{struct{}{}, `{}`},
		{&searchInput{}, `{"query":""}`},
	} {
		caller, last := answering(&CallResult{Text: "ok"}, nil)
		res, err := CallUntyped(t.Context(), Bind(caller, "shop"), searchTool, tt.in)
		if err != nil || res.Text != "ok" || string(last.Arguments) != tt.want {
			t.Errorf("%#v: sent %q, want %q; got %v, %v", tt.in, last.Arguments, tt.want, res, err)
		}
	}
}

func TestCallFailures(t *testing.T) {
	refused := &CallResult{IsError: true, Text: "no such order\nhunter2"}
	broken := errors.New("broken pipe")
	tests := []struct {
		name  string
		in    any
		res   *CallResult
		err   error
		phase Phase // "": a ToolError
		is    error
		text  string
	}{
		{"tool error", nil, refused, nil, "", nil, `server "shop": tool "search" failed: no such order`},
		{"tool error without a reason", nil, &CallResult{IsError: true, Text: " \n"}, nil, "", nil, `server "shop": tool "search" failed: it gave no reason`},
		{"encoding", map[string]any{"f": func() {}}, nil, nil, PhaseEncode, nil, `server "shop": tool "search": encode arguments: `},
		{"calling", nil, nil, broken, PhaseCall, broken, `server "shop": tool "search": call: broken pipe`},
		{"neither result nor error", nil, nil, nil, PhaseCall, nil, ``},
		{"not JSON", nil, &CallResult{Text: "sunny"}, nil, PhaseDecode, ErrDecode,
			`server "shop": tool "search": decode result: cannot decode result: it has no structured content and its text is not JSON (read CallResult.Text instead)`},
		{"empty", nil, &CallResult{}, nil, PhaseDecode, ErrDecode, `server "shop": tool "search": decode result: cannot decode result: it is empty`},
		{"does not fit", nil, &CallResult{Structured: json.RawMessage(`{"items":[{"id":1,"title":["hunter2"]}]}`)}, nil, PhaseDecode, ErrDecode,
			`server "shop": tool "search": decode result: cannot decode result: at "/items/0/title": `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			caller, _ := answering(tt.res, tt.err)
			whole := CallResult{Text: "stale"}
			out, err := Call[searchOutput](t.Context(), Bind(caller, "shop"), searchTool, tt.in, WithResult(&whole))
			if out != nil || err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), `\"`, `"`), tt.text) {
				t.Fatalf("got  %v, %v\nwant %s", out, err, tt.text)
			}
			if strings.Contains(err.Error(), "\n") || tt.phase != "" && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("unsafe text: %v", err)
			}
			te, isTool := errors.AsType[*ToolError](err)
			ce, isCall := errors.AsType[*CallError](err)
			switch {
			case tt.phase == "" && (!isTool || isCall || te.Result != tt.res):
				t.Errorf("got %#v", err)
			case tt.phase != "" && (isTool || !isCall || ce.Phase != tt.phase):
				t.Errorf("got %#v", err)
			case tt.is != nil && !errors.Is(err, tt.is):
				t.Errorf("%v is not %v", err, tt.is)
			}
			want := CallResult{}
			if tt.res != nil {
				want = *tt.res
			}
			if whole.Text != want.Text || string(whole.Structured) != string(want.Structured) || whole.IsError != want.IsError {
				t.Errorf("WithResult got %v, want %v", whole, want)
			}
		})
	}
}

func TestNilCaller(t *testing.T) {
	_, err := CallUntyped(t.Context(), Bind(nil, "shop"), searchTool, nil)
	if !errors.Is(err, ErrNotConnected) || !strings.Contains(err.Error(), "give it a *Registry") {
		t.Error(err)
	}
}

// The text of an error is bounded, harmless and free of the server's secrets;
// the result is not touched.
func TestToolErrorText(t *testing.T) {
	const secret = "canary-0123456789"
	said := "token " + secret + " \x1b[31m\n::error::\u202e" + strings.Repeat("long ", 10_000)
	client := &fake{call: func(context.Context, ToolCall) (*CallResult, error) {
		return &CallResult{IsError: true, Text: said, Structured: json.RawMessage(`{"t":"` + secret + `"}`)}, nil
	}}
	r := NewRegistry(quiet())
	r.declare([]ServerConfig{{Name: "shop", URL: "http://x", Secrets: map[string]string{"TOKEN": secret}}})
	must(t, r.RegisterServer("shop", client, toolsNamed("search")))
	_, err := CallUntyped(t.Context(), Bind(r, "shop"), searchTool, nil)
	text := err.Error()
	if strings.ContainsAny(text, "\x1b\n\u202e") || strings.Contains(text, secret) || !strings.Contains(text, "token ${TOKEN}") || len(text) > 700 {
		t.Errorf("%d bytes: %q", len(text), text)
	}
	te, _ := errors.AsType[*ToolError](err)
	if te.Result.Text != said || !strings.Contains(string(te.Result.Structured), secret) {
		t.Error("the result was altered")
	}
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name string
		res  CallResult
		want any
	}{
		{"structured wins", CallResult{Text: "1", Structured: json.RawMessage(`{"a":9007199254740993}`)}, map[string]any{"a": json.Number("9007199254740993")}},
		{"text as JSON", CallResult{Text: ` [1.50, null] `}, []any{json.Number("1.50"), nil}},
		{"structured null", CallResult{Structured: json.RawMessage(`null`)}, nil},
		{"a string", CallResult{Text: `"x"`}, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got any
			must(t, tt.res.Decode(&got))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	var raw json.RawMessage
	must(t, (&CallResult{Text: ` {"b": 1,"a":2} `}).Decode(&raw))
	if strings.TrimSpace(string(raw)) != `{"b": 1,"a":2}` {
		t.Errorf("raw: %s", raw)
	}
}

func TestOr(t *testing.T) {
	if Or(nil, 3) != 3 || Or(new(4), 3) != 4 {
		t.Error("Or")
	}
}

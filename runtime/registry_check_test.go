package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const orderSchema = `{"type":"object","required":["id"],"properties":{
	"id":{"type":"integer","minimum":1},"mail":{"type":"string","format":"email"},"tags":{"type":"array","items":{"enum":["a","b"]}}}}`

func registryWith(t *testing.T, client MCPClient, tool Tool, opts ...RegistryOption) *Registry {
	t.Helper()
	r := NewRegistry(append([]RegistryOption{quiet()}, opts...)...)
	must(t, r.RegisterServer("shop", client, []Tool{tool}))
	return r
}

func TestArgumentsAreValidated(t *testing.T) {
	order := Tool{Name: "order", InputSchema: json.RawMessage(orderSchema)}
	tests := []struct {
		name, arguments string
		opts            []RegistryOption
		violations      []string // what the error names, with pointers; nil: valid
	}{
		{"valid", `{"id":1,"tags":["a"]}`, nil, nil},
		{"several", `{"id":0,"tags":["a","hunter2"]}`, nil, []string{`at "/id": `, `at "/tags/1": `}},
		{"missing", ``, nil, []string{`invalid arguments: missing property "id"`}},
		{"format is not asserted by default", `{"id":1,"mail":"hunter2"}`, nil, nil},
		{"format", `{"id":1,"mail":"hunter2"}`, []RegistryOption{WithValidation(Validation{Arguments: true, Formats: true})}, []string{`at "/mail": `}},
		{"off", `{"id":"hunter2"}`, []RegistryOption{WithValidation(Validation{})}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sent := false
			client := &fake{call: func(context.Context, ToolCall) (*CallResult, error) { sent = true; return &CallResult{}, nil }}
			_, err := registryWith(t, client, order, tt.opts...).CallTool(t.Context(), ToolCall{Name: "order", Arguments: json.RawMessage(tt.arguments)})
			if sent != (tt.violations == nil) {
				t.Errorf("sent: %v", sent)
			}
			if tt.violations == nil {
				must(t, err)
				return
			}
			ce, ok := errors.AsType[*CallError](err)
			if !ok || ce.Phase != PhaseValidate || !errors.Is(err, ErrInvalidArguments) {
				t.Fatalf("got %v", err)
			}
			for _, violation := range tt.violations {
				if !strings.Contains(err.Error(), violation) {
					t.Errorf("%s is not in %v", violation, err)
				}
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a value is in %v", err)
			}
		})
	}
}

func TestResultsAreValidatedOnRequest(t *testing.T) {
	order := Tool{Name: "order", OutputSchema: json.RawMessage(orderSchema)}
	on := WithValidation(Validation{Results: true})
	tests := []struct {
		name string
		res  CallResult
		opts []RegistryOption
		text string // "": valid
	}{
		{"off", CallResult{Structured: json.RawMessage(`{"id":0}`)}, nil, ""},
		{"valid", CallResult{Structured: json.RawMessage(`{"id":1}`)}, []RegistryOption{on}, ""},
		{"valid as text", CallResult{Text: `{"id":1}`}, []RegistryOption{on}, ""},
		{"broken", CallResult{Structured: json.RawMessage(`{"id":0}`)}, []RegistryOption{on}, `at "/id": `},
		{"no structured content", CallResult{Text: "done"}, []RegistryOption{on}, "no structured content"},
		{"tool error", CallResult{IsError: true, Text: "no"}, []RegistryOption{on}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client := &fake{call: func(context.Context, ToolCall) (*CallResult, error) { return &tt.res, nil }}
			res, err := registryWith(t, client, order, tt.opts...).CallTool(t.Context(), ToolCall{Name: "order"})
			if res != &tt.res {
				t.Errorf("the result was withheld: %v", res)
			}
			if tt.text == "" {
				must(t, err)
			} else if !errors.Is(err, ErrInvalidResult) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestValidationPerServer(t *testing.T) {
	r := NewRegistry(quiet(), WithValidation(Validation{Arguments: true}))
	order := []Tool{{Name: "order", InputSchema: json.RawMessage(orderSchema)}}
	servers := fleet{"lax": {tools: order}}
	list := configs("lax")
	list[0].Validate = &Validation{Arguments: false}
	servers.connectAll(t.Context(), r, list)
	_, err := r.CallTool(t.Context(), ToolCall{Name: "order"})
	must(t, err)
}

// A server's schema cannot hang or crash a call. What it makes too costly to
// check is sent unchecked, and that is logged once.
func TestHostileSchemas(t *testing.T) {
	doubling := func() string { // each level refers twice to the next: 2^60 evaluations
		var b strings.Builder
		b.WriteString(`{"type":"object","properties":{"v":{"$ref":"#/$defs/d0"}},"$defs":{`)
		for i := range 60 {
			fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
		}
		return b.String() + `"d60":{"type":"integer"}}}`
	}
	tests := []struct {
		name, schema, arguments string
		decided                 bool // or left unchecked
	}{
		{"huge exponent", `{"type":"object","properties":{"v":{"maximum":5}}}`, `{"v":1e10000000}`, true},
		{"allOf that doubles per level", doubling(), `{"v":1}`, false},
		{"regular expression that never ends", `{"type":"object","properties":{"v":{"pattern":"^(a+)+(?=b)$"}}}`, `{"v":"` + strings.Repeat("a", 60) + `"}`, false},
		{"reference to itself", `{"type":"object","properties":{"v":{"$ref":"#/properties/v"}}}`, `{"v":1}`, false},
		{"not JSON", `{"type":`, `{"v":1}`, false},
		{"remote reference", `{"type":"object","properties":{"v":{"$ref":"http://127.0.0.1:1/x"}}}`, `{"v":1}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var logs bytes.Buffer
			r := registryWith(t, &fake{}, Tool{Name: "x", InputSchema: json.RawMessage(tt.schema)},
				WithLogger(slog.New(slog.NewTextHandler(&logs, nil))))
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), plenty)
				_, err := r.CallTool(ctx, ToolCall{Name: "x", Arguments: json.RawMessage(tt.arguments)})
				if errors.Is(err, ErrInvalidArguments) != tt.decided || (err != nil) != tt.decided || ctx.Err() != nil {
					t.Errorf("%v, %v", err, ctx.Err())
				}
				cancel()
			}
			if n := strings.Count(logs.String(), "not fully validated"); (n == 1) == tt.decided || n > 1 {
				t.Errorf("logged %d times: %s", n, logs.String())
			}
		})
	}
}

// A tool that is registered again unchanged keeps its compiled schema.
func TestCompiledSchemasAreKept(t *testing.T) {
	r := registryWith(t, &fake{}, Tool{Name: "x", InputSchema: json.RawMessage(orderSchema)})
	check := func() *schemaCheck { return r.state.Load().servers["shop"].tools["x"].arguments }
	first := check()
	must(t, r.RegisterServer("shop", &fake{}, []Tool{{Name: "x", InputSchema: json.RawMessage(orderSchema)}}))
	if check() != first {
		t.Error("an unchanged schema is compiled again")
	}
	must(t, r.RegisterServer("shop", &fake{}, []Tool{{Name: "x", InputSchema: json.RawMessage(`{}`)}}))
	if check() == first {
		t.Error("a changed schema is not compiled again")
	}
}

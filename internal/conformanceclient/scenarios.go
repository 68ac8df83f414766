package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/mcpbind/mcpbind/runtime"
)

// A scenario is what the client does once it is connected and has listed tools,
// and what it is configured with before that.
type scenario struct {
	configure func(*runtime.ServerConfig, suiteContext) []runtime.Option // nil: nothing special
	play      func(context.Context, *runtime.Registry, suiteContext) error
}

// scenarios of the suite by name; see scenarioFor for whole families.
var scenarios = map[string]scenario{
	"initialize":               {play: connectOnly},
	"request-metadata":         {play: connectOnly},
	"json-schema-ref-no-deref": {play: connectOnly},
	"tools_call":               {play: call("add_numbers", `{"a":5,"b":3}`)},
	"sse-retry":                {play: call("test_reconnection", `{}`)},

	"json-schema-2020-12-preservation": {play: echoSchema},

	"elicitation-sep1034-client-defaults": {configure: answer(`{}`), play: call("test_client_elicitation_defaults", `{}`)},
	"sep-2322-client-request-state":       {configure: answer(`{"confirmed":true}`), play: callEvery(`{}`)},

	"http-standard-headers":     {play: callEvery(`{}`)},
	"http-invalid-tool-headers": {play: callEvery(`{"region":"us-west1"}`)},
	"http-custom-headers":       {configure: unchecked, play: callAsTold},

	"auth/client-credentials-basic": {configure: asClient, play: connectOnly},
	"auth/client-credentials-jwt":   {configure: asClient, play: connectOnly},
}

func scenarioFor(name string) scenario {
	if s, ok := scenarios[name]; ok {
		return s
	}
	if strings.HasPrefix(name, "auth/") {
		return scenario{configure: authorize, play: call("test-tool", `{}`)}
	}
	return scenario{}
}

// unchecked turns validation off: the suite wants a null sent that the tool's schema
// does not allow.
func unchecked(cfg *runtime.ServerConfig, _ suiteContext) []runtime.Option {
	cfg.Validate = &runtime.Validation{}
	return nil
}

// connectOnly has nothing left to do: connecting and listing is the scenario.
func connectOnly(context.Context, *runtime.Registry, suiteContext) error { return nil }

// call calls one tool, whose failure is the scenario's.
func call(tool, arguments string) func(context.Context, *runtime.Registry, suiteContext) error {
	return func(ctx context.Context, reg *runtime.Registry, _ suiteContext) error {
		_, err := reg.CallTool(ctx, runtime.ToolCall{Name: tool, Arguments: json.RawMessage(arguments)})
		return err
	}
}

// callEvery calls each tool that survived listing. The suite judges the requests:
// what becomes of a call is logged.
func callEvery(arguments string) func(context.Context, *runtime.Registry, suiteContext) error {
	return func(ctx context.Context, reg *runtime.Registry, _ suiteContext) error {
		for _, t := range reg.Tools() {
			try(ctx, reg, t.Name, json.RawMessage(arguments))
		}
		return nil
	}
}

// callAsTold makes the calls that the suite lists.
func callAsTold(ctx context.Context, reg *runtime.Registry, given suiteContext) error {
	for _, c := range given.ToolCalls {
		try(ctx, reg, c.Name, c.Arguments)
	}
	return nil
}

func try(ctx context.Context, reg *runtime.Registry, tool string, arguments json.RawMessage) {
	if _, err := reg.CallTool(ctx, runtime.ToolCall{Name: tool, Arguments: arguments}); err != nil {
		slog.Info("call failed", "tool", tool, "error", err)
	}
}

// echoSchema sends a tool's schema back, byte for byte, through another tool.
func echoSchema(ctx context.Context, reg *runtime.Registry, _ suiteContext) error {
	for _, t := range reg.Tools() {
		if t.Name == "json_schema_2020_12_tool" {
			return call("json_schema_echo", `{"schema":`+string(t.InputSchema)+`}`)(ctx, reg, suiteContext{})
		}
	}
	return nil
}

// answer answers every question of the server with content.
func answer(content string) func(*runtime.ServerConfig, suiteContext) []runtime.Option {
	return func(*runtime.ServerConfig, suiteContext) []runtime.Option {
		return []runtime.Option{runtime.WithElicitation(func(context.Context, runtime.Elicitation) (runtime.ElicitationAnswer, error) {
			return runtime.ElicitationAnswer{Action: runtime.ElicitAccept, Content: json.RawMessage(content)}, nil
		})}
	}
}

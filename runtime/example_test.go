package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/codec"
)

// weather is an [runtime.MCPClient] in a few lines: what a test uses in place of
// a server.
type weather struct{}

func (weather) ListTools(context.Context) ([]runtime.Tool, error) {
	return []runtime.Tool{{
		Name:        "forecast",
		InputSchema: json.RawMessage(`{"type":"object","required":["city"],"properties":{"city":{"type":"string","minLength":1}}}`),
	}}, nil
}

func (weather) CallTool(_ context.Context, call runtime.ToolCall) (*runtime.CallResult, error) {
	if string(call.Arguments) == `{"city":"Atlantis"}` {
		return &runtime.CallResult{IsError: true, Text: "no such city"}, nil
	}
	return &runtime.CallResult{Structured: json.RawMessage(`{"celsius":21,"wind":null}`)}, nil
}

func weatherRegistry() *runtime.Registry {
	reg := runtime.NewRegistry(runtime.WithLogger(slog.New(slog.DiscardHandler)))
	tools, _ := weather{}.ListTools(context.Background())
	if err := reg.RegisterServer("weather", weather{}, tools); err != nil {
		panic(err)
	}
	reg.RecordFailure("calendar", errors.New("connection refused"))
	return reg
}

// An agent that learns tool names at run time declares what it needs, and no more.
type toolbox interface {
	Tools() []runtime.Tool
	Has(name string) bool
	CallTool(ctx context.Context, call runtime.ToolCall) (*runtime.CallResult, error)
}

// Act is one step of such an agent.
func act(ctx context.Context, box toolbox, tool string, arguments json.RawMessage) string {
	if !box.Has(tool) {
		return fmt.Sprintf("there is no %s among %d tools", tool, len(box.Tools()))
	}
	res, err := box.CallTool(ctx, runtime.ToolCall{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error() // says what to mend: fit for a model to read
	}
	return string(res.Structured)
}

func ExampleRegistry_agent() {
	var box toolbox = weatherRegistry()
	ctx := context.Background()
	fmt.Println(act(ctx, box, "forecast", json.RawMessage(`{"city":"Oslo"}`)))
	fmt.Println(act(ctx, box, "forecast", json.RawMessage(`{"city":""}`)))
	fmt.Println(act(ctx, box, "send_mail", nil))
	// Output:
	// {"celsius":21,"wind":null}
	// server "weather": tool "forecast": check arguments: invalid arguments: at "/city": must have at least 1 character
	// there is no send_mail among 1 tools
}

// A status page needs neither calls nor arguments.
type health interface {
	Tools() []runtime.Tool
	Servers() []string
	FailedServers() map[string]error
}

func ExampleRegistry_statusPage() {
	var page health = weatherRegistry()
	fmt.Println("tools:", len(page.Tools()))
	for _, name := range page.Servers() {
		fmt.Println("up:", name)
	}
	for name, err := range page.FailedServers() {
		fmt.Println("failed:", name, "-", err)
	}
	// Output:
	// tools: 1
	// up: weather
	// failed: calendar - connection refused
}

// A skill is offered only while the servers that it needs are connected.
func ExampleRegistry_Servers() {
	connected := map[string]bool{}
	for _, name := range weatherRegistry().Servers() {
		connected[name] = true
	}
	for _, skill := range []struct{ name, server string }{
		{"plan a hike", "weather"},
		{"find a slot", "calendar"},
	} {
		if connected[skill.server] {
			fmt.Println(skill.name)
		}
	}
	// Output: plan a hike
}

// What follows is what a generated package is made of.

type ForecastInput struct {
	City string `json:"city"`
}

func (v ForecastInput) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *ForecastInput) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

type ForecastOutput struct {
	Celsius float64                   `json:"celsius"`
	Wind    runtime.Nullable[float64] `json:"wind,omitzero"`
}

func (v ForecastOutput) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *ForecastOutput) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

var forecastTool = runtime.ToolSpec{Name: "forecast", ReadOnly: true}

func ExampleCall() {
	b := runtime.Bind(weatherRegistry(), "weather")
	out, err := runtime.Call[ForecastOutput](context.Background(), b, forecastTool, ForecastInput{City: "Oslo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Celsius, out.Wind.IsNull())
	// Output: 21 true
}

// A tool that ran and said no is told apart from a call that did not get through.
func ExampleToolError() {
	b := runtime.Bind(weatherRegistry(), "weather")
	for _, city := range []string{"Atlantis", ""} {
		_, err := runtime.Call[ForecastOutput](context.Background(), b, forecastTool, ForecastInput{City: city})
		if refusal, ok := errors.AsType[*runtime.ToolError](err); ok {
			fmt.Println("the tool said:", refusal.Result.Text)
		} else if errors.Is(err, runtime.ErrInvalidArguments) {
			fmt.Println("not sent")
		}
	}
	// Output:
	// the tool said: no such city
	// not sent
}

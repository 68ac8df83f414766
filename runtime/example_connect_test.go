package runtime_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime"
)

// One server answers, one cannot be reached: the one that answers is used.
func ExampleConnectAll() {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil, nil
	})
	endpoint := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer endpoint.Close()

	ctx := context.Background()
	reg := runtime.NewRegistry(runtime.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() { _ = reg.Close() }()
	failed := runtime.ConnectAll(ctx, reg, []runtime.ServerConfig{
		{Name: "greeter", URL: endpoint.URL},
		{Name: "gone", URL: "http://127.0.0.1:1/mcp"},
	})
	fmt.Println("failed:", failed)
	fmt.Println("connected:", reg.Servers())
	res, err := reg.CallTool(ctx, runtime.ToolCall{Name: "greet"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output:
	// failed: [gone]
	// connected: [greeter]
	// hello
}

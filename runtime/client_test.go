package runtime

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// big is beyond what a float64 can hold.
const big = "9007199254740993"

// bigSchema has an order of keys that no map keeps, and a number that no float64
// keeps.
const bigSchema = `{"type":"object","properties":{"z":{"type":"integer","maximum":` + big + `},"a":{"type":"string"}},"required":["z"]}`

// testServer is a go-sdk server whose tool "echo" returns its arguments.
func testServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1.2.3"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", Description: "says it again", InputSchema: json.RawMessage(bigSchema)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: string(req.Params.Arguments)}},
				StructuredContent: req.Params.Arguments,
			}, nil
		})
	server.AddTool(&mcp.Tool{Name: "fail", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil
		})
	return server
}

// serveHTTP serves handler and returns the configuration of a client for it.
func serveHTTP(t *testing.T, handler http.Handler) ServerConfig {
	t.Helper()
	ts := httptest.NewServer(handler)
	t.Cleanup(func() { ts.CloseClientConnections(); ts.Close() })
	return ServerConfig{Name: "srv", URL: ts.URL + "/mcp", Timeout: plenty}
}

func sdkHandler(o mcp.StreamableHTTPOptions) http.Handler {
	server := testServer()
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &o)
}

// connectable is what the clients have in common.
type connectable interface {
	MCPClient
	Connect(context.Context) error
	Close() error
	State() (State, time.Time, error)
	ServerInfo() (name, version, protocol string)
}

func connected(t *testing.T, c connectable) {
	t.Helper()
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// memoryClient talks to server within the process.
func memoryClient(t *testing.T, server *mcp.Server, cfg ServerConfig, opts ...Option) *endpoint {
	t.Helper()
	e := newEndpoint(cfg, append([]Option{WithConnectTimeout(plenty)}, opts...))
	e.open = func() (link, error) {
		ours, theirs := mcp.NewInMemoryTransports()
		session, err := server.Connect(context.Background(), theirs, nil)
		if err != nil {
			return nil, err
		}
		return &memoryLink{server: session, tap: &wire.Tap{Open: ours.Connect}}, nil
	}
	return e
}

type memoryLink struct {
	server *mcp.ServerSession
	tap    *wire.Tap
}

func (l *memoryLink) transport() mcp.Transport { return l.tap }
func (l *memoryLink) finish()                  {}
func (l *memoryLink) abort()                   { l.tap.Abort() }
func (l *memoryLink) explain(err error) error  { return err }
func (l *memoryLink) quiet() bool              { return false }
func (l *memoryLink) mirrors() bool            { return false }

func TestExactOverEveryTransport(t *testing.T) {
	transports := map[string]func(t *testing.T) connectable{
		"HTTP with JSON": func(t *testing.T) connectable {
			return NewStreamableHTTPClient(serveHTTP(t, sdkHandler(mcp.StreamableHTTPOptions{JSONResponse: true})))
		},
		"HTTP with SSE": func(t *testing.T) connectable {
			return NewStreamableHTTPClient(serveHTTP(t, sdkHandler(mcp.StreamableHTTPOptions{})))
		},
		"HTTP, older protocol": func(t *testing.T) connectable {
			cfg := serveHTTP(t, sdkHandler(mcp.StreamableHTTPOptions{}))
			cfg.Protocol = "2025-06-18"
			return NewStreamableHTTPClient(cfg)
		},
		"stdio":  func(*testing.T) connectable { return NewStdioClient(stdioConfig("sdk")) },
		"memory": func(t *testing.T) connectable { return memoryClient(t, testServer(), ServerConfig{Name: "srv"}) },
	}
	for name, make := range transports {
		t.Run(name, func(t *testing.T) {
			c := make(t)
			connected(t, c)
			tools, err := c.ListTools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(tools) != 2 || tools[0].Name != "echo" || tools[0].Server != "srv" || string(tools[0].InputSchema) != bigSchema {
				t.Errorf("ListTools = %+v", tools)
			}
			arguments := `{"z":` + big + `,"a":"é\u2028<&>"}`
			res, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(arguments)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != arguments || !strings.Contains(string(res.Structured), `"z":`+big) || res.IsError {
				t.Errorf("CallTool = %+v", res)
			}
			res, err = c.CallTool(t.Context(), ToolCall{Name: "fail"})
			if err != nil || !res.IsError || res.Text != "no" {
				t.Errorf("CallTool(fail) = %+v, %v", res, err)
			}
			if _, version, protocol := c.ServerInfo(); version != "1.2.3" || protocol == "" {
				t.Errorf("ServerInfo = %q, %q", version, protocol)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

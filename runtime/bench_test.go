package runtime_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/codec"
)

type Orders struct {
	Orders []Order `json:"orders"`
}

func (v Orders) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *Orders) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

type Order struct {
	ID       int      `json:"id"`
	Customer string   `json:"customer"`
	Total    float64  `json:"total"`
	Paid     bool     `json:"paid"`
	Note     *string  `json:"note,omitzero"`
	Tags     []string `json:"tags,omitzero"`
}

func (v Order) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *Order) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

type ListInput struct {
	Limit *int `json:"limit,omitzero"`
}

func (v ListInput) MarshalJSON() ([]byte, error)     { return codec.Marshal(v) }
func (v *ListInput) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

const listSchema = `{"type":"object","properties":{"limit":{"type":"integer","minimum":0}}}`

// canned is an MCP server that answers from memory, so that a benchmark measures
// clients and not a server.
func canned(tb testing.TB, records int) string {
	items := make([]string, records)
	for i := range items {
		items[i] = fmt.Sprintf(`{"id":%d,"customer":"customer %d","total":%d.5,"paid":true,"note":"leave at the door"}`, i, i, i)
	}
	structured := `{"orders":[` + strings.Join(items, ",") + `]}`
	text, _ := json.Marshal(structured) // servers repeat structured content as text
	results := map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"canned","version":"1"}}`,
		"ping":       `{}`,
		"tools/list": `{"tools":[{"name":"list","inputSchema":` + listSchema + `,"outputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + structured + `}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var msg struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(req.Body)
		switch {
		case req.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case json.Unmarshal(body, &msg) != nil || msg.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if result, ok := results[msg.Method]; ok {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, msg.ID, result)
		} else {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`, msg.ID)
		}
	}))
	tb.Cleanup(server.Close)
	return server.URL
}

// BenchmarkCall compares a typed call, validation of its arguments included, with
// the SDK's own untyped call, over loopback HTTP.
func BenchmarkCall(b *testing.B) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for _, records := range []int{1, 1000} {
		url := canned(b, records)
		b.Run(fmt.Sprintf("typed/records=%d", records), func(b *testing.B) {
			reg := runtime.NewRegistry()
			defer func() { _ = reg.Close() }()
			if failed := runtime.ConnectAll(b.Context(), reg, []runtime.ServerConfig{{Name: "shop", URL: url}}); failed != nil {
				b.Fatal(reg.FailedServers())
			}
			binding := runtime.Bind(reg, "shop")
			b.ReportAllocs()
			for b.Loop() {
				out, err := runtime.Call[Orders](b.Context(), binding, runtime.ToolSpec{Name: "list"}, ListInput{Limit: new(30)})
				if err != nil || len(out.Orders) != records {
					b.Fatal(out, err)
				}
			}
		})
		b.Run(fmt.Sprintf("sdk-untyped/records=%d", records), func(b *testing.B) {
			client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
			session, err := client.Connect(b.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = session.Close() }()
			b.ReportAllocs()
			for b.Loop() {
				res, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{"limit": 30}})
				if err != nil || len(res.StructuredContent.(map[string]any)["orders"].([]any)) != records {
					b.Fatal(res, err)
				}
			}
		})
	}
}

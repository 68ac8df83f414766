package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestTrap10_ListsThatNeverEnd(t *testing.T) {
	var page atomic.Int32
	for name, test := range map[string]struct {
		next string // of nextCursor, %d is the page
		want int    // tools, -1: an error
	}{
		"one page":                {"null", 2},
		"the cursor stands still": {`"again"`, 3},
		"a cursor for ever":       {`"c%d"`, -1},
	} {
		t.Run(name, func(t *testing.T) {
			page.Store(0)
			c, _ := fakeClient(t, answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
				n := page.Add(1)
				next := test.next
				if strings.Contains(next, "%d") {
					next = fmt.Sprintf(next, n)
				}
				sendJSON(w, m.result(fmt.Sprintf(
					`{"tools":[{"name":"same","title":"first %[1]d"},{"name":"t%[1]d"},null,{"title":"nameless"},7],"nextCursor":%[2]s}`, n, next)))
			}})
			tools, err := c.ListTools(t.Context())
			if (err != nil) != (test.want < 0) {
				t.Fatalf("ListTools = %v", err)
			}
			if err == nil && (len(tools) != test.want || tools[0].Title != "first 1") {
				t.Errorf("tools %+v", tools)
			}
		})
	}
}

func TestTrap11_RedirectsToOtherOrigins(t *testing.T) {
	var stolen atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stolen.Store(true)
		t.Errorf("another origin got %s with %v", r.Method, r.Header)
	}))
	defer thief.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, r *http.Request, _ fakeMessage) {
			http.Redirect(w, r, thief.URL+"/mcp?token=verysecret", status)
		}})
		_, err := callT(t, c)
		if err == nil || !strings.Contains(err.Error(), "redirect refused") || strings.Contains(err.Error(), "verysecret") {
			t.Errorf("%d: call = %v", status, err)
		}
		stillWorks(t, c, server)
	}
	t.Run("the same origin is fine", func(t *testing.T) {
		mux := http.NewServeMux()
		mux.Handle("/mcp/", &fakeServer{})
		mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/mcp/", http.StatusPermanentRedirect)
		})
		c := NewStreamableHTTPClient(serveHTTP(t, mux))
		connected(t, c)
		if _, err := callT(t, c); err != nil {
			t.Error(err)
		}
	})
}

func TestTrap13_NothingIsShared(t *testing.T) {
	c := NewStreamableHTTPClient(serveHTTP(t, sdkHandler(mcp.StreamableHTTPOptions{})))
	connected(t, c)
	arguments := json.RawMessage(`{"z":1}`)
	for range 2 {
		if _, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: arguments}); err != nil {
			t.Fatal(err)
		}
	}
	if string(arguments) != `{"z":1}` {
		t.Errorf("arguments are %s now", arguments)
	}
	first, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	copy(first[0].Raw, "XXXXXXXX")
	first[0].Name = "changed"
	second, err := c.ListTools(t.Context())
	if err != nil || second[0].Name != "echo" || !json.Valid(second[0].Raw) {
		t.Errorf("ListTools = %+v, %v", second, err)
	}
}

// The SDK answers from a cache where a list may be cached, and shares its pointers.
func TestTrap13_ListsAreAskedFor(t *testing.T) {
	c, server := fakeClient(t, answers{
		"server/discover": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.result(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0}`))
		},
		"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.result(`{"resultType":"complete","ttlMs":3600000,"cacheScope":"public",`+fakeList[1:]))
		},
	})
	for n := 1; n <= 2; n++ {
		tools, err := c.ListTools(t.Context())
		if err != nil || len(tools) != 1 || server.count("tools/list") != n {
			t.Errorf("ListTools = %v, %v after %d requests, want %d", tools, err, server.count("tools/list"), n)
		}
	}
}

// headerSchema asks for its arguments to be repeated in headers.
const headerSchema = `{"type":"object","properties":{` +
	`"region":{"type":"string","x-mcp-header":"Region"},` +
	`"n":{"type":"object","properties":{"big":{"type":"integer","x-mcp-header":"Big"}}}}}`

func TestTrap17_ArgumentsInHeaders(t *testing.T) {
	server := testServer()
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(headerSchema)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
		})
	var region, number atomic.Value
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	c := NewStreamableHTTPClient(serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "tools/call" {
			region.Store(r.Header.Get("Mcp-Param-Region"))
			number.Store(r.Header.Get("Mcp-Param-Big"))
		}
		inner.ServeHTTP(w, r)
	})))
	connected(t, c)
	if _, _, protocol := c.ServerInfo(); protocol != statelessProtocol {
		t.Fatalf("protocol %s", protocol)
	}
	call := ToolCall{Name: "t", Arguments: json.RawMessage(`{"region":"Zürich","n":{"big":9007199254740991}}`)}
	check := func(when string) {
		t.Helper()
		if _, err := c.CallTool(t.Context(), call); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if region.Load() != "=?base64?WsO8cmljaA==?=" || number.Load() != "9007199254740991" {
			t.Errorf("%s: headers %q, %q", when, region.Load(), number.Load())
		}
	}
	check("never listed")
	stop := make(chan struct{})
	listed := make(chan struct{})
	go func() {
		defer close(listed)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = c.ListTools(t.Context())
			}
		}
	}()
	for range 20 {
		check("while listing")
	}
	close(stop)
	<-listed
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after reconnecting")
}

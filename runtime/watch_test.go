package runtime

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A changingServer is a go-sdk server whose tools a test changes.
func changingServer(t *testing.T, stateless bool, names ...string) (*mcp.Server, http.Handler) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "changing", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	for _, name := range names {
		offer(server, name, `{"type":"object"}`)
	}
	return server, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: stateless})
}

func offer(server *mcp.Server, name, schema string) {
	server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name}}}, nil
		})
}

// watched connects a registry to cfg and returns it with what its subscriber gets.
func watched(t *testing.T, cfg ServerConfig, w Watch, opts ...Option) (*Registry, <-chan ToolChanges) {
	t.Helper()
	changes := make(chan ToolChanges, 16)
	quiet := WithLogger(slog.New(slog.DiscardHandler))
	reg := NewRegistry(quiet)
	t.Cleanup(func() { _ = reg.Close() })
	failed := ConnectAll(t.Context(), reg, []ServerConfig{cfg}, append(opts, WithWatch(w), WithToolChanges(func(server string, c ToolChanges) {
		if server != cfg.Name {
			t.Errorf("a change of server %q", server)
		}
		changes <- c
	}))...)
	if len(failed) > 0 {
		t.Fatal(reg.FailedServers())
	}
	return reg, changes
}

// awaitChanges joins what comes until all of want has.
func awaitChanges(t *testing.T, changes <-chan ToolChanges, want ToolChanges) {
	t.Helper()
	var got ToolChanges
	deadline := time.After(plenty)
	for !cmp.Equal(got, want) {
		select {
		case c := <-changes:
			got.Added = append(got.Added, c.Added...)
			got.Removed = append(got.Removed, c.Removed...)
			got.Changed = append(got.Changed, c.Changed...)
		case <-deadline:
			t.Fatalf("changes %+v, want %+v", got, want)
		}
	}
}

func TestWatchFollowsTheServer(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{legacyProtocol, statelessProtocol} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { followsTheServer(t, protocol) })
		})
	}
}

func followsTheServer(t *testing.T, protocol string) {
	server, handler := changingServer(t, protocol == statelessProtocol, "stays", "goes", "changes")
	cfg, net := serveMemory(t, handler)
	cfg.Protocol = protocol
	reg, changes := watched(t, cfg, Watch{Interval: -1}, net)
	synctest.Wait() // somebody listens by now
	server.RemoveTools("goes")
	offer(server, "new", `{"type":"object"}`)
	offer(server, "changes", `{"type":"object","required":["x"]}`)
	awaitChanges(t, changes, ToolChanges{Added: []string{"new"}, Removed: []string{"goes"}, Changed: []string{"changes"}})
	if !reg.Has("new") || reg.Has("goes") {
		t.Errorf("the registry has %v", reg.Tools())
	}
	if res, err := reg.CallTool(t.Context(), ToolCall{Name: "new"}); err != nil || res.Text != "new" {
		t.Errorf("call = %+v, %v", res, err)
	}
	// And again: the connection that tells is still there.
	server.RemoveTools("new")
	awaitChanges(t, changes, ToolChanges{Removed: []string{"new"}})
}

func TestWatchListsAtAnInterval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, listsAtAnInterval)
}

func listsAtAnInterval(t *testing.T) {
	var changed atomic.Bool
	server := &fakeServer{on: answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		if changed.Load() {
			sendJSON(w, m.result(`{"tools":[{"name":"t","inputSchema":{"type":"object"}},{"name":"u","inputSchema":{"type":"object"}}]}`))
			return
		}
		sendJSON(w, m.result(fakeList))
	}}}
	cfg, net := serveMemory(t, server)
	reg, changes := watched(t, cfg, Watch{Interval: time.Millisecond}, net) // watchPause at the least
	begin := time.Now()
	changed.Store(true)
	awaitChanges(t, changes, ToolChanges{Added: []string{"u"}})
	if took := time.Since(begin); took > 2*watchPause {
		t.Errorf("it took %v", took)
	}
	if !reg.Has("u") {
		t.Error("the registry does not know the new tool")
	}
	if server.saw(http.MethodGet) {
		t.Error("a server that tells of no changes was listened to")
	}
}

func TestWatchOverStdio(t *testing.T) {
	t.Parallel()
	synctest.Test(t, watchOverStdio)
}

func watchOverStdio(t *testing.T) {
	server, _ := changingServer(t, false, "one")
	told := make(chan ToolChanges, 4)
	e := memoryClient(t, server, ServerConfig{Name: "srv"}, WithWatch(Watch{Interval: -1}),
		WithToolChanges(func(_ string, c ToolChanges) { told <- c }))
	connected(t, e)
	if _, err := e.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	offer(server, "two", `{"type":"object"}`)
	awaitChanges(t, told, ToolChanges{Added: []string{"two"}})
}

// The stream for notifications may be refused, hang or break: calls do not notice.
func TestWatchOfAServerThatCannotTell(t *testing.T) {
	t.Parallel()
	streams := answers{
		"refused": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			w.WriteHeader(http.StatusMethodNotAllowed)
		},
		"hangs": hang,
		"breaks": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			sendEvents(w)
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		},
		"junk": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			sendEvents(w, "junk", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete"}`)
		},
	}
	for name, stream := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { cannotTell(t, stream) })
		})
	}
}

func cannotTell(t *testing.T, stream func(http.ResponseWriter, *http.Request, fakeMessage)) {
	const promises = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1"}}`
	server := &fakeServer{on: answers{
		http.MethodGet: stream,
		"initialize": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			w.Header().Set("Mcp-Session-Id", "s")
			sendJSON(w, m.result(promises))
		},
	}}
	cfg, net := serveMemory(t, server)
	reg, _ := watched(t, cfg, Watch{Interval: -1}, net)
	time.Sleep(300 * time.Millisecond)
	for range 3 {
		if res, err := reg.CallTool(t.Context(), ToolCall{Name: "t"}); err != nil || res.Text != "ok" {
			t.Errorf("call = %+v, %v", res, err)
		}
	}
	if !server.saw(http.MethodGet) {
		t.Error("nobody listened")
	}
	if n := server.count("initialize"); n > 2 {
		t.Errorf("%d handshakes in 300 ms", n)
	}
}

package runtime

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A list without tools is a list: what follows it differs from it, and it from what
// was before.
func TestWatchOfNoTools(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{legacyProtocol, statelessProtocol} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { noTools(t, protocol) })
		})
	}
}

func noTools(t *testing.T, protocol string) {
	server, handler := changingServer(t, protocol == statelessProtocol)
	cfg, net := serveMemory(t, handler)
	cfg.Protocol = protocol
	reg, changes := watched(t, cfg, Watch{Interval: watchPause}, net)
	offer(server, "one", `{"type":"object"}`)
	awaitChanges(t, changes, ToolChanges{Added: []string{"one"}})
	if !reg.Has("one") {
		t.Errorf("the registry has %v", reg.Tools())
	}
	server.RemoveTools("one")
	awaitChanges(t, changes, ToolChanges{Removed: []string{"one"}})
	if reg.Has("one") {
		t.Errorf("the registry has %v", reg.Tools())
	}
}

// The same when the server comes back without tools, and with some again.
func TestReconnect_NoTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		})
		offer(server, "one", `{"type":"object"}`)
		told := make(chan ToolChanges, 4)
		m := newMortal(t, server, WithToolChanges(func(_ string, c ToolChanges) { told <- c }))
		reg := NewRegistry(WithLogger(slog.New(slog.DiscardHandler)))
		client := &StreamableHTTPClient{e: m.endpoint}
		client.onRelist(func(tools []Tool) { reg.retool("srv", client, tools) })
		connected(t, m)
		tools, err := m.ListTools(t.Context())
		must(t, err)
		must(t, reg.RegisterServer("srv", client, tools))

		server.RemoveTools("one")
		m.kill()
		awaitChanges(t, told, ToolChanges{Removed: []string{"one"}})
		if reg.Has("one") {
			t.Errorf("the registry has %v", reg.Tools())
		}
		offer(server, "two", `{"type":"object"}`)
		m.kill()
		awaitChanges(t, told, ToolChanges{Added: []string{"two"}})
		if !reg.Has("two") {
			t.Errorf("the registry has %v", reg.Tools())
		}
		must(t, reg.Close())
	})
}

func TestListToolsOfNone(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	e := memoryClient(t, server, ServerConfig{Name: "srv"})
	connected(t, e)
	if tools, err := e.ListTools(t.Context()); err != nil || tools == nil || len(tools) != 0 {
		t.Errorf("ListTools = %#v, %v", tools, err)
	}
}

package runtime

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpbind/mcpbind/internal/memnet"
)

// plenty is for what must happen in the end, and long enough for a machine on which
// nothing happens for seconds. It is the limit wherever a limit is not the point; a
// test whose point is a limit runs on the clock of a bubble.
const plenty = time.Minute

// What this side allows itself hardly matters to real connections and processes: an
// end by such a limit would be seen as one that takes more than plenty.
func init() {
	usualEndTimeout = endTimeout
	endTimeout, lastGasp, lastRead = 3*plenty, plenty, plenty
}

var usualEndTimeout time.Duration

// inBubble runs a test on a clock of its own, which moves only when nobody has
// anything left to do. What the test starts must have ended when it returns.
func inBubble(f func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		synctest.Test(t, f)
	}
}

// serveMemory serves handler within the bubble of t, and returns the configuration
// of a client for it and the option that it needs.
func serveMemory(t *testing.T, handler http.Handler) (ServerConfig, Option) {
	t.Helper()
	n := memnet.New()
	t.Cleanup(func() {
		n.Close()
		time.Sleep(time.Hour) // once the test is over the clock stands still
	})
	return ServerConfig{Name: "srv", URL: n.Serve("srv.test", handler) + "/mcp"}, WithHTTPTransport(n.Transport())
}

// memoryFake serves a fake within the bubble of t and returns a connected client for
// it.
func memoryFake(t *testing.T, on answers, opts ...Option) (*StreamableHTTPClient, *fakeServer) {
	t.Helper()
	server := &fakeServer{on: on}
	cfg, net := serveMemory(t, server)
	c := NewStreamableHTTPClient(cfg, append([]Option{net, quiet()}, opts...)...)
	connected(t, c)
	return c, server
}

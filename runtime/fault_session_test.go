package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/faultserver"
	"github.com/mcpbind/mcpbind/runtime"
)

// comesBack fails the test unless the call goes through after one reconnection,
// and was carried out once.
func (f *faulty) comesBack(t *testing.T) {
	t.Helper()
	for range 2 {
		f.succeeds(t, "fault")
	}
	if n := f.server.Count("initialize"); n != 2 {
		t.Errorf("%d handshakes, want 2", n)
	}
	if n := f.server.Count("tools/call"); n != 3 { // one was refused
		t.Errorf("%d calls arrived, want 3", n)
	}
}

func TestFault_SessionLost(t *testing.T)           { faultyClient(t).comesBack(t) }
func TestFault_SessionLostWithError(t *testing.T)  { faultyClient(t).comesBack(t) }
func TestFault_SessionLostBadRequest(t *testing.T) { faultyClient(t).comesBack(t) }

func TestFault_SessionNeverKept(t *testing.T) {
	f := faultyClient(t)
	f.failsWithin(t, plenty, outcome{says: "forgotten the session", is: runtime.ErrServerUnavailable})
	if n := f.server.Count("tools/call"); n != 2 {
		t.Errorf("%d calls arrived, want 2", n)
	}
	f.succeeds(t, "ok")
}

// opened counts the connections of clients to hosts that are not closed, by address.
// A call that is sent on one whose server is dead may have been read by it: only
// once the connection is closed has its end been noticed.
var opened = struct {
	sync.Mutex
	by map[string]int
}{by: map[string]int{}}

func init() {
	own := http.DefaultTransport.(*http.Transport)
	dial := own.DialContext
	own.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		count := func(n int) {
			opened.Lock()
			defer opened.Unlock()
			opened.by[address] += n
		}
		count(1)
		return &countedConn{conn, sync.OnceFunc(func() { count(-1) })}, nil
	}
}

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// kill kills the host and waits until the client has noticed.
func (f *faulty) kill(t *testing.T) {
	t.Helper()
	f.host.Kill()
	u, err := url.Parse(f.host.URL())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the client has noticed", func() bool {
		opened.Lock()
		defer opened.Unlock()
		return opened.by[u.Host] == 0
	})
}

func TestFault_KilledBetweenCalls(t *testing.T) {
	f := faultyClient(t)
	for range 3 {
		f.succeeds(t, "ok")
		f.kill(t)
		if err := f.host.Start(); err != nil {
			t.Fatal(err)
		}
	}
	f.succeeds(t, "ok")
}

func TestFault_KilledDuringCall(t *testing.T) {
	defer faultserver.Restarted(false)
	for _, repeatable := range []bool{false, true} {
		t.Run(fmt.Sprint("repeatable ", repeatable), func(t *testing.T) {
			faultserver.Restarted(false)
			watched(t)
			cfg, f := faultConfig(t, "KilledDuringCall")
			f.dial(t, cfg)
			failed := make(chan error, 1)
			go func() {
				_, err := f.CallTool(t.Context(), runtime.ToolCall{Name: "fault", Repeatable: repeatable})
				failed <- err
			}()
			eventually(t, "the call arrives", func() bool { return f.server.Count("tools/call") == 1 })
			faultserver.Restarted(true)
			f.host.Kill()
			if err := f.host.Start(); err != nil {
				t.Fatal(err)
			}
			err := <-failed
			if !repeatable {
				outcome{is: runtime.ErrServerUnavailable, unknown: true}.check(t, err)
				if n := f.server.Count("tools/call"); n != 0 {
					t.Errorf("the call was repeated")
				}
			} else if err != nil && !errors.Is(err, runtime.ErrServerUnavailable) {
				t.Errorf("call = %v", err) // it may have found nobody there
			}
			f.succeeds(t, "fault")
		})
	}
}

func TestFault_StaysDown(t *testing.T) {
	f := faultyClient(t)
	f.kill(t)
	for range 3 {
		_, err := f.call(t, "ok", plenty)
		outcome{says: "connection refused", is: runtime.ErrServerUnavailable}.check(t, err)
		if state, _, err := f.State(); err == nil || (state != runtime.StateDown && state != runtime.StateConnecting) {
			t.Errorf("state %s, %v", state, err)
		}
	}
}

func TestFault_LostPings(t *testing.T) {
	inBubble(t, lostPings)
}

func lostPings(t *testing.T) {
	f := memoryClient(t, runtime.WithKeepAlive(time.Second), runtime.WithReconnect(runtime.Reconnect{Off: true}))
	_, err := f.CallTool(t.Context(), runtime.ToolCall{Name: "fault"}) // no deadline
	outcome{says: "pings: 3 in a row", is: runtime.ErrServerUnavailable, unknown: true}.check(t, err)
	eventually(t, "the server is down", func() bool {
		state, _, err := f.State()
		return state == runtime.StateDown && err != nil
	})
}

func TestFault_OneLostPing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t, runtime.WithKeepAlive(time.Second))
		eventually(t, "nine pings", func() bool { return f.server.Count("ping") >= 9 })
		f.survives(t)
		if n := f.server.Count("initialize"); n != 1 {
			t.Errorf("%d handshakes", n)
		}
	})
}

func TestFault_DeleteHangs(t *testing.T) {
	inBubble(t, func(t *testing.T) { memoryClient(t).survives(t) }) // Close is timed when the test is over
}

// failsToConnect connects to a server with a timeout of 3 s.
func failsToConnect(t *testing.T, name string) {
	t.Helper()
	inBubble(t, func(t *testing.T) {
		cfg, f := memoryConfig(t, name)
		cfg.Timeout = 3 * time.Second
		f.make(t, cfg)
		begin := time.Now()
		err := f.Connect(t.Context())
		outcome{says: "connect: timeout: not connected after 3s", is: runtime.ErrTimeout}.check(t, err)
		if took := time.Since(begin); took != cfg.Timeout {
			t.Errorf("it took %v", took)
		}
	})
}

func TestFault_HandshakeHangs(t *testing.T) { failsToConnect(t, "HandshakeHangs") }
func TestFault_HandshakeHalf(t *testing.T)  { failsToConnect(t, "HandshakeHalf") }

// olderProtocol connects to a server that cannot cope with server/discover.
func (f *faulty) olderProtocol(t *testing.T, cfg runtime.ServerConfig) {
	t.Helper()
	f.dial(t, cfg)
	if _, _, protocol := f.ServerInfo(); protocol != "2025-11-25" {
		t.Errorf("protocol %s", protocol)
	}
	f.succeeds(t, "ok")
}

func TestFault_DiscoverHangs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		cfg, f := memoryConfig(t, "DiscoverHangs")
		f.olderProtocol(t, cfg)
	})
}

func TestFault_DiscoverHTML(t *testing.T) {
	watched(t)
	cfg, f := faultConfig(t, "DiscoverHTML")
	f.olderProtocol(t, cfg)
}

// inProcess sends requests to handlers by host, without a network.
type inProcess struct{ hosts map[string]http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	return serveOne(p.hosts[r.URL.Host], r)
}

func TestFault_ThousandServers(t *testing.T) { inBubble(t, thousandServers) }

func thousandServers(t *testing.T) {
	const servers = 1000
	p := inProcess{hosts: map[string]http.Handler{}}
	var configs []runtime.ServerConfig
	for n := range servers {
		fault := faultserver.Named("ThousandServers")
		if n%3 != 0 {
			fault = faultserver.Fault{}
		}
		host := fmt.Sprintf("s%04d.test", n)
		p.hosts[host] = fault.HTTP()
		configs = append(configs, runtime.ServerConfig{
			Name: strings.TrimSuffix(host, ".test"), URL: "http://" + host + "/mcp", Timeout: 2 * time.Second,
		})
	}
	reg := runtime.NewRegistry(runtime.WithCollision(runtime.CollideSkip), runtime.WithLogger(silent()))
	begin := time.Now()
	failed := runtime.ConnectAll(t.Context(), reg, configs, runtime.WithHTTPTransport(p), runtime.WithConcurrency(200), runtime.WithKeepAlive(-1))
	took := time.Since(begin)
	if len(failed) != 334 || len(reg.Servers()) != 666 || !slices.IsSorted(failed) {
		t.Errorf("%d failed, %d connected", len(failed), len(reg.Servers()))
	}
	if took > 4*time.Second { // a third of them in two batches at the most
		t.Errorf("it took %v", took)
	}
	for _, err := range reg.FailedServers() {
		if !errors.Is(err, runtime.ErrTimeout) {
			t.Errorf("a failure: %v", err)
		}
	}
	if _, err := reg.CallTool(t.Context(), runtime.ToolCall{Server: "s0001", Name: "ok"}); err != nil {
		t.Error(err)
	}
	begin = time.Now()
	if err := reg.Close(); err != nil || time.Since(begin) > 2*time.Second {
		t.Errorf("Close = %v after %v", err, time.Since(begin))
	}
}

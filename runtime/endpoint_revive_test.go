package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A mortal is a server in memory that can be killed, and an endpoint for it.
type mortal struct {
	*endpoint
	gone  atomic.Bool   // nobody is there
	slow  time.Duration // how long opening takes
	mu    sync.Mutex
	last  link
	tried []time.Time // of every attempt
}

func newMortal(t *testing.T, server *mcp.Server, opts ...Option) *mortal {
	opts = append([]Option{WithLogger(slog.New(slog.DiscardHandler)), WithKeepAlive(-1)}, opts...)
	m := &mortal{endpoint: memoryClient(t, server, ServerConfig{Name: "srv"}, opts...)}
	open := m.open
	m.open = func() (link, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.tried = append(m.tried, time.Now())
		time.Sleep(m.slow)
		if m.gone.Load() {
			return nil, errors.New("nobody there")
		}
		l, err := open()
		m.last = l
		return l, err
	}
	return m
}

// kill ends the session from the server's side.
func (m *mortal) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = m.last.(*memoryLink).server.Close()
	m.tried = nil
}

func (m *mortal) attempts() []time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tried)
}

func echo(ctx context.Context, c MCPClient) error {
	_, err := c.CallTool(ctx, ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)})
	return err
}

func TestReconnect_BacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer(), WithReconnect(Reconnect{First: time.Second, Max: 10 * time.Second, Attempts: 8}))
		connected(t, m)
		time.Sleep(time.Minute) // a good connection
		m.gone.Store(true)
		m.kill()
		lost := time.Now()
		synctest.Wait()
		if state, since, err := m.State(); state != StateDown || !since.Equal(lost) || !errors.Is(err, ErrServerUnavailable) {
			t.Errorf("state %s since %v, %v; the end should be noticed at once", state, since, err)
		}
		time.Sleep(time.Hour)
		tried := m.attempts() // each handshake failed at its first step
		if len(tried) != 8 && len(tried) != 16 {
			t.Fatalf("%d attempts", len(tried))
		}
		tried = slices.CompactFunc(tried, time.Time.Equal)
		last := lost
		for n, at := range tried {
			full := min(10*time.Second, time.Second<<n)
			if gap := at.Sub(last); gap < full/2 || gap > full {
				t.Errorf("attempt %d after %v, want %v to %v", n+1, gap, full/2, full)
			}
			last = at
		}
		if state, since, err := m.State(); state != StateDown || !since.Equal(last) || !strings.Contains(err.Error(), "nobody there") {
			t.Errorf("state %s since %v, %v", state, since, err)
		}
		// Given up on. A call makes one attempt, then the next one.
		for range 2 {
			begin, before := time.Now(), len(m.attempts())
			if err := echo(t.Context(), m); !errors.Is(err, ErrServerUnavailable) || errors.Is(err, ErrFateUnknown) || !strings.Contains(err.Error(), "nobody there") {
				t.Errorf("call = %v", err)
			}
			if took := time.Since(begin); took > patience || len(m.attempts()) == before {
				t.Errorf("it took %v, %d attempts", took, len(m.attempts())-before)
			}
		}
		before := len(m.attempts())
		time.Sleep(time.Hour)
		if n := len(m.attempts()) - before; n != 0 {
			t.Errorf("%d attempts that nobody waits for", n)
		}
		m.gone.Store(false)
		if err := echo(t.Context(), m); err != nil {
			t.Error(err)
		}
		if n, _ := m.upkeep(); n != 1 {
			t.Errorf("%d reconnections", n)
		}
		if state, _, err := m.State(); state != StateReady || err != nil {
			t.Errorf("state %s, %v", state, err)
		}
		_ = m.Close()
	})
}

func TestReconnect_OnceForAllCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer())
		connected(t, m)
		if err := echo(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		m.mu.Lock()
		m.slow = 3 * time.Second
		m.mu.Unlock()
		m.kill()
		synctest.Wait()
		var wg sync.WaitGroup
		var failed atomic.Int32
		for range 50 {
			wg.Go(func() {
				if err := echo(t.Context(), m); err != nil {
					failed.Add(1)
					t.Log(err)
				}
			})
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if err := echo(short, m); !errors.Is(err, ErrTimeout) || errors.Is(err, ErrFateUnknown) || !strings.Contains(err.Error(), "not sent") {
			t.Errorf("a call with little time = %v", err)
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("it took %v", took)
		}
		wg.Wait()
		if n := len(m.attempts()); failed.Load() != 0 || n != 1 {
			t.Errorf("%d attempts, %d failed calls", n, failed.Load())
		}
		_ = m.Close()
	})
}

func TestReconnect_NotAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer())
		connected(t, m)
		m.gone.Store(true)
		m.kill()
		time.Sleep(time.Second) // attempts are under way
		waiting := make(chan error, 1)
		go func() { waiting <- echo(t.Context(), m) }()
		synctest.Wait()
		begin := time.Now()
		if err := m.Close(); err != nil || time.Since(begin) > time.Second {
			t.Errorf("Close = %v after %v", err, time.Since(begin))
		}
		if err := <-waiting; err == nil {
			t.Error("a call went through")
		}
		m.gone.Store(false)
		before := len(m.attempts())
		if err := echo(t.Context(), m); !errors.Is(err, ErrNotConnected) {
			t.Errorf("call = %v", err)
		}
		time.Sleep(time.Hour)
		if n := len(m.attempts()); n != before {
			t.Errorf("%d attempts after Close", n-before)
		}
		if state, _, err := m.State(); state != StateClosed || err != nil {
			t.Errorf("state %s, %v", state, err)
		}
		if err := m.Connect(t.Context()); err != nil {
			t.Error(err)
		}
		if err := echo(t.Context(), m); err != nil {
			t.Error(err)
		}
		_ = m.Close()
	})
}

// An explicit Connect takes over from the attempts under way, and they from it when
// it fails.
func TestReconnect_ExplicitConnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer())
		connected(t, m)
		time.Sleep(time.Minute)
		m.gone.Store(true)
		m.kill()
		time.Sleep(10 * time.Second)
		if err := m.Connect(t.Context()); err == nil {
			t.Error("connected to nobody")
		}
		m.gone.Store(false)
		time.Sleep(defaultMaxDelay)
		if state, _, err := m.State(); state != StateReady {
			t.Errorf("state %s, %v", state, err)
		}
		m.gone.Store(true)
		m.kill()
		time.Sleep(10 * time.Second)
		m.gone.Store(false)
		if err := m.Connect(t.Context()); err != nil {
			t.Error(err)
		}
		if state, _, err := m.State(); state != StateReady {
			t.Errorf("state %s, %v", state, err)
		}
		_ = m.Close()
	})
}

func TestReconnect_OtherTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer()
		told := make(chan ToolChanges, 1)
		m := newMortal(t, server, WithToolChanges(func(server string, c ToolChanges) {
			if server == "srv" {
				told <- c
			}
		}))
		connected(t, m)
		tools, err := m.ListTools(t.Context())
		must(t, err)
		reg := NewRegistry(WithLogger(slog.New(slog.DiscardHandler)))
		client := &StreamableHTTPClient{e: m.endpoint}
		client.onRelist(func(tools []Tool) { reg.retool("srv", client, tools) })
		must(t, reg.RegisterServer("srv", client, tools))

		nothing := func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		}
		server.RemoveTools("fail")
		server.AddTool(&mcp.Tool{Name: "echo", Description: "same, in other words", InputSchema: json.RawMessage(bigSchema)}, nothing)
		server.AddTool(&mcp.Tool{Name: "fresh", InputSchema: json.RawMessage(`{"type":"object"}`)}, nothing)
		m.kill()
		want := ToolChanges{Added: []string{"fresh"}, Removed: []string{"fail"}}
		if got := <-told; !slices.Equal(got.Added, want.Added) || !slices.Equal(got.Removed, want.Removed) || got.Changed != nil {
			t.Errorf("told %+v", got)
		}
		for _, c := range []MCPClient{m, mcpCaller{reg}} {
			_, err = c.CallTool(t.Context(), ToolCall{Server: "srv", Name: "fail"})
			if !errors.Is(err, ErrUnknownTool) || !strings.Contains(err.Error(), "has not since 2000-01-01") {
				t.Errorf("a tool that is gone: %v", err)
			}
			if _, err := c.CallTool(t.Context(), ToolCall{Server: "srv", Name: "fresh"}); err != nil {
				t.Errorf("a new tool: %v", err)
			}
		}
		if !reg.Has("fresh") || reg.Has("fail") {
			t.Errorf("registered: %+v", reg.Tools())
		}

		server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","required":["y"]}`)}, nothing)
		server.AddTool(&mcp.Tool{Name: "fail", InputSchema: json.RawMessage(`{"type":"object"}`)}, nothing)
		m.kill()
		if got := <-told; !slices.Equal(got.Changed, []string{"echo"}) || !slices.Equal(got.Added, []string{"fail"}) {
			t.Errorf("told %+v", got)
		}
		if _, err := m.CallTool(t.Context(), ToolCall{Name: "fail"}); err != nil {
			t.Errorf("a tool that is back: %v", err)
		}
		st := reg.Status()[0]
		if st.Reconnects != 2 || st.Changes == nil || len(st.Changes.Changed) != 1 || st.State != StateReady {
			t.Errorf("status %+v", st)
		}
		must(t, reg.Close())
	})
}

// Who is told of tools that changed while the server was away may close everything, or
// panic.
func TestReconnect_ToldOfDrift(t *testing.T) {
	for name, told := range map[string]func(*Registry) error{
		"closes": func(reg *Registry) error { return reg.Close() },
		"panics": func(*Registry) error { panic("told") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := testServer()
				m := newMortal(t, server)
				connected(t, m)
				tools, err := m.ListTools(t.Context())
				must(t, err)
				reg := NewRegistry(quiet())
				client := &StreamableHTTPClient{e: m.endpoint}
				client.onRelist(func(tools []Tool) { reg.retool("srv", client, tools) })
				must(t, reg.RegisterServer("srv", client, tools))

				spec := specOf(t, "fail", `{"type":"object"}`)
				for _, tool := range tools {
					if tool.WireName == "fail" {
						spec = ToolSpec{Name: "fail", Digest: digestOf(tool), InputSchema: string(tool.InputSchema)}
					}
				}
				begun := time.Now()
				ended := make(chan error, 1)
				b := BindTools(reg, "srv", []ToolSpec{spec}, OnDrift(func(ToolDrift) {
					defer close(ended)
					ended <- told(reg)
				}))
				server.RemoveTools("fail")
				m.kill()
				if err := <-ended; err != nil || time.Since(begun) >= endTimeout {
					t.Errorf("Close = %v after %v", err, time.Since(begun))
				}
				goruntime.KeepAlive(b)
				must(t, reg.Close())
				if state, _, _ := m.State(); state != StateClosed {
					t.Errorf("state %s", state)
				}
			})
		})
	}
}

// mcpCaller makes a client of a caller.
type mcpCaller struct{ Caller }

func (mcpCaller) ListTools(context.Context) ([]Tool, error) { return nil, nil }

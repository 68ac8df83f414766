package runtime

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTrap02_ConnectKeepsToItsTime(t *testing.T) {
	for _, method := range []string{"initialize", "notifications/initialized"} {
		t.Run(method, inBubble(func(t *testing.T) {
			cfg, net := serveMemory(t, &fakeServer{on: answers{method: hang, "server/discover": hang}})
			cfg.Timeout = 9 * time.Second
			c := NewStreamableHTTPClient(cfg, net)
			begin := time.Now()
			err := c.Connect(t.Context())
			if !errors.Is(err, ErrTimeout) {
				t.Errorf("Connect = %v, want a timeout", err)
			}
			if took := time.Since(begin); took > cfg.Timeout {
				t.Errorf("Connect took %v", took)
			}
			if state, _, err := c.State(); state != StateDown || err == nil {
				t.Errorf("state = %v, %v", state, err)
			}
		}))
	}
	t.Run("a transport that ignores its context", inBubble(func(t *testing.T) {
		cfg := ServerConfig{Name: "srv", URL: "http://192.0.2.1/mcp", Timeout: 9 * time.Second}
		release := make(chan struct{})
		defer close(release)
		c := NewStreamableHTTPClient(cfg, WithHTTPTransport(roundTripper(func(*http.Request) (*http.Response, error) {
			<-release
			return nil, errors.New("late")
		})))
		begin := time.Now()
		if err := c.Connect(t.Context()); !errors.Is(err, ErrTimeout) {
			t.Errorf("Connect = %v", err)
		}
		if took := time.Since(begin); took > cfg.Timeout {
			t.Errorf("Connect took %v", took)
		}
	}))
	t.Run("a GET that never answers", func(t *testing.T) {
		c, server := fakeClient(t, answers{http.MethodGet: hang})
		if res, err := callT(t, c); err != nil {
			t.Errorf("call = %+v, %v", res, err)
		}
		if server.saw(http.MethodGet) {
			t.Error("the standalone stream was opened")
		}
	})
}

func TestTrap03_CloseIsBounded(t *testing.T) { synctest.Test(t, closeIsBounded) }

func closeIsBounded(t *testing.T) {
	entered := make(chan struct{})
	c, _ := memoryFake(t, answers{
		"tools/call":      func(w http.ResponseWriter, r *http.Request, m fakeMessage) { close(entered); hang(w, r, m) },
		http.MethodDelete: hang,
	})
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(context.Background(), ToolCall{Name: "t"}) // no deadline
		failed <- err
	}()
	<-entered
	begin := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := <-failed; !errors.Is(err, ErrNotConnected) {
		t.Errorf("call in flight = %v", err)
	}
}

func TestTrap08_NegotiationSurvives(t *testing.T) {
	spoilers := answers{
		"silence": hang,
		"HTML": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		},
		"202": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { w.WriteHeader(202) },
		"500": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { w.WriteHeader(500) },
		"invalid JSON": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			sendJSON(w, "{")
		},
	}
	for name, discover := range spoilers {
		t.Run(name, inBubble(func(t *testing.T) {
			c, _ := memoryFake(t, answers{"server/discover": discover})
			if _, _, protocol := c.ServerInfo(); protocol != legacyProtocol {
				t.Errorf("protocol %q", protocol)
			}
		}))
	}
	t.Run("a server that is spoilt by it", inBubble(func(t *testing.T) {
		var spoilt atomic.Bool
		c, server := memoryFake(t, answers{
			"server/discover": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { spoilt.Store(true); w.WriteHeader(500) },
			"initialize": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
				if spoilt.Swap(false) {
					hang(w, r, m)
					return
				}
				sendJSON(w, m.result(fakeInit))
			},
		})
		if n := server.count("server/discover"); n != 1 {
			t.Errorf("asked %d times", n)
		}
		if state, _, err := c.State(); state != StateReady {
			t.Errorf("state %s, %v", state, err)
		}
	}))
	t.Run("pinned", func(t *testing.T) {
		server := &fakeServer{}
		cfg := serveHTTP(t, server)
		cfg.Protocol = legacyProtocol
		c := NewStreamableHTTPClient(cfg)
		connected(t, c)
		if server.saw("server/discover") {
			t.Error("asked although pinned")
		}
		cfg.Protocol = "2025-06-18"
		err := NewStreamableHTTPClient(cfg).Connect(t.Context())
		if err == nil || !strings.Contains(err.Error(), "pinned to 2025-06-18") {
			t.Errorf("another version than pinned: %v", err)
		}
		cfg.Protocol = "soon"
		err = NewStreamableHTTPClient(cfg).Connect(t.Context())
		if err == nil || !strings.Contains(err.Error(), "2026-07-28") {
			t.Errorf("unknown version: %v", err)
		}
	})
}

func TestTrap09_KeepAlive(t *testing.T) {
	const interval = 20 * time.Millisecond
	t.Run("two lost pings are no reason", inBubble(func(t *testing.T) {
		var pings atomic.Int32
		c, _ := memoryFake(t, answers{"ping": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
			if n := pings.Add(1); n%3 != 0 {
				w.WriteHeader(503)
				return
			}
			sendJSON(w, m.result(`{}`))
		}}, WithKeepAlive(interval))
		time.Sleep(7*interval + interval/2)
		if state, _, err := c.State(); state != StateReady || pings.Load() != 7 {
			t.Errorf("state %s, %v, %d pings", state, err, pings.Load())
		}
	}))
	t.Run("three are, and calls in flight end", inBubble(func(t *testing.T) {
		c, _ := memoryFake(t, answers{"ping": hang, "tools/call": hang}, WithKeepAlive(interval), WithReconnect(Reconnect{Off: true}))
		_, err := c.CallTool(t.Context(), ToolCall{Name: "t"}) // no deadline
		if !errors.Is(err, ErrServerUnavailable) || !strings.Contains(err.Error(), "ping") {
			t.Errorf("call = %v", err)
		}
		waitForState(t, c, StateDown)
	}))
	t.Run("an error is an answer", inBubble(func(t *testing.T) {
		c, server := memoryFake(t, answers{"ping": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.failure(-32603, "internal error"))
		}}, WithKeepAlive(interval))
		time.Sleep(6*interval + interval/2)
		if state, _, err := c.State(); state != StateReady || server.count("ping") != 6 {
			t.Errorf("state %s, %v, %d pings", state, err, server.count("ping"))
		}
	}))
	t.Run("a server without ping", inBubble(func(t *testing.T) {
		c, server := memoryFake(t, answers{"ping": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.failure(-32601, "method not found"))
		}}, WithKeepAlive(interval))
		time.Sleep(6 * interval)
		if state, _, err := c.State(); state != StateReady || server.count("ping") != 1 {
			t.Errorf("state %s, %v, %d pings", state, err, server.count("ping"))
		}
	}))
}

func TestTrap12_StreamsLeftOpen(t *testing.T) {
	closed := make(chan struct{})
	c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		sendEvents(w, m.result(fakeOK))
		<-r.Context().Done() // the stream stays open until the client lets go
		close(closed)
	}})
	// No deadline of the caller's ends the stream.
	if res, err := c.CallTool(t.Context(), ToolCall{Name: "t"}); err != nil || res.Text != "ok" {
		t.Fatalf("call = %+v, %v", res, err)
	}
	select {
	case <-closed:
	case <-time.After(plenty):
		t.Error("the stream is still open after the call")
	}
	stillWorks(t, c, server)
}

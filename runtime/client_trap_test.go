package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The traps are those of the design's list of what bites a client of go-sdk
// v1.8.0, by number.

func callT(t *testing.T, c MCPClient) (*CallResult, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), plenty)
	defer cancel()
	return c.CallTool(ctx, ToolCall{Name: "t"})
}

// stillWorks fails the test unless a call on the same session goes through.
func stillWorks(t *testing.T, c MCPClient, server *fakeServer) {
	t.Helper()
	server.forget("tools/call")
	if res, err := callT(t, c); err != nil || res.Text != "ok" {
		t.Errorf("next call = %+v, %v; the session should have survived", res, err)
	}
	if n := server.count("initialize"); n != 1 {
		t.Errorf("%d handshakes, want 1", n)
	}
}

func TestTrap01_PanicOverAMessage(t *testing.T) { synctest.Test(t, panicOverAMessage) }

func panicOverAMessage(t *testing.T) {
	c, server := memoryFake(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendEvents(w, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete"}`)
		time.Sleep(50 * time.Millisecond) // the SDK handles it in a goroutine of its own
		sendEvents(w, m.result(fakeOK))
	}})
	if res, err := callT(t, c); err != nil || res.Text != "ok" {
		t.Errorf("call = %+v, %v", res, err)
	}
	stillWorks(t, c, server)
}

func TestTrap01_PanicOverInputRequests(t *testing.T) {
	for _, result := range []string{
		`{"content":[],"inputRequests":{"a":null}}`,
		`{"content":[],"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}}}`,
		`{"content":[],"resultType":"input_required"}`,
	} {
		c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.result(result))
		}})
		if res, err := callT(t, c); err == nil {
			t.Errorf("%s: call = %+v, want an error", result, res)
		}
		stillWorks(t, c, server)
	}
}

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
		c := NewStreamableHTTPClient(cfg, WithHTTPTransport(roundTrip(func(*http.Request) (*http.Response, error) {
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

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

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

// badAnswers are answers to a call over which the SDK ends the session.
var badAnswers = map[string]struct {
	answer func(w http.ResponseWriter, r *http.Request, m fakeMessage)
	says   string
}{
	"invalid JSON": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{`)
	}, "not valid JSON"},
	"trailing text": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, m.result(fakeOK)+"trailer")
	}, "not valid JSON"},
	"empty body": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, "") }, "not valid JSON"},
	"batch": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, "["+m.result(fakeOK)+"]")
	}, "batch"},
	"no JSON-RPC": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, fakeOK) }, "not an MCP message"},
	"HTML": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>sign in</html>")
	}, "text/html"},
	"202": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { w.WriteHeader(202) }, "202"},
	"204": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { w.WriteHeader(204) }, "204"},
	"400": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { w.WriteHeader(400) }, "400"},
	"401": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { w.WriteHeader(401) }, "401"},
	"410 with error, id null": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		w.WriteHeader(410)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"gone"}}`)
	}, "error -32000: gone"},
	"500": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { w.WriteHeader(500) }, "500"},
	"another id": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, `{"jsonrpc":"2.0","id":"x","result":`+fakeOK+`}`)
	}, "another request"},
	"neither result nor error": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`}`)
	}, "neither"},
	"result is a list": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, m.result(`[]`)) }, "result"},
	"error code is a string": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendJSON(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"error":{"code":"E1","message":"odd"}}`)
	}, "error"},
	"deeper than the SDK reads": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendEvents(w, `{"jsonrpc":"2.0","method":"notifications/message","params":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+`}`)
	}, "not an MCP message"},
	"junk in SSE": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendEvents(w, "junk") }, "not valid JSON"},
	"SSE without response": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendEvents(w, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
	}, "without a response"},
	"SSE cut off": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		sendEvents(w)
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.Close()
	}, "without a response"},
	"JSON cut off": {func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		w.Header().Set("Content-Length", "1000")
		sendJSON(w, `{"jsonrpc":`)
	}, "without a response"},
}

func TestTrap04_BadAnswersCostOneCall(t *testing.T) {
	for name, bad := range badAnswers {
		t.Run(name, func(t *testing.T) {
			c, server := fakeClient(t, answers{"tools/call": bad.answer})
			res, err := callT(t, c)
			if err == nil {
				t.Fatalf("call = %+v, want an error", res)
			}
			if call, ok := errors.AsType[*CallError](err); !ok || call.Server != "srv" || call.Tool != "t" || call.Phase != PhaseCall {
				t.Errorf("error %#v is no CallError of this call", err)
			}
			if errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), bad.says) {
				t.Errorf("error is %q, want it to say %q", err, bad.says)
			}
			stillWorks(t, c, server)
		})
	}
}

func TestTrap04_ChangedSessionID(t *testing.T) {
	c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		w.Header().Set("Mcp-Session-Id", "session-2")
		sendJSON(w, m.result(fakeOK))
	}})
	if res, err := callT(t, c); err != nil {
		t.Errorf("call = %+v, %v", res, err)
	}
	stillWorks(t, c, server)
}

func TestLostSessionTakesTheServerDown(t *testing.T) {
	c, _ := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { w.WriteHeader(404) }}, WithReconnect(Reconnect{Off: true}))
	if _, err := callT(t, c); !errors.Is(err, ErrServerUnavailable) {
		t.Errorf("call = %v", err)
	}
	waitForState(t, c, StateDown)
	if _, err := callT(t, c); !errors.Is(err, ErrServerUnavailable) || !strings.Contains(err.Error(), "call Connect") {
		t.Errorf("call = %v", err)
	}
	if err := c.Connect(t.Context()); err != nil {
		t.Error(err)
	}
}

func waitForState(t *testing.T, c interface {
	State() (State, time.Time, error)
}, want State,
) {
	t.Helper()
	deadline := time.Now().Add(plenty)
	for {
		state, _, _ := c.State()
		if state == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("state is %s, want %s", state, want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestTrap05_TimeoutWhileABodyStreams(t *testing.T) {
	for _, kind := range []string{"application/json", "text/event-stream"} {
		t.Run(kind, inBubble(func(t *testing.T) {
			c, server := memoryFake(t, answers{"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
				w.Header().Set("Content-Type", kind)
				_, _ = io.WriteString(w, "data:{")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			begin := time.Now()
			_, err := c.CallTool(ctx, ToolCall{Name: "t"})
			cancel()
			if !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
				t.Errorf("call = %v after %v, want a timeout", err, time.Since(begin))
			}
			stillWorks(t, c, server)
		}))
	}
}

func TestTrap07_BodiesAreBounded(t *testing.T) {
	filler := bytes.Repeat([]byte("x"), 1<<20)
	endless := func(w http.ResponseWriter, kind string) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, `data:{"jsonrpc":"`)
		for {
			if _, err := w.Write(filler); err != nil {
				return
			}
		}
	}
	for _, kind := range []string{"application/json", "text/event-stream"} {
		c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { endless(w, kind) }})
		if _, err := callT(t, c); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: call = %v", kind, err)
		}
		stillWorks(t, c, server)
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

func TestTrap14_WhoseErrorItIs(t *testing.T) {
	for _, code := range []int{-32602, -32003, -32004, -32005, -32098, -32001} {
		for _, send := range []func(http.ResponseWriter, string){sendJSON, func(w http.ResponseWriter, s string) { sendEvents(w, s) }} {
			c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
				send(w, m.failure(code, "the server's \u202ewords\n"))
			}})
			_, err := callT(t, c)
			rpc, ok := errors.AsType[*jsonrpc.Error](err)
			if !ok || rpc.Code != int64(code) || !strings.Contains(rpc.Message, "the server's") || strings.ContainsAny(err.Error(), "\n\u202e") {
				t.Errorf("code %d: %v (%+v)", code, err, rpc)
			}
			if errors.Is(err, ErrServerUnavailable) {
				t.Errorf("code %d: %v counts as unavailable", code, err)
			}
			stillWorks(t, c, server)
		}
	}
	t.Run("a local failure is nobody's answer", func(t *testing.T) {
		cfg := serveHTTP(t, &fakeServer{})
		var broken atomic.Bool
		c := NewStreamableHTTPClient(cfg, WithHTTPTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			if broken.Load() {
				return nil, errors.New("cable cut")
			}
			return http.DefaultTransport.RoundTrip(r)
		})))
		connected(t, c)
		t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
		broken.Store(true)
		_, err := callT(t, c)
		if _, ok := errors.AsType[*jsonrpc.Error](err); ok || !errors.Is(err, ErrServerUnavailable) || !strings.Contains(err.Error(), "cable cut") {
			t.Errorf("call = %v", err)
		}
		if strings.Contains(err.Error(), cfg.URL) {
			t.Errorf("error holds the URL: %v", err)
		}
		broken.Store(false)
		if _, err := callT(t, c); err != nil {
			t.Error(err)
		}
		_ = c.Close()
		_, err = callT(t, c)
		if _, ok := errors.AsType[*jsonrpc.Error](err); ok || !errors.Is(err, ErrNotConnected) {
			t.Errorf("call after Close = %v", err)
		}
	})
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

package runtime

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A Trap is something that bites clients of go-sdk v1.8.0. Tests with one number are
// about one of them.

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
		c := NewStreamableHTTPClient(cfg, WithHTTPTransport(roundTripper(func(r *http.Request) (*http.Response, error) {
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

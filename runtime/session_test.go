package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestConstructorsDialNothing(t *testing.T) {
	var dialled atomic.Bool
	c := NewStreamableHTTPClient(serveHTTP(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { dialled.Store(true) })))
	if state, since, err := c.State(); state != StateNew || since.IsZero() || err != nil {
		t.Errorf("state %s, %v, %v", state, since, err)
	}
	if _, err := c.ListTools(t.Context()); !errors.Is(err, ErrNotConnected) {
		t.Errorf("ListTools = %v", err)
	}
	_, err := c.CallTool(t.Context(), ToolCall{Name: "t"})
	if want := `server "srv": tool "t": call: not connected (call Connect first)`; err == nil || err.Error() != want {
		t.Errorf("CallTool = %v, want %s", err, want)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if name, version, protocol := c.ServerInfo(); name+version+protocol != "" {
		t.Errorf("ServerInfo = %q, %q, %q", name, version, protocol)
	}
	if dialled.Load() {
		t.Error("something was dialled")
	}
}

func TestConnectMayBeRepeated(t *testing.T) {
	var refuse atomic.Bool
	refuse.Store(true)
	server := &fakeServer{}
	c := NewStreamableHTTPClient(serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		server.ServeHTTP(w, r)
	})))
	err := c.Connect(t.Context())
	if err == nil || !strings.Contains(err.Error(), "401") || !strings.Contains(err.Error(), "headers") {
		t.Errorf("Connect = %v", err)
	}
	if state, _, reason := c.State(); state != StateDown || reason == nil {
		t.Errorf("state %s, %v", state, reason)
	}
	if _, err := callT(t, c); !errors.Is(err, ErrServerUnavailable) {
		t.Errorf("call = %v", err)
	}
	refuse.Store(false)
	for range 2 { // the second one closes what the first one opened
		if err := c.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := callT(t, c); err != nil {
			t.Error(err)
		}
	}
	if n := server.count(http.MethodDelete); n != 1 {
		t.Errorf("%d sessions were ended, want 1", n)
	}
	_ = c.Close()
	if state, _, _ := c.State(); state != StateClosed {
		t.Errorf("state %s", state)
	}
	if err := c.Connect(t.Context()); err != nil {
		t.Error(err)
	}
	_ = c.Close()
}

func TestClientClosesWhileConnecting(t *testing.T) { synctest.Test(t, closesWhileConnecting) }

func closesWhileConnecting(t *testing.T) {
	entered := make(chan struct{})
	cfg, net := serveMemory(t, &fakeServer{on: answers{"server/discover": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		close(entered)
		hang(w, r, m)
	}}})
	c := NewStreamableHTTPClient(cfg, net)
	failed := make(chan error, 1)
	go func() { failed <- c.Connect(context.Background()) }()
	<-entered
	if state, _, _ := c.State(); state != StateConnecting {
		t.Errorf("state %s", state)
	}
	begin := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("Connect = %v", err)
	}
	if took := time.Since(begin); took != 0 {
		t.Errorf("Close waited for Connect: %v", took)
	}
	if state, _, _ := c.State(); state != StateClosed {
		t.Errorf("state %s", state)
	}
}

func TestCancelledCallIsCancelledAtTheServer(t *testing.T) {
	entered, told := make(chan struct{}), make(chan struct{})
	c, server := fakeClient(t, answers{
		"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) { close(entered); hang(w, r, m) },
		"notifications/cancelled": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			w.WriteHeader(http.StatusBadRequest) // over which the SDK would end the session
			close(told)
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	if _, err := c.CallTool(ctx, ToolCall{Name: "t"}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
		t.Errorf("call = %v", err)
	}
	<-told
	stillWorks(t, c, server)
}

func TestArgumentsAreAnObject(t *testing.T) {
	c, server := fakeClient(t, nil)
	for _, arguments := range []string{`[]`, `{`, `null`, `"x"`, `{} {}`} {
		_, err := c.CallTool(t.Context(), ToolCall{Name: "t", Arguments: json.RawMessage(arguments)})
		if !errors.Is(err, ErrInvalidArguments) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	if server.saw("tools/call") {
		t.Error("invalid arguments were sent")
	}
}

func TestResultKeepsEverything(t *testing.T) {
	const result = `{"_meta":{"b":1,"a":9007199254740993},"content":[{"type":"text","text":"one"},{"type":"image","data":"AA==","mimeType":"image/png"},` +
		`{"text":"two","type":"text","annotations":{"priority":1}},{"type":"novel","x":[1.0,1e3]}],"structuredContent":[{"z":1.0,"a":9007199254740993}],"isError":false}`
	c, _ := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, m.result(result)) }})
	res, err := callT(t, c)
	if err != nil {
		t.Fatal(err)
	}
	if want := "one\n" + `{"type":"image","data":"AA==","mimeType":"image/png"}` + "\ntwo\n" + `{"type":"novel","x":[1.0,1e3]}`; res.Text != want {
		t.Errorf("Text = %s", res.Text)
	}
	if string(res.Structured) != `[{"z":1.0,"a":9007199254740993}]` || string(res.Meta) != `{"b":1,"a":9007199254740993}` || len(res.Content) != 4 || res.IsError {
		t.Errorf("result = %+v", res)
	}
}

// A server that echoes its headers must not get them into errors, states or logs;
// results are the caller's and stay as they are.
func TestCredentialsStayOut(t *testing.T) {
	const secret = "canary-0123456789"
	echo := func(r *http.Request) string { return r.Header.Get("Authorization") + r.URL.RawQuery }
	mode := "error"
	server := &fakeServer{}
	server.on = answers{
		"tools/list": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
			sendJSON(w, m.result(`{"tools":[{"name":"t","description":"`+echo(r)+`"},{"name":"t","title":"twice"},{"name":"t`+echo(r)+`"},{"name":"t`+echo(r)+`"}]}`))
		},
		"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
			switch mode {
			case "error":
				sendJSON(w, m.failure(-32000, "you sent "+echo(r)))
			case "type":
				w.Header().Set("Content-Type", "text/"+secret)
			case "redirect":
				http.Redirect(w, r, "http://elsewhere.invalid/"+secret, http.StatusTemporaryRedirect)
			case "lost":
				w.WriteHeader(http.StatusNotFound)
			default:
				sendJSON(w, m.result(`{"content":[{"type":"text","text":"`+secret+`"}]}`))
			}
		},
	}
	cfg := serveHTTP(t, server)
	cfg.URL += "?key=" + secret
	cfg.Headers = map[string]string{"Authorization": "Bearer " + secret}
	cfg.Secrets = map[string]string{"TOKEN": secret}
	var logs lockedBuffer
	c := NewStreamableHTTPClient(cfg, WithLogger(slog.New(slog.NewJSONHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		WithReconnect(Reconnect{Off: true}))
	connected(t, c)
	if tools, err := c.ListTools(t.Context()); err != nil || !strings.Contains(tools[0].Description, secret) {
		t.Errorf("ListTools = %v, %v; the tools are the caller's", tools, err)
	}
	for _, m := range []string{"error", "type", "redirect", "result", "lost"} {
		mode = m
		res, err := callT(t, c)
		if m == "result" {
			if err != nil || res.Text != secret {
				t.Errorf("result = %+v, %v", res, err)
			}
			continue
		}
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: call = %v", m, err)
		}
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			if strings.Contains(inner.Error(), secret) {
				t.Errorf("%s: a wrapped error says %v", m, inner)
			}
		}
	}
	waitForState(t, c, StateDown)
	if _, _, err := c.State(); strings.Contains(err.Error(), secret) {
		t.Errorf("state says %v", err)
	}
	if text := logs.String(); strings.Contains(text, secret) || !strings.Contains(text, "MCP server connected") || !strings.Contains(text, "tool left out") {
		t.Errorf("log:\n%s", text)
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestImplementation(t *testing.T) {
	var said atomic.Value
	fakeClient(t, answers{"initialize": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		said.Store(string(m.Params) + r.UserAgent())
		sendJSON(w, m.result(fakeInit))
	}}, WithImplementation("agent", "7.8"))
	if text, _ := said.Load().(string); !strings.Contains(text, `"clientInfo":{"name":"agent","version":"7.8"}`) || !strings.HasSuffix(text, "agent/7.8") {
		t.Errorf("the client said %s", text)
	}
}

package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// A fakeServer is an MCP server over HTTP that does what a test says. By default
// it speaks 2025-11-25 with sessions, has one tool "t" and answers calls with
// the text "ok".
type fakeServer struct {
	// on replaces the answer to a method, or to an HTTP method other than POST.
	on map[string]func(w http.ResponseWriter, r *http.Request, m fakeMessage)

	mu   sync.Mutex
	seen []string // methods in order of arrival
}

type fakeMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// result is the response to m with a result.
func (m fakeMessage) result(result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// failure is the response to m with an error.
func (m fakeMessage) failure(code int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
}

const (
	fakeInit = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`
	fakeOK   = `{"content":[{"type":"text","text":"ok"}]}`
	fakeList = `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`
)

func (s *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m fakeMessage
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
	} else {
		m.Method = r.Method
	}
	s.mu.Lock()
	s.seen = append(s.seen, m.Method)
	answer, ok := s.on[m.Method]
	s.mu.Unlock()
	if ok {
		answer(w, r, m)
		return
	}
	switch m.Method {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", "session-1")
		sendJSON(w, m.result(fakeInit))
	case "ping":
		sendJSON(w, m.result(`{}`))
	case "tools/list":
		sendJSON(w, m.result(fakeList))
	case "tools/call":
		sendJSON(w, m.result(fakeOK))
	case http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case http.MethodDelete:
	default:
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		sendJSON(w, m.failure(-32601, "method not found"))
	}
}

// forget gives a method its usual answer again.
func (s *fakeServer) forget(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.on, method)
}

// count is how often a method arrived.
func (s *fakeServer) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.seen {
		if m == method {
			n++
		}
	}
	return n
}

// saw reports whether a method arrived.
func (s *fakeServer) saw(method string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.seen, method)
}

func sendJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// sendEvents begins an event stream and sends one event per text.
func sendEvents(w http.ResponseWriter, texts ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, text := range texts {
		_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", text)
	}
	w.(http.Flusher).Flush()
}

// answers makes handlers for one method each.
type answers = map[string]func(w http.ResponseWriter, r *http.Request, m fakeMessage)

// hang waits for the client to go away, a moment at most after that.
func hang(_ http.ResponseWriter, r *http.Request, _ fakeMessage) { <-r.Context().Done() }

// fakeClient serves a fake and returns a connected client for it.
func fakeClient(t *testing.T, on answers, opts ...Option) (*StreamableHTTPClient, *fakeServer) {
	t.Helper()
	server := &fakeServer{on: on}
	c := NewStreamableHTTPClient(serveHTTP(t, server), opts...)
	connected(t, c)
	return c, server
}

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

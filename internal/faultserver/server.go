package faultserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// A Server is an MCP server over HTTP, protocol 2025-11-25, with sessions. It is
// safe for concurrent use.
type Server struct {
	on answers

	mu       sync.Mutex
	sessions map[string]bool
	counts   map[string]int
}

// Answers to messages: by method, by the HTTP method of what is no POST, or for a
// call by "tools/call " and the name of the tool.
type answers map[string]answer

type answer func(s *Server, w http.ResponseWriter, r *http.Request, m Message)

// A Message is what the client sent.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string `json:"name"`
		Arguments struct {
			ID string `json:"id"`
		} `json:"arguments"`
	} `json:"params"`
}

// Result is the response to m with a result.
func (m Message) Result(result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// Failure is the response to m with an error.
func (m Message) Failure(code int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, text)
}

// What a sane server says.
const (
	Init = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fault","version":"1"}}`
	OK   = `{"content":[{"type":"text","text":"ok"}]}`
	List = `{"tools":[{"name":"fault","inputSchema":{"type":"object"}},{"name":"ok","inputSchema":{"type":"object"}}]}`
)

const headerSession = "Mcp-Session-Id"

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := Message{Method: r.Method}
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		m.Method = ""
		_ = json.Unmarshal(body, &m)
	}
	s.note(m.Method)
	if a, ok := s.on[m.Method]; ok {
		a(s, w, r, m)
		return
	}
	if a, ok := s.on[m.Method+" "+m.Params.Name]; ok {
		a(s, w, r, m)
		return
	}
	s.Sane(w, r, m)
}

// Sane answers as it should be.
func (s *Server) Sane(w http.ResponseWriter, r *http.Request, m Message) {
	if m.Method != "initialize" && m.Method != "server/discover" && !s.knows(r.Header.Get(headerSession)) {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	switch m.Method {
	case "initialize":
		w.Header().Set(headerSession, s.open())
		JSON(w, m.Result(Init))
	case "ping":
		JSON(w, m.Result(`{}`))
	case "tools/list":
		JSON(w, m.Result(List))
	case "tools/call":
		JSON(w, m.Result(OK))
	case http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case http.MethodDelete:
		s.Forget()
	default:
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		JSON(w, m.Failure(-32601, "method not found"))
	}
}

func (s *Server) open() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("session-%d", s.counts["initialize"])
	if s.sessions == nil {
		s.sessions = map[string]bool{}
	}
	s.sessions[id] = true
	return id
}

func (s *Server) knows(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session]
}

// Forget ends all sessions, as a restart does.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = nil
}

func (s *Server) note(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[method]++
}

// Count is how often a method, or an HTTP method other than POST, has arrived.
func (s *Server) Count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[method]
}

// JSON answers with a JSON body.
func JSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// Events begins an event stream and sends text as it is.
func Events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	flush(w)
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// hang answers nothing until the client goes away.
func hang(_ *Server, _ http.ResponseWriter, r *http.Request, _ Message) { <-r.Context().Done() }

// cut closes the connection under a response that has begun.
func cut(w http.ResponseWriter) {
	flush(w)
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

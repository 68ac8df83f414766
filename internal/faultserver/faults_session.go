package faultserver

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// loses forgets all sessions at every fifth call of "fault" and refuses that call in
// its way.
func loses(code int, body string) answers {
	return onCall(func(s *Server, w http.ResponseWriter, r *http.Request, m Message) {
		if s.Count("tools/call")%5 == 1 {
			s.Forget()
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
			return
		}
		s.Sane(w, r, m)
	})
}

const reconnected = "the result: the client connects again and repeats the call, which was not taken up"

var sessionFaults = []Fault{
	{Name: "SessionLost", Does: "forgets the session and says 404", Sees: reconnected,
		on: loses(http.StatusNotFound, "session not found")},
	{Name: "SessionLostWithError", Does: "forgets the session and says 404 with a JSON-RPC error", Sees: reconnected,
		on: loses(http.StatusNotFound, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)},
	{Name: "SessionLostBadRequest", Does: "forgets the session and says 400", Sees: reconnected,
		on: loses(http.StatusBadRequest, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)},
	{Name: "SessionNeverKept", Does: "forgets the session at every call", Sees: "an error of this call after one repetition; the next call connects again",
		on: onCall(func(s *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			s.Forget()
			w.WriteHeader(http.StatusNotFound)
		})},
	{Name: "ChangedSessionID", Does: "names another session in the answer to a call", Sees: "the result; the session stays what it was",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
			w.Header().Set(headerSession, "another")
			JSON(w, m.Result(OK))
		})},
	{Name: "KilledBetweenCalls", Does: "is killed and started again between two calls", Sees: reconnected},
	{Name: "KilledDuringCall", Does: "is killed during a call and started again", Sees: "an error of this call, and " + unknown + "; a call that may be repeated is; the next call succeeds",
		on: onCall(func(s *Server, w http.ResponseWriter, r *http.Request, m Message) {
			if restarted.Load() {
				s.Sane(w, r, m)
				return
			}
			hang(s, w, r, m)
		})},
	{Name: "StaysDown", Does: "is killed and stays so", Sees: "an error of each call within a second, of a call that was not sent"},
	{Name: "LostPings", Does: "answers no ping any more, nor anything else", Sees: "the calls in flight end after three pings, and " + unknown,
		on: answers{"ping": hang, "tools/call fault": hang}},
	{Name: "OneLostPing", Does: "answers every third ping only", Sees: "nothing",
		on: answers{"ping": func(s *Server, w http.ResponseWriter, r *http.Request, m Message) {
			if s.Count("ping")%3 != 0 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			s.Sane(w, r, m)
		}}},
	{Name: "DeleteHangs", Does: "does not answer the request that ends a session", Sees: "Close in bounded time",
		on: answers{http.MethodDelete: hang}},
	{Name: "WatchFails", Does: "refuses the stream for what happens outside of calls", Sees: "nothing",
		on: answers{http.MethodGet: func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			w.WriteHeader(http.StatusInternalServerError)
		}}},
}

// restarted says that servers of KilledDuringCall answer.
var restarted atomic.Bool

// Restarted sets whether a server that is killed during calls has learned to answer
// them since.
func Restarted(yes bool) { restarted.Store(yes) }

var connectFaults = []Fault{
	{Name: "HandshakeHangs", Does: "does not answer the handshake", Sees: "a timeout that says so, after the server's own timeout",
		on: answers{"initialize": hang, "server/discover": hang}},
	{Name: "HandshakeHalf", Does: "does not answer the notification that ends the handshake", Sees: "a timeout that says so, after the server's own timeout",
		on: answers{"notifications/initialized": hang}},
	{Name: "DiscoverHangs", Does: "does not answer server/discover", Sees: "a connection by the older protocol",
		on: answers{"server/discover": hang}},
	{Name: "DiscoverHTML", Does: "answers server/discover with a web page and 200", Sees: "a connection by the older protocol",
		on: answers{"server/discover": func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		}}},
	{Name: "ThousandServers", Does: "does not answer the handshake, in a third of 1,000 servers", Sees: "the others, in the time of one timeout for each 16 that hang",
		on: answers{"initialize": hang, "server/discover": hang}},
}

// lists answers tools/list.
func lists(result func(s *Server) string) answers {
	return answers{"tools/list": func(s *Server, w http.ResponseWriter, _ *http.Request, m Message) { JSON(w, m.Result(result(s))) }}
}

const sane = `{"name":"ok","inputSchema":{"type":"object"}}`

var listFaults = []Fault{
	{Name: "EndlessList", Does: "gives every page of its tools a next one", Sees: "an error of the list",
		on: lists(func(s *Server) string {
			return `{"tools":[` + sane + `],"nextCursor":"` + strconv.Itoa(s.Count("tools/list")) + `"}`
		})},
	{Name: "CircularList", Does: "lets its pages go round in circles", Sees: "the tools up to there",
		on: lists(func(*Server) string { return `{"tools":[` + sane + `],"nextCursor":"again"}` })},
	{Name: "TooManyTools", Does: "lists 100,000 tools", Sees: "an error of the list",
		on: lists(func(*Server) string { return `{"tools":[` + strings.Repeat(`{"name":"t"},`, 100_000) + sane + `]}` })},
	{Name: "HugeSchema", Does: "lists a tool with a schema of 2 MB beside another", Sees: "the other",
		on: lists(func(*Server) string {
			return `{"tools":[{"name":"huge","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 2<<20) + `"}},` + sane + `]}`
		})},
	{Name: "DeepSchema", Does: "lists a tool whose schema nests 1,000 levels deep beside another", Sees: "the other",
		on: lists(func(*Server) string {
			return `{"tools":[{"name":"deep","inputSchema":` + strings.Repeat(`{"not":`, 1000) + "{}" + strings.Repeat("}", 1000) + `},` + sane + `]}`
		})},
	{Name: "BrokenTools", Does: "lists what is no tool, and a name twice", Sees: "the tools that are some; the first of a name",
		on: lists(func(*Server) string {
			return `{"tools":[null,7,{"title":"nameless"},` + sane + `,{"name":"ok","title":"again"}]}`
		})},
	{Name: "ListHangs", Does: "does not answer tools/list", Sees: "a timeout of the list, after the server's own timeout",
		on: answers{"tools/list": hang}},
	{Name: "OtherTools", Does: "lists other tools after a restart", Sees: "changes in the status; an error that says so for a tool that is gone",
		on: lists(func(*Server) string {
			if restarted.Load() {
				return `{"tools":[` + sane + `,{"name":"new"}]}`
			}
			return List
		})},
}

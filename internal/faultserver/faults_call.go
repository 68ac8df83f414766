package faultserver

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// onCall is a fault in the answer to a call of the tool "fault".
func onCall(a answer) answers { return answers{"tools/call fault": a} }

// says answers with a JSON body that is made from the message.
func says(text func(m Message) string) answers {
	return onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) { JSON(w, text(m)) })
}

// status answers with an HTTP status and nothing.
func status(code int) answers {
	return onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) { w.WriteHeader(code) })
}

const unknown = "that whether the tool ran is not known"

var callFaults = []Fault{
	{Name: "InvalidJSON", Does: "answers a call with JSON that breaks off", Sees: "an error of this call, and " + unknown,
		on: says(func(m Message) string { return m.Result(`{`) })},
	{Name: "Batch", Does: "answers a call with a batch", Sees: "an error of this call, and " + unknown,
		on: says(func(m Message) string { return "[" + m.Result(OK) + "]" })},
	{Name: "HTML", Does: "answers a call with a web page", Sees: "an error of this call that names the content type",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>sign in</html>")
		})},
	{Name: "Accepted", Does: "answers a call with 202 and nothing", Sees: "an error of this call, and " + unknown,
		on: status(http.StatusAccepted)},
	{Name: "BadRequest", Does: "answers a call with 400", Sees: "an error of this call",
		on: status(http.StatusBadRequest)},
	{Name: "Unauthorized", Does: "answers a call with 401", Sees: "an error of this call that says where to look",
		on: status(http.StatusUnauthorized)},
	{Name: "ServerError", Does: "answers a call with 500", Sees: "an error of this call, and " + unknown,
		on: status(http.StatusInternalServerError)},
	{Name: "WrongID", Does: "answers a call under another id", Sees: "an error of this call",
		on: says(func(Message) string { return `{"jsonrpc":"2.0","id":"other","result":` + OK + `}` })},
	{Name: "BodyCutInHalf", Does: "closes the connection in the middle of a JSON body", Sees: "an error of this call, and " + unknown,
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
			w.Header().Set("Content-Length", "1000")
			JSON(w, m.Result(OK)[:20])
			cut(w)
		})},
	{Name: "SlowHeaders", Does: "never sends the headers of an answer to a call", Sees: "a timeout of this call, told to the server, and " + unknown,
		on: onCall(hang)},
	{Name: "SlowBody", Does: "sends the body of an answer byte by byte", Sees: "a timeout of this call, and " + unknown,
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, m Message) {
			w.Header().Set("Content-Type", "application/json")
			for _, c := range []byte(m.Result(OK)) {
				select {
				case <-r.Context().Done():
					return
				case <-time.After(100 * time.Millisecond):
				}
				_, _ = w.Write([]byte{c})
				flush(w)
			}
		})},
	{Name: "HundredMegabytes", Does: "answers a call with 100 MB", Sees: "an error of this call, at no more than the limit of 16 MiB",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
			JSON(w, strings.TrimSuffix(m.Result(`{"content":[{"type":"text","text":"`), "}"))
			page := strings.Repeat("x", 1<<20)
			for range 100 {
				if _, err := io.WriteString(w, page); err != nil {
					return
				}
			}
		})},
	{Name: "DeepNesting", Does: "answers a call with a million nested lists", Sees: "an error of this call",
		on: says(func(m Message) string {
			return m.Result(`{"content":[],"structuredContent":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + `}`)
		})},
	{Name: "ManyBlocks", Does: "answers a call with a million content blocks", Sees: "an error of this call that says how many are allowed",
		on: says(func(m Message) string { return m.Result(`{"content":[` + strings.Repeat("1,", 1_000_000) + `1]}`) })},
	{Name: "NullInputRequest", Does: "asks for input without a question, over which the SDK panics", Sees: "an error of this call",
		on: says(func(m Message) string {
			return m.Result(`{"content":[],"resultType":"input_required","inputRequests":{"a":null}}`)
		})},
	{Name: "SDKErrorCode", Does: "answers with an error whose code the SDK has for its own failures", Sees: "the server's error, which counts as an answer",
		on: says(func(m Message) string { return m.Failure(-32004, "the server's words") })},
	{Name: "TooManyRequests", Does: "answers a call with 429 and Retry-After: 1, once", Sees: "the result, a second later",
		on: onCall(func(s *Server, w http.ResponseWriter, r *http.Request, m Message) {
			if s.Count("tools/call") == 1 {
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			s.Sane(w, r, m)
		})},
	{Name: "TooManyRequestsForLong", Does: "answers a call with 429 and Retry-After: 3600", Sees: "an error of this call at once, which says for how long",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		})},
	{Name: "RedirectElsewhere", Does: "redirects a call, with its headers, to another host", Sees: "an error of this call; the other host hears nothing",
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, _ Message) {
			http.Redirect(w, r, "http://127.0.0.2:9/mcp", http.StatusTemporaryRedirect)
		})},
	{Name: "CallHangs", Does: "never answers a call that has no deadline", Sees: "Close in bounded time, an error of the call, and " + unknown,
		on: onCall(hang)},
}

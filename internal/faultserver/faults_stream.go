package faultserver

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// streams answers a call of the tool "fault" with an event stream that is made from
// the message.
func streams(text func(m Message) string) answers {
	return onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) { Events(w, text(m)) })
}

const note = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`

var streamFaults = []Fault{
	{Name: "JunkInStream", Does: "sends an event that is no JSON", Sees: "an error of this call, and " + unknown,
		on: streams(func(Message) string { return "data: junk\n\n" })},
	{Name: "StreamCRLF", Does: "ends the lines of a stream by CR LF", Sees: "the result",
		on: streams(func(m Message) string { return "event: message\r\ndata: " + m.Result(OK) + "\r\n\r\n" })},
	{Name: "StreamBOM", Does: "begins a stream with a byte order mark", Sees: "the result",
		on: streams(func(m Message) string { return "\ufeffdata: " + m.Result(OK) + "\n\n" })},
	{Name: "StreamComments", Does: "sends comments and unknown fields between and within events", Sees: "the result",
		on: streams(func(m Message) string {
			return ": hello\n\n:\nfield: x\n\ndata: " + note + "\n\n: ping\ndata: " + m.Result(OK) + "\n: bye\n\n"
		})},
	{Name: "StreamWithoutIDs", Does: "drops a stream whose events have no ids, so that nothing can be resumed", Sees: "an error of this call, and " + unknown,
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			Events(w, "data: "+note+"\n\n")
			cut(w)
		})},
	{Name: "StreamDropped", Does: "drops a stream in the middle of an event, and answers when it is resumed", Sees: "the result",
		on: streamDropped},
	{Name: "ResumeRefused", Does: "drops a stream that could be resumed, and refuses to resume it", Sees: "an error of this call, and " + unknown,
		on: answers{"tools/call fault": streamDropped["tools/call fault"]}},
	{Name: "StreamDroppedForGood", Does: "is killed while it sends a stream that could be resumed", Sees: "an error of this call within ten seconds, and " + unknown + "; it is not repeated",
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, _ Message) {
			Events(w, "id: 1\nretry: 300\ndata: "+note+"\n\n")
			<-r.Context().Done()
		})},
	{Name: "StreamLeftOpen", Does: "answers in a stream and leaves it open", Sees: "the result at once; the stream is let go",
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, m Message) {
			Events(w, "data: "+m.Result(OK)+"\n\n")
			<-r.Context().Done()
		})},
	{Name: "SilentStream", Does: "begins a stream and says nothing more", Sees: "an error of this call after the idle timeout that was set, and " + unknown,
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, _ Message) {
			Events(w, ": hello\n\n")
			<-r.Context().Done()
		})},
	{Name: "DuplicateID", Does: "answers a call twice, and one of the past", Sees: "the first result",
		on: streams(func(m Message) string {
			return "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\ndata: " + m.Result(OK) + "\n\ndata: " + m.Result(`{"content":[]}`) + "\n\n"
		})},
	{Name: "HugeEvent", Does: "sends one event of 100 MB", Sees: "an error of this call, at no more than the limit of 16 MiB",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Message) {
			Events(w, "data: ")
			page := strings.Repeat("x", 1<<20)
			for range 100 {
				if _, err := io.WriteString(w, page); err != nil {
					return
				}
			}
		})},
	{Name: "NotificationFlood", Does: "sends 20,000 notifications before the result", Sees: "the result; notifications beyond 1,000 a second are dropped",
		on: streams(func(m Message) string {
			return strings.Repeat("data: "+note+"\n\n", 20_000) + "data: " + m.Result(OK) + "\n\n"
		})},
	{Name: "EndlessStream", Does: "sends notifications and never the result", Sees: "an error of this call after 100,000 of them, and " + unknown,
		on: onCall(func(_ *Server, w http.ResponseWriter, r *http.Request, _ Message) {
			page := strings.Repeat("data: "+note+"\n\n", 1000)
			for r.Context().Err() == nil {
				Events(w, page)
			}
		})},
	{Name: "PanicNotification", Does: "sends a notification over which the SDK panics", Sees: "the result; the panic is logged once",
		on: onCall(func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
			Events(w, `data: {"jsonrpc":"2.0","method":"notifications/elicitation/complete"}`+"\n\n")
			time.Sleep(50 * time.Millisecond) // the SDK handles it in a goroutine of its own
			Events(w, "data: "+m.Result(OK)+"\n\n")
		})},
}

// streamDropped answers a call by a stream that breaks off, and the rest when it is
// resumed.
var streamDropped = answers{
	"tools/call fault": func(_ *Server, w http.ResponseWriter, _ *http.Request, m Message) {
		Events(w, fmt.Sprintf("id: %s\nretry: 1\ndata: %s\n\ndata: {\"jsonr", m.ID, note))
		cut(w)
	},
	http.MethodGet: func(_ *Server, w http.ResponseWriter, r *http.Request, _ Message) {
		id := r.Header.Get("Last-Event-ID")
		if id == "" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		Events(w, "data: "+Message{ID: []byte(id)}.Result(OK)+"\n\n")
	},
}

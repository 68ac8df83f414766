package runtime

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// Cursors are kept to know them again, and count like tools.
func TestCursorsAreBounded(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	page := json.RawMessage(`{"tools":[],"nextCursor":"` + strings.Repeat("x", size) + `"}`)
	var list listing
	var err error
	pages := 0
	for ; err == nil && pages < maxPages; pages++ {
		_, err = list.add(page)
	}
	if err == nil || pages > maxListSize/size {
		t.Errorf("%d pages, then %v", pages, err)
	}
}

// A list that finds out that the connection is gone is made again on a new one, as a
// call that was not sent is.
func TestListOverALostSession(t *testing.T) {
	t.Parallel()
	var lists atomic.Int32
	c, server := fakeClient(t, answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		if lists.Add(1) == 1 { // the server has started again
			w.WriteHeader(http.StatusNotFound)
			return
		}
		sendJSON(w, m.result(fakeList))
	}})
	tools, err := c.ListTools(t.Context())
	if err != nil || len(tools) != 1 {
		t.Errorf("ListTools = %v, %v", tools, err)
	}
	if n := server.count("initialize"); n != 2 {
		t.Errorf("%d handshakes, want 2", n)
	}
	// One that goes on so is not asked for ever.
	lists.Store(0)
	server.mu.Lock()
	server.on["tools/list"] = func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
		lists.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}
	server.mu.Unlock()
	if _, err := c.ListTools(t.Context()); !errors.Is(err, ErrServerUnavailable) {
		t.Errorf("ListTools = %v", err)
	}
}

// A server that answers nonsense would do so again.
func TestNonsenseIsNotListedAgain(t *testing.T) {
	t.Parallel()
	for _, nonsense := range []string{"welcome", `{"jsonrpc":"2.0"}`} {
		c, server := fakeClient(t, answers{"tools/list": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) {
			sendJSON(w, nonsense)
		}})
		_, err := c.ListTools(t.Context())
		if n := server.count("tools/list"); err == nil || errors.Is(err, ErrServerUnavailable) || n != 1 {
			t.Errorf("%s: ListTools = %v after %d lists, want an error after one", nonsense, err, n)
		}
	}
}

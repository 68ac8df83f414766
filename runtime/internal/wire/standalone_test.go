package wire

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpbind/mcpbind/internal/memnet"
)

const changedEvent = `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n\n"

// standaloneGET opens the stream of handler as the SDK does. It is for a bubble.
func standaloneGET(t *testing.T, handler http.HandlerFunc, ended func()) (*http.Response, *HTTP, context.CancelFunc) {
	t.Helper()
	n := memnet.New()
	t.Cleanup(n.Close)
	u, err := url.Parse(n.Serve("srv.test", handler))
	if err != nil {
		t.Fatal(err)
	}
	rt := NewHTTP(HTTPOptions{Endpoint: u, Base: n.Transport(), MaxBody: 1 << 20, HeaderTimeout: time.Second, StreamEnded: ended})
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	resp, err := rt.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if took := time.Since(begin); took > 0 || resp.StatusCode != http.StatusOK {
		t.Errorf("status %d after %v", resp.StatusCode, took)
	}
	return resp, rt, cancel
}

// The SDK gets its stream before the server says a word, and no end of it.
func TestStandaloneStream(t *testing.T) { synctest.Test(t, standaloneStream) }

func standaloneStream(t *testing.T) {
	var opened atomic.Int32
	speak := make(chan struct{})
	resp, rt, _ := standaloneGET(t, func(w http.ResponseWriter, r *http.Request) {
		if opened.Add(1) == 1 {
			<-speak // the headers come with the first event
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "data: junk\n\n", changedEvent) // and then the stream breaks
	}, nil)
	close(speak)
	lines := bufio.NewScanner(resp.Body)
	for range 2 { // of the first stream, and of the one after it
		for lines.Scan() && lines.Text() == "" {
		}
		if !strings.Contains(lines.Text(), "list_changed") {
			t.Errorf("line %q", lines.Text())
		}
	}
	rt.Abort()
	for lines.Scan() {
	}
	if lines.Err() == nil {
		t.Error("the stream ended as if the server had meant it")
	}
	if n := opened.Load(); n < 2 {
		t.Errorf("opened %d times", n)
	}
}

func TestStandaloneStreamTellsOfItsEnd(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"refused":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"broken":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"not one":  func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>") },
		"over":     func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tellsOfItsEnd(t, handler) })
		})
	}
}

func tellsOfItsEnd(t *testing.T, handler http.HandlerFunc) {
	var opened atomic.Int32
	ended := make(chan struct{}, 2)
	resp, _, cancel := standaloneGET(t, func(w http.ResponseWriter, r *http.Request) {
		opened.Add(1)
		handler(w, r)
	}, func() { ended <- struct{}{} })
	select {
	case <-ended:
	case <-time.After(3 * time.Second):
		t.Fatal("nobody was told")
	}
	cancel()
	if _, err := resp.Body.Read(make([]byte, 1)); err == nil {
		t.Error("something was read")
	}
	time.Sleep(2 * lastReopen) // if it were opened again
	if n := opened.Load(); n != 1 || len(ended) > 0 {
		t.Errorf("opened %d times, told %d times too often", n, len(ended))
	}
}

package memnet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpbind/mcpbind/internal/memnet"
)

// A timeout of a client hits exactly when the server is silent for that long, and
// not when work takes its time.
func TestTimeInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		defer n.Close()
		gone := make(chan struct{})
		url := n.Serve("a.test", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, r.Body)
			if r.URL.Path == "/hang" {
				<-r.Context().Done()
				close(gone)
			}
		}))
		get := func(url string) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
			if err != nil {
				return err
			}
			resp, err := n.Transport().RoundTrip(req)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			return err
		}
		begin := time.Now()
		if err := get(url); err != nil || time.Since(begin) != 0 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		if err := get(url + "/hang"); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		<-gone // the server notices
		n.Close()
		for _, url := range []string{url, "http://b.test"} {
			if dial, ok := errors.AsType[*net.OpError](get(url)); !ok || dial.Op != "dial" {
				t.Errorf("%s: nobody is there, and that is %v", url, dial)
			}
		}
	})
}

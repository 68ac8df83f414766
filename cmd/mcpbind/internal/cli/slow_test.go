package cli

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpbind/mcpbind/internal/demo"
	"github.com/mcpbind/mcpbind/internal/memnet"
)

// slowCalls is next, but for calls of tools, which it never answers.
func slowCalls(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "the body ended early", http.StatusBadRequest)
			return
		}
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// A server that never answers costs as much time as the configuration allows. Whether
// the call was on its way by then is no chance on the clock of a bubble.
func TestCallIsNeverAnswered(t *testing.T) {
	config := filepath.Join(t.TempDir(), "mcpbind.yaml")
	if err := os.WriteFile(config, []byte("version: 1\nservers:\n  slow: {url: \"http://slow.test/mcp\", call_timeout: 1m}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt) // begins a goroutine that never ends
	signal.Stop(interrupted)
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		usual := http.DefaultTransport
		http.DefaultTransport = n.Transport()
		defer func() {
			http.DefaultTransport = usual
			n.Close()
			time.Sleep(time.Hour) // once the test is over the clock stands still
		}()
		n.Serve("slow.test", slowCalls(demo.Handler("1")))
		var stderr bytes.Buffer
		code := Run(t.Context(), []string{"-C", config, "call", "slow", "whoami"}, strings.NewReader(""), io.Discard, &stderr)
		want := `mcpbind: server "slow": tool "whoami": call: timeout: no answer after 1m0s (servers.slow.call_timeout raises the limit) (whether the tool ran is not known)` + "\n"
		if code != exitNoAnswer || stderr.String() != want {
			t.Errorf("exit code %d, %s", code, stderr.String())
		}
	})
}

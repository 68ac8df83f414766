package runtime

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An error whose cause is probably a setting says which, in its text and to errors.Is.
func TestCheckHints(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	for name, tt := range map[string]struct {
		server  http.HandlerFunc
		instead string // of such a server: "https" of its url, or "nobody"
		hint    error
		says    string
	}{
		"not found":   {server: status(404), hint: ErrCheckURL, says: "HTTP status 404 Not Found (check the server's url)"},
		"no gateway":  {server: status(502), hint: ErrCheckURL, says: "HTTP status 502 Bad Gateway (nothing serves behind it; check the server's url)"},
		"a page":      {server: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, hint: ErrCheckURL, says: `content type "text/html" (check the server's url)`},
		"elsewhere":   {server: http.RedirectHandler(other.URL, http.StatusTemporaryRedirect).ServeHTTP, hint: ErrCheckURL, says: " to " + other.URL + " (check the server's url: the latter belongs there if it is right)"},
		"as a GET":    {server: http.RedirectHandler("/x", http.StatusFound).ServeHTTP, hint: ErrCheckURL, says: "it turns a POST into a GET (check the server's url)"},
		"no server":   {instead: "nobody", hint: ErrCheckURL, says: "(check the server's url, and that the server runs)"},
		"no TLS":      {server: status(404), instead: "https", hint: ErrCheckURL, says: "(check the server's url)"},
		"denied":      {server: status(401), hint: ErrCheckHeaders, says: "HTTP status 401 Unauthorized (check the server's headers)"},
		"forbidden":   {server: status(403), hint: ErrCheckHeaders, says: "HTTP status 403 Forbidden (check the server's headers)"},
		"its own bug": {server: status(500), says: "HTTP status 500 Internal Server Error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(tt.server)
			defer s.Close()
			cfg := ServerConfig{Name: "srv", URL: s.URL, Timeout: plenty}
			switch tt.instead {
			case "https":
				cfg.URL = strings.Replace(cfg.URL, "http", tt.instead, 1)
			case "nobody":
				s.Close()
			}
			c := NewStreamableHTTPClient(cfg, WithReconnect(Reconnect{Off: true}))
			defer func() { _ = c.Close() }()
			err := c.Connect(t.Context())
			if err == nil || !strings.HasSuffix(err.Error(), tt.says) {
				t.Errorf("%v; it should end in %q", err, tt.says)
			}
			for _, hint := range []error{ErrCheckURL, ErrCheckHeaders} {
				if got := errors.Is(err, hint); got != errors.Is(tt.hint, hint) {
					t.Errorf("%v: %q is in its tree: %v", err, hint, got)
				}
			}
		})
	}
}

// An error of a limit that the configuration set says which setting that is. The
// caller's own context is no setting.
func TestTimeoutHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMortal(t, testServer(), WithConnectTimeout(time.Second), WithCallTimeout(5*time.Second))
		slow := func(d time.Duration) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.slow = d
		}
		check := func(what string, err error, is error, says string) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v; it should say %q", what, err, says)
			}
			for _, hint := range []error{ErrCheckTimeout, ErrCheckCallTimeout} {
				if got := errors.Is(err, hint); got != errors.Is(is, hint) {
					t.Errorf("%s: %q is in the tree of %v: %v", what, hint, err, got)
				}
			}
		}
		slow(2 * time.Second)
		check("Connect", m.Connect(t.Context()), ErrCheckTimeout, "not connected after 1s (the server's timeout raises the limit)")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		check("Connect within the caller's", m.Connect(ctx), nil, "deadline exceeded")

		slow(0)
		connected(t, m)
		slow(2 * time.Second)
		m.kill()
		synctest.Wait()
		check("a call that waits for a connection", echo(t.Context(), m), nil, "not connected after 1s (the server's timeout raises the limit) (it is tried again)")
		slow(8 * time.Second)
		check("a call that waits longer", echo(t.Context(), m), ErrCheckCallTimeout, "no answer after 5s (the server's call_timeout raises the limit): not sent, the server is down: timeout: not connected after 1s")
		m.gone.Store(true)
		must(t, m.Close())
	})
}

// What no header can hold is said with what to do, and never shown.
func TestUnfitHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headers map[string]string
		opt     Option
		says    string
		hint    error
	}{
		"a line break": {headers: map[string]string{"Authorization": "Bearer s3cr3t\n"}, hint: ErrCheckHeaders,
			says: `header "Authorization" holds a line break or another control character: remove it where the value comes from (check the server's headers)`},
		"no name": {headers: map[string]string{"X Key": "s3cr3t"}, hint: ErrCheckHeaders,
			says: `header "X Key" is no name of a header (check the server's headers)`},
		"a token": {opt: WithBearer(func(context.Context, string) (string, error) { return "s3cr3t\n", nil }), hint: ErrAuthRequired,
			says: "authentication required: the bearer token holds a line break or another control character: trim it"},
	} {
		cfg := serveHTTP(t, &fakeServer{})
		cfg.Headers = c.headers
		err := NewStreamableHTTPClient(cfg, quiet(), c.opt).Connect(t.Context())
		if err == nil || err.Error() != `server "srv": connect: `+c.says || !errors.Is(err, c.hint) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package runtime

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

func TestSecretsStayWhereTheyBelong(t *testing.T) {
	t.Parallel()
	secretAuth := func() *Auth { return &Auth{Grant: GrantClientCredentials, ClientID: "ci", ClientSecret: authCanary} }
	t.Run("an authorization server on another host", func(t *testing.T) {
		f := newAuthFake(t)
		cfg := f.config(secretAuth())
		cfg.URL = strings.Replace(cfg.URL, "127.0.0.1", "localhost", 1)
		f.mcp.URL = strings.Replace(f.mcp.URL, "127.0.0.1", "localhost", 1)
		err := authClientFor(t, cfg).Connect(t.Context())
		if !errors.Is(err, ErrAuthRequired) || !strings.Contains(err.Error(), "auth.issuer") || f.count("/token client_credentials") > 0 {
			t.Errorf("Connect = %v", err)
		}
		cfg.Auth.Issuer = f.as.URL
		connected(t, authClientFor(t, cfg))
		cfg.Auth.Issuer = "https://login.example.com"
		if err := authClientFor(t, cfg).Connect(t.Context()); !errors.Is(err, ErrAuthRequired) || !strings.Contains(err.Error(), "auth.issuer is") {
			t.Errorf("Connect with another issuer = %v", err)
		}
	})
	t.Run("a redirect", func(t *testing.T) {
		var reached atomic.Bool
		elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
		defer elsewhere.Close()
		f := newAuthFake(t)
		f.meta = func(m map[string]any) { m["token_endpoint"] = f.as.URL + "/moved" }
		base := f.as.Config.Handler
		f.as.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/moved" {
				http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
				return
			}
			base.ServeHTTP(w, r)
		})
		if err := authClientFor(t, f.config(secretAuth())).Connect(t.Context()); !errors.Is(err, ErrAuthRequired) || reached.Load() {
			t.Errorf("Connect = %v, reached %v", err, reached.Load())
		}
	})
	t.Run("an answer that echoes", func(t *testing.T) {
		f := newAuthFake(t)
		f.token = func(url.Values) (string, int) { return "", http.StatusBadRequest }
		var logs lockedBuffer
		c := NewStreamableHTTPClient(f.config(&Auth{}), WithLogin(testRedirect, login),
			WithLogger(slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		defer func() { _ = c.Close() }()
		err := c.Connect(t.Context())
		if !errors.Is(err, ErrAuthRequired) || !strings.Contains(err.Error(), "invalid_grant") {
			t.Errorf("Connect = %v", err)
		}
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			if strings.Contains(inner.Error(), authCanary) {
				t.Errorf("an error says %v", inner)
			}
		}
		if strings.Contains(logs.String(), authCanary) {
			t.Errorf("the log says %s", logs.String())
		}
	})
	t.Run("an answer without end", func(t *testing.T) {
		f := newAuthFake(t)
		f.as.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for {
				if _, err := io.WriteString(w, strings.Repeat(" ", 1<<16)); err != nil {
					return
				}
			}
		})
		if err := authClientFor(t, f.config(secretAuth())).Connect(t.Context()); !errors.Is(err, ErrAuthRequired) {
			t.Errorf("Connect = %v", err)
		}
	})
}

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/demo"
)

const loginToken = "canary-login-token"

// protectedDemo is the demo server behind a token, and its authorization server, on
// one port.
func protectedDemo(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	reply := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, strings.ReplaceAll(text, "BASE", server.URL))
		}
	}
	tools := demo.Handler("1")
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+loginToken {
			w.Header().Set("WWW-Authenticate", `Bearer`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", reply(200, `{"resource":"BASE/mcp","authorization_servers":["BASE"]}`))
	mux.HandleFunc("/.well-known/oauth-authorization-server", reply(200, `{"issuer":"BASE","authorization_endpoint":"BASE/authorize",
		"token_endpoint":"BASE/token","registration_endpoint":"BASE/register","response_types_supported":["code"],"code_challenge_methods_supported":["S256"]}`))
	mux.HandleFunc("/register", reply(201, `{"client_id":"c","token_endpoint_auth_method":"none"}`))
	mux.HandleFunc("/token", reply(200, `{"access_token":"`+loginToken+`","token_type":"Bearer","expires_in":3600}`))
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, fmt.Sprintf("%s?code=x&state=%s", q.Get("redirect_uri"), q.Get("state")), http.StatusFound)
	})
	return server
}

// Somebody logs in once; later runs need nobody until the token is gone.
func TestLoginIsKept(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	file := filepath.Join(t.TempDir(), "mcpbind.yaml")
	text := fmt.Sprintf("version: 1\nservers:\n  a: {url: %q, auth: {}}\n", protectedDemo(t).URL+"/mcp")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(stderr io.Writer, args ...string) (int, string) {
		var stdout bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), plenty)
		defer cancel()
		code := Run(ctx, append(args, "-C", file), strings.NewReader(""), &stdout, stderr)
		return code, stdout.String()
	}
	var stderr bytes.Buffer
	if code, _ := run(&stderr, "list", "--live"); code != exitAuth || !strings.Contains(stderr.String(), "log in") {
		t.Fatalf("without a login: exit code %d, %s", code, stderr.String())
	}
	lines := make(writtenLines, 100)
	address := regexp.MustCompile(`http://\S+/authorize\?\S+`)
	go func() { // the person
		for line := range lines {
			if u := address.FindString(line); u != "" {
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				if resp, err := client.Get(u); err == nil {
					_ = resp.Body.Close()
				}
			}
		}
	}()
	code, out := run(lines, "list", "--live", "--login", "-v")
	close(lines)
	if code != exitOK || !strings.Contains(out, "get_issue") {
		t.Fatalf("with a login: exit code %d, %s", code, out)
	}
	stderr.Reset()
	if code, out := run(&stderr, "call", "a", "get_issue", "-d", `{"id": 9007199254740993}`, "-v"); code != exitOK || !strings.Contains(out, "9007199254740993") {
		t.Errorf("later: exit code %d, %s, %s", code, out, stderr.String())
	}
	if strings.Contains(stderr.String(), loginToken) {
		t.Error("the log holds the token")
	}
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	if code, _ := run(io.Discard, "list", "--live"); code != exitAuth {
		t.Errorf("without the token: exit code %d", code)
	}
}

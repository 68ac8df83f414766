package runtime

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	goruntime "runtime"
	"strings"
	"testing"
)

// A server may say a credential again that no variable of the configuration holds.
func TestCredentialsAreInNoError(t *testing.T) {
	t.Parallel()
	const canary = "s3cr3t-canary"
	echo := answers{"tools/call": func(w http.ResponseWriter, r *http.Request, m fakeMessage) {
		said := r.Header.Get("Authorization") + " " + r.Header.Get("X-Key")
		if user, password, ok := r.BasicAuth(); ok {
			said += user + " " + password
		}
		sendJSON(w, m.failure(-32602, "bad credentials: "+said))
	}}
	for name, test := range map[string]struct {
		change func(*ServerConfig)
		opt    Option
	}{
		"a bearer function": {opt: WithBearer(func(context.Context, string) (string, error) { return canary, nil })},
		"a bearer header":   {change: func(c *ServerConfig) { c.Headers = map[string]string{"Authorization": "Bearer " + canary} }},
		"another header":    {change: func(c *ServerConfig) { c.Headers = map[string]string{"x-key": canary} }},
		"a basic header": {change: func(c *ServerConfig) {
			c.Headers = map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+canary))}
		}},
		"a password in the URL": {change: func(c *ServerConfig) { c.URL = strings.Replace(c.URL, "://", "://me:"+canary+"@", 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := serveHTTP(t, &fakeServer{on: echo})
			if test.change != nil {
				test.change(&cfg)
			}
			c := NewStreamableHTTPClient(cfg, quiet(), test.opt)
			connected(t, c)
			_, err := callT(t, c)
			if err == nil || !strings.Contains(err.Error(), "bad credentials: ") || strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "${") {
				t.Errorf("the error says %v", err)
			}
		})
	}
}

// The registry tells of a server without what only its client knows.
func TestRegistryKeepsCredentials(t *testing.T) {
	t.Parallel()
	const canary, literal = "s3cr3t-canary", "s3cr3t-literal"
	reg := NewRegistry(quiet())
	cfg := ServerConfig{Name: "srv", URL: "http://127.0.0.1:1/", Headers: map[string]string{"X-Key": literal}}
	reg.declare([]ServerConfig{cfg})
	reg.RecordFailure("srv", errors.New("it said "+literal))
	if text := reg.FailedServers()["srv"].Error(); text != "it said ${headers.X-Key}" {
		t.Errorf("recorded %q", text)
	}

	cfg = serveHTTP(t, &fakeServer{})
	c := NewStreamableHTTPClient(cfg, quiet(), WithBearer(func(context.Context, string) (string, error) { return canary, nil }))
	connected(t, c)
	tools := []Tool{{Name: "find", InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"const":"` + canary + `"}}}`)}}
	if err := reg.RegisterServer("srv", c, tools); err != nil {
		t.Fatal(err)
	}
	b := BindTools(reg, "srv", []ToolSpec{specOf(t, "find", oldInput)})
	defer goruntime.KeepAlive(b)
	if text := fmt.Sprint(reg.Status()); strings.Contains(text, canary) || !strings.Contains(text, "${Authorization}") {
		t.Errorf("status %s", text)
	}
}

// What a child got from the configuration and says again, where only its name tells
// that it is secret.
func TestSecretsOfTheEnvironment(t *testing.T) {
	for name, secret := range map[string]bool{
		"GITHUB_PERSONAL_ACCESS_TOKEN": true, "BRAVE_API_KEY": true, "apikey": true, "DB_PASSWORD": true, "PAT": true,
		"NODE_ENV": false, "KEYBOARD": false, "PATTERN": false, "MEMORY_FILE_PATH": false,
	} {
		t.Setenv(name, "production")
		want := "in production"
		if secret {
			want = "in ${env." + name + "}"
		}
		for _, cfg := range []ServerConfig{{Env: map[string]string{name: "production"}}, {InheritEnv: []string{name}}} {
			if got := newRedactor(cfg).Text("in production"); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// Every header is taken for a secret but those that say where and who.
func TestSecretsOfTheHeaders(t *testing.T) {
	for name, want := range map[string]string{
		"Host": "at mcp.example.com", "user-agent": "at mcp.example.com", "X-Tenant": "at ${headers.X-Tenant}",
	} {
		cfg := ServerConfig{Headers: map[string]string{name: "mcp.example.com"}}
		if got := newRedactor(cfg).Text("at mcp.example.com"); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

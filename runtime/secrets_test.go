package runtime

import (
	"context"
	"encoding/base64"
	"net/http"
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
			c := NewStreamableHTTPClient(cfg, quietly(), test.opt)
			connected(t, c)
			_, err := callT(t, c)
			if err == nil || !strings.Contains(err.Error(), "bad credentials: ") || strings.Contains(err.Error(), canary) || !strings.Contains(err.Error(), "${") {
				t.Errorf("the error says %v", err)
			}
		})
	}
}

package config_test

import (
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/config"
)

// Whatever an auth may say, it may say: errors are for what is left out or too much.
func TestAuthIsChecked(t *testing.T) {
	for auth, want := range map[string]string{
		`{}`:                                   "",
		`{client_id: a}`:                       "",
		`{client_id: a, client_secret: b}`:     "",
		`{client_secret: b}`:                   "goes with client_id",
		`{client_id: a, private_key: b}`:       "goes with grant: client_credentials",
		`{issuer: "http://a"}`:                 "",
		`{issuer: "https://a"}`:                "",
		`{issuer: a}`:                          "must be a URL",
		`{redirect_url: "http://127.0.0.1:1"}`: "",
		`{client_metadata_url: "https://a/b"}`: "",
		`{client_metadata_url: "http://a/b"}`:  "must be a URL that begins with https://",

		`{grant: client_credentials, client_id: a}`:                                     "either client_secret or private_key",
		`{grant: client_credentials, client_secret: b}`:                                 "needs client_id",
		`{grant: client_credentials, client_id: a, client_secret: b}`:                   "",
		`{grant: client_credentials, client_id: a, private_key: b}`:                     "",
		`{grant: client_credentials, client_id: a, client_secret: b, private_key: "c"}`: "either client_secret or private_key",
	} {
		_, err := config.Load(write(t, map[string]string{config.Name: "version: 1\nservers: {a: {url: http://x, auth: " + auth + "}}\n"}))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", auth, err, want)
		}
	}
}

// What completes an imported server may not say how to connect.
func TestCompletingIsChecked(t *testing.T) {
	for key, connects := range map[string]bool{
		`headers: {X: y}`: true, `args: [y]`: true, `env: {X: y}`: true, `cwd: y`: true, `type: http`: true,
		`timeout: 1s`: false, `inherit_env: [X]`: false, `protocol: auto`: false,
	} {
		_, err := config.Load(write(t, map[string]string{
			config.Name: "version: 1\nimports: [.mcp.json]\nservers: {a: {" + key + "}}\n",
			".mcp.json": `{"mcpServers": {"a": {"command": "x"}}}`,
		}))
		if got := err != nil && strings.Contains(err.Error(), "which says how to connect"); got != connects || err != nil && !got {
			t.Errorf("%s: %v", key, err)
		}
	}
}

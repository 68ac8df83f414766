package runtime

import (
	"encoding/base64"
	"maps"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/mcpbind/mcpbind/internal/redact"
)

// newRedactor returns what keeps the secrets of a server out of texts: what its
// variables expanded to, and, whether they came of variables or not, its headers and
// what its environment calls a secret. Tokens are learned as they are sent.
func newRedactor(cfg ServerConfig) *redact.Redactor {
	secrets := map[string]string{}
	for name, value := range cfg.Headers {
		if strings.EqualFold(name, "Host") || strings.EqualFold(name, "User-Agent") {
			continue // the address and our own name
		}
		for part, secret := range credentials(value) {
			secrets["headers."+name+part] = secret
		}
	}
	for _, name := range cfg.InheritEnv {
		if secretVariable.MatchString(name) {
			secrets["env."+name] = os.Getenv(name)
		}
	}
	for name, value := range cfg.Env {
		if secretVariable.MatchString(name) {
			secrets["env."+name] = value
		}
	}
	if cfg.Auth != nil {
		secrets["auth.client_secret"], secrets["auth.private_key"] = cfg.Auth.ClientSecret, cfg.Auth.PrivateKey
	}
	maps.Copy(secrets, cfg.Secrets)
	if r := redact.New(secrets); r != nil {
		return r
	}
	return &redact.Redactor{}
}

// secretVariable matches names under which secrets go to a child. Other variables say
// things like "production", which may stand in any text.
var secretVariable = regexp.MustCompile(`(?i)TOKEN|SECRET|PASS(WORD|WD|PHRASE)|CREDENTIAL|API_?KEY|(^|_)(KEY|PASS|PAT|AUTH)$`)

// credentials are the secrets in the value of a header, by what to add to its name:
// what stands behind a scheme, if there is one, and the password of Basic.
func credentials(value string) map[string]string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(value), " ")
	rest = strings.TrimSpace(rest)
	if !ok || strings.Contains(rest, " ") {
		return map[string]string{"": value}
	}
	found := map[string]string{"": rest}
	if strings.EqualFold(scheme, "Basic") {
		if plain, err := base64.StdEncoding.DecodeString(rest); err == nil {
			if _, password, ok := strings.Cut(string(plain), ":"); ok {
				found[" password"] = password
			}
		}
	}
	return found
}

// A learningTransport has the redactor learn the credentials that are sent, wherever
// they come from: a token of OAuth, one of [WithBearer], or a password in the URL.
type learningTransport struct {
	base    http.RoundTripper
	secrets *redact.Redactor
}

// RoundTrip implements [http.RoundTripper].
func (t *learningTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if value := req.Header.Get("Authorization"); value != "" {
		for part, secret := range credentials(value) {
			t.secrets.Learn("Authorization"+part, secret)
		}
	}
	return t.base.RoundTrip(req)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections through.
func (t *learningTransport) CloseIdleConnections() {
	if closer, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

package runtime

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
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

// redactedEndpoint is [redactedURL] for an endpoint as it is configured, whose user is
// left out; "" for one that is no URL.
func redactedEndpoint(raw string, secrets *redact.Redactor) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	u.User = nil
	return redactedURL(u, secrets)
}

// redactedURL returns u without what may be secret in it: user and password, the
// values of the query, words in it that have no value, the fragment, and any of
// secrets.
func redactedURL(u *url.URL, secrets *redact.Redactor) string {
	const hidden = "REDACTED"
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath, Opaque: u.Opaque}
	// Secrets are looked for in the decoded parts: escaping would hide them.
	if secrets.Found(u.Path) {
		shown.Path, shown.RawPath = secrets.Text(u.Path), ""
	}
	if u.User != nil {
		shown.User = url.UserPassword(hidden, hidden)
	}
	var query []string
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		key, _, hasValue := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(key); err == nil && secrets.Found(plain) {
			key = url.QueryEscape(secrets.Text(plain))
		}
		switch {
		case hasValue:
			query = append(query, key+"="+hidden)
		case part != "":
			query = append(query, hidden)
		}
	}
	shown.RawQuery = strings.Join(query, "&")
	return secrets.Text(shown.String())
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

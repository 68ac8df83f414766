package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// authCanary stands in every secret of an authFake.
const authCanary = "canary-5f1e"

// An authFake is an MCP server that wants tokens, and the authorization server that
// it names, on hosts of their own.
type authFake struct {
	t   *testing.T
	mcp *httptest.Server
	as  *httptest.Server

	wants func(r *http.Request) string                     // scope that a request needs; nil: none in particular
	token func(form url.Values) (scope string, status int) // what the token endpoint does; nil: gives what is asked for
	code  string                                           // of an error of the token endpoint; invalid_grant unless it is set
	serve http.Handler                                     // behind the token; nil: a go-sdk server
	slow  func(path string)                                // before every answer of the authorization server
	meta  func(m map[string]any)                           // changes the metadata of the authorization server

	lasts     int  // seconds that a token is good for; 0: 3600
	refreshes bool // each token comes with a refresh token of its own
	noRefresh bool // with none

	mu     sync.Mutex
	issued map[string]string // token to scopes
	asked  []string          // requests to the authorization server: path, and the grant
	forms  []url.Values      // of the token endpoint
	bearer []string          // Authorization of every MCP request
}

func newAuthFake(t *testing.T) *authFake {
	t.Helper()
	f := &authFake{t: t, issued: map[string]string{}, code: "invalid_grant"}
	f.serve = statelessHandler() // a session could not be ended without a token
	f.as = httptest.NewServer(http.HandlerFunc(f.authorize))
	f.mcp = httptest.NewServer(http.HandlerFunc(f.protect))
	t.Cleanup(func() {
		for _, s := range []*httptest.Server{f.mcp, f.as} {
			s.CloseClientConnections()
			s.Close()
		}
	})
	return f
}

func (f *authFake) config(a *Auth) ServerConfig {
	return ServerConfig{Name: "srv", URL: f.mcp.URL + "/mcp", Auth: a, Timeout: plenty}
}

// protect lets requests with a token in.
func (f *authFake) protect(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
		sendJSON(w, fmt.Sprintf(`{"resource":%q,"authorization_servers":[%q],"scopes_supported":["read"]}`, f.mcp.URL+"/mcp", f.as.URL))
		return
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	f.mu.Lock()
	f.bearer = append(f.bearer, r.Header.Get("Authorization"))
	scopes, known := f.issued[token]
	f.mu.Unlock()
	need := ""
	if f.wants != nil {
		need = f.wants(r)
	}
	challenge := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, f.mcp.URL)
	switch {
	case !known:
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusUnauthorized)
		sendJSON(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"`+token+`"}}`)
	case need != "" && !slices.Contains(strings.Fields(scopes), need):
		w.Header().Set("WWW-Authenticate", challenge+`, error="insufficient_scope", scope="`+need+`"`)
		w.WriteHeader(http.StatusForbidden)
	default:
		f.serve.ServeHTTP(w, r)
	}
}

// authorize is the authorization server.
func (f *authFake) authorize(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f.mu.Lock()
	f.asked = append(f.asked, strings.TrimSpace(r.URL.Path+" "+r.PostForm.Get("grant_type")))
	f.mu.Unlock()
	if f.slow != nil {
		f.slow(r.URL.Path)
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		m := map[string]any{
			"issuer": f.as.URL, "authorization_endpoint": f.as.URL + "/authorize", "token_endpoint": f.as.URL + "/token",
			"registration_endpoint": f.as.URL + "/register", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported":      []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"client_secret_post"},
		}
		if f.meta != nil {
			f.meta(m)
		}
		text, _ := json.Marshal(m)
		sendJSON(w, string(text))
	case "/register":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		sendJSON(w, `{"client_id":"registered","client_secret":"`+authCanary+`-registered","token_endpoint_auth_method":"client_secret_post","redirect_uris":["http://127.0.0.1:1/callback"]}`)
	case "/authorize":
		q := r.URL.Query()
		to := q.Get("redirect_uri") + "?" + url.Values{"code": {authCanary + "-code " + q.Get("scope")}, "state": {q.Get("state")}}.Encode()
		http.Redirect(w, r, to, http.StatusFound)
	case "/token":
		f.grant(w, r.PostForm)
	default:
		http.NotFound(w, r)
	}
}

// grant issues a token.
func (f *authFake) grant(w http.ResponseWriter, form url.Values) {
	scope := form.Get("scope")
	if code, ok := strings.CutPrefix(form.Get("code"), authCanary+"-code "); ok {
		scope = code
	}
	status := http.StatusOK
	if f.token != nil {
		scope, status = f.token(form)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forms = append(f.forms, form)
	if status != http.StatusOK {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		sendJSON(w, `{"error":"`+f.code+`","error_description":"you sent `+form.Encode()+`"}`)
		return
	}
	token := fmt.Sprintf("%s-token-%d", authCanary, len(f.forms))
	f.issued[token] = scope
	refresh := authCanary + "-refresh"
	if f.refreshes {
		refresh = fmt.Sprint(refresh, "-", len(f.forms))
	}
	if f.noRefresh {
		refresh = ""
	}
	sendJSON(w, fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%d,"refresh_token":%q,"scope":%q}`, token, cmp.Or(f.lasts, 3600), refresh, scope))
}

// revoke makes every token so far useless.
func (f *authFake) revoke() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.issued = map[string]string{}
}

// count is how often the authorization server was asked so.
func (f *authFake) count(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, a := range f.asked {
		if a == what {
			n++
		}
	}
	return n
}

func (f *authFake) lastForm() url.Values {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.forms[len(f.forms)-1]
}

// login is a browser whose person says yes to everything.
func login(ctx context.Context, _, authURL string) (string, error) {
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, authURL, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	_ = resp.Body.Close()
	return resp.Header.Get("Location"), nil
}

const testRedirect = "http://127.0.0.1:1/callback"

// memoryTokens is a TokenStore in memory.
type memoryTokens struct {
	mu   sync.Mutex
	data map[string][]byte
	fail bool
}

func (m *memoryTokens) LoadToken(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail {
		return nil, errors.New("the disk is gone")
	}
	return m.data[key], nil
}

func (m *memoryTokens) SaveToken(_ context.Context, key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail {
		return errors.New("the disk is gone")
	}
	if m.data == nil {
		m.data = map[string][]byte{}
	}
	m.data[key] = data
	return nil
}

// statelessHandler is a go-sdk server of the newest protocol.
func statelessHandler() http.Handler { return sdkHandler(mcp.StreamableHTTPOptions{Stateless: true}) }

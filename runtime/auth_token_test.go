package runtime

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// loggedIn returns a store with the login of f's one server, expired.
func loggedIn(t *testing.T, f *authFake) (store *memoryTokens, key string) {
	t.Helper()
	store, key = &memoryTokens{}, "srv "+f.mcp.URL+"/mcp"
	connected(t, authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(store)))
	expireToken(t, store, key)
	return store, key
}

// expireToken makes the token that store keeps one of the past.
func expireToken(t *testing.T, store *memoryTokens, key string) {
	t.Helper()
	store.mu.Lock()
	defer store.mu.Unlock()
	var held heldToken
	if err := json.Unmarshal(store.data[key], &held); err != nil {
		t.Fatal(err)
	}
	held.Token.Expiry = time.Now().Add(-time.Hour)
	store.data[key], _ = json.Marshal(&held)
}

func TestRefreshThatFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  int
		code    string
		kept    bool // in the store
		goesOn  bool // without a token, so that the server asks for a new one
		noReach bool // nobody answers at all
	}{
		"the server is busy":            {status: http.StatusServiceUnavailable, kept: true},
		"it is busy and says so":        {status: http.StatusBadRequest, code: "temporarily_unavailable", kept: true},
		"it limits requests":            {status: http.StatusTooManyRequests, kept: true},
		"a proxy is in the way":         {status: http.StatusForbidden, kept: true},
		"a fault with a code of ours":   {status: http.StatusInternalServerError, code: "invalid_grant", kept: true},
		"nobody is there":               {noReach: true, kept: true},
		"the token is revoked":          {status: http.StatusBadRequest, code: "invalid_grant", goesOn: true},
		"the client is gone":            {status: http.StatusUnauthorized, code: "invalid_client", goesOn: true},
		"nothing is ever refreshed":     {status: http.StatusBadRequest, code: "unsupported_grant_type", kept: true, goesOn: true},
		"the server wants other scopes": {status: http.StatusBadRequest, code: "invalid_scope", kept: true, goesOn: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newAuthFake(t)
			store, key := loggedIn(t, f)
			f.token, f.code = func(url.Values) (string, int) { return "", c.status }, c.code
			if c.noReach {
				f.as.Close()
			}
			err := authClientFor(t, f.config(&Auth{}), WithTokenStore(store)).Connect(t.Context())
			if errors.Is(err, ErrAuthRequired) != c.goesOn || errors.Is(err, ErrServerUnavailable) == c.goesOn || strings.Contains(err.Error(), authCanary) {
				t.Errorf("Connect = %v", err)
			}
			if !c.goesOn && !strings.Contains(err.Error(), "the token could not be refreshed") {
				t.Errorf("Connect = %v, want it to name the refresh", err)
			}
			if kept := store.data[key] != nil; kept != c.kept {
				t.Errorf("the login is kept: %v, want %v", kept, c.kept)
			}
			if c.noReach || !c.kept {
				return
			}
			if c.goesOn { // whoever can log in need not stay with it
				f.token = func(form url.Values) (string, int) {
					if form.Get("grant_type") == "refresh_token" {
						return "", c.status
					}
					return "read", http.StatusOK
				}
				connected(t, authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(store)))
				return
			}
			f.token = nil
			connected(t, authClientFor(t, f.config(&Auth{}), WithTokenStore(store)))
			if n := f.count("/token authorization_code"); n != 1 {
				t.Errorf("%d logins, want 1", n)
			}
		})
	}
}

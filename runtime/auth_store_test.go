package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// rotating makes the token endpoint take each refresh token once, as many do.
func (f *authFake) rotating() {
	var mu sync.Mutex
	spent := map[string]bool{}
	f.refreshes = true
	f.token = func(form url.Values) (string, int) {
		mu.Lock()
		defer mu.Unlock()
		if token := form.Get("refresh_token"); token != "" && spent[token] {
			return "", http.StatusBadRequest
		} else if token != "" {
			spent[token] = true
		}
		return "read", http.StatusOK
	}
}

// expired ends a's token early, here but not in the store.
func (a *authenticator) expired() {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := *a.held
	token := *next.Token
	token.Expiry = time.Now().Add(-time.Minute)
	next.Token, a.held = &token, &next
}

// Two processes share a store, and one refreshes: the other goes on with what came of
// that. It must neither spend the refresh token again nor remove the login.
func TestProcessesShareALogin(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	f.rotating()
	store, key := loggedIn(t, f)
	one, other := testAuthenticator(t, f, WithTokenStore(store)), testAuthenticator(t, f, WithTokenStore(store))
	if err := other.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, _, err := one.token(t.Context())
	if err != nil || want == "" {
		t.Fatalf("token = %q, %v", want, err)
	}
	if got, _, err := other.token(t.Context()); got != want || err != nil {
		t.Fatalf("token = %q, %v, want the refreshed one", got, err)
	}
	if n := f.count("/token refresh_token"); n != 1 {
		t.Errorf("%d refreshes, want 1", n)
	}

	// The stored one has expired as well: it is that which is refreshed.
	one.expired()
	other.expired()
	expireToken(t, store, key)
	if got, _, err := one.token(t.Context()); got == want || got == "" || err != nil {
		t.Errorf("token = %q, %v, want another one", got, err)
	}
	if store.data[key] == nil {
		t.Error("the login is gone")
	}
}

// Both refresh at once, and one loses: the login is not lost with it.
func TestRefreshLostToAnotherProcess(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store, key := loggedIn(t, f)
	a := testAuthenticator(t, f, WithTokenStore(store))
	f.token = func(url.Values) (string, int) {
		held, _ := json.Marshal(&heldToken{Token: &oauth2.Token{AccessToken: "theirs", Expiry: time.Now().Add(time.Hour)}})
		_ = store.SaveToken(t.Context(), key, held)
		return "", http.StatusBadRequest
	}
	if got, _, err := a.token(t.Context()); got != "theirs" || err != nil {
		t.Errorf("token = %q, %v, want the other process's", got, err)
	}
	if store.data[key] == nil {
		t.Error("the login of the other process is gone")
	}
}

// A store that cannot be written to has an older token, which is not gone back to.
func TestOlderStoredTokenIsLeft(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store, key := loggedIn(t, f)
	a := testAuthenticator(t, f, WithTokenStore(store))
	if _, _, err := a.token(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.expired()
	old, _ := json.Marshal(&heldToken{Token: &oauth2.Token{AccessToken: "old", RefreshToken: "old", Expiry: time.Now().Add(-time.Hour)}})
	_ = store.SaveToken(t.Context(), key, old)
	if got, _, err := a.token(t.Context()); got == "" || err != nil {
		t.Errorf("token = %q, %v", got, err)
	}
	if token := f.lastForm().Get("refresh_token"); token == "old" {
		t.Error("the older token was refreshed")
	}
}

// A token that another client got is not sent as this one's.
func TestTokenOfAnotherClientIsLeft(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store, key := loggedIn(t, f)
	theirs, _ := json.Marshal(&heldToken{ClientID: "theirs", Token: &oauth2.Token{AccessToken: "theirs", Expiry: time.Now().Add(time.Hour)}})
	_ = store.SaveToken(t.Context(), key, theirs)
	for id, want := range map[string]string{"": "theirs", "theirs": "theirs", "ours": ""} {
		a, err := newAuthenticator(f.config(&Auth{ClientID: id}), newOptions([]Option{quiet(), WithTokenStore(store)}))
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := a.token(t.Context()); got != want || err != nil {
			t.Errorf("client %q: token = %q, %v, want %q", id, got, err, want)
		}
	}
}

func TestLaterToken(t *testing.T) {
	now := time.Now()
	held := func(token string, ends time.Time) *heldToken {
		return &heldToken{Token: &oauth2.Token{AccessToken: token, Expiry: ends}}
	}
	var never time.Time
	for name, c := range map[string]struct {
		stored, held *heldToken
		want         bool
	}{
		"where none is held":    {held("a", now), nil, true},
		"itself":                {held("a", now), held("a", now), false},
		"itself, without end":   {held("a", never), held("a", never), false},
		"one that ends later":   {held("b", now.Add(1)), held("a", now), true},
		"one that ends earlier": {held("b", now), held("a", now.Add(1)), false},
		"one without end":       {held("b", never), held("a", now), true},
		"after one without end": {held("b", now), held("a", never), true},
	} {
		if got := c.stored.laterThan(c.held); got != c.want {
			t.Errorf("%s: later = %v", name, got)
		}
	}
}

// loadingTokens calls loading before each look into it.
type loadingTokens struct {
	memoryTokens
	loading func()
}

func (l *loadingTokens) LoadToken(ctx context.Context, key string) ([]byte, error) {
	l.loading()
	return l.memoryTokens.LoadToken(ctx, key)
}

// A login while the store is read counts: what the store had is of before.
func TestLoginFasterThanTheStore(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	held := func(token string, lasts time.Duration) *heldToken {
		return &heldToken{Token: &oauth2.Token{AccessToken: token, Expiry: time.Now().Add(lasts)}}
	}
	stored, _ := json.Marshal(held("stored", time.Hour))
	login, expired := held("login", time.Hour), held("expired", -time.Hour)
	for name, before := range map[string]*heldToken{"first": nil, "instead of an expired one": expired} {
		store := &loadingTokens{}
		_ = store.SaveToken(t.Context(), "srv "+f.mcp.URL+"/mcp", stored)
		a := testAuthenticator(t, f, WithTokenStore(store))
		a.held = before
		store.loading = func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.held = login
		}
		if got, _, err := a.token(t.Context()); got != "login" || err != nil {
			t.Errorf("%s: token = %q, %v", name, got, err)
		}
		if got := a.takeOver(t.Context(), before); got != login || a.current() != login {
			t.Errorf("%s: took over %v, and %v is held", name, got, a.current())
		}
	}
}

// Somebody logs in elsewhere while this process runs without a login.
func TestLoginElsewhere(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store := &memoryTokens{}
	c := authClientFor(t, f.config(&Auth{}), WithTokenStore(store))
	if err := c.Connect(t.Context()); !errors.Is(err, ErrAuthRequired) {
		t.Fatalf("Connect = %v", err)
	}
	connected(t, authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(store)))
	connected(t, c)
	f.revoke() // and again, when the token is taken back
	if _, err := c.CallTool(t.Context(), ToolCall{Name: "echo"}); !errors.Is(err, ErrAuthRequired) {
		t.Fatalf("call = %v", err)
	}
	again := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(store))
	connected(t, again)
	if _, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)}); err != nil {
		t.Errorf("call = %v", err)
	}
	if n := f.count("/token authorization_code"); n != 2 {
		t.Errorf("%d logins, want 2", n)
	}
}

// A token that lasts for a moment is used for that moment, not renewed until there
// is none.
func TestTokenOfAMoment(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	f.lasts = 5
	store, _ := loggedIn(t, f)
	before := f.count("/token refresh_token")
	a := testAuthenticator(t, f, WithTokenStore(store))
	if got, _, err := a.token(t.Context()); got == "" || err != nil {
		t.Errorf("token = %q, %v", got, err)
	}
	if n := f.count("/token refresh_token") - before; n != 1 {
		t.Errorf("%d refreshes, want 1", n)
	}
}

// So is one that cannot be renewed at all.
func TestCredentialsOfAMoment(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	f.lasts, f.noRefresh = 9, true
	c := authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", ClientSecret: "s3"}))
	connected(t, c)
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Error(err)
	}
}

// Where auth has the credentials, a refusal does not name headers.
func TestRefusalNamesAuth(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	var refuse atomic.Bool
	refuse.Store(true)
	f.refuseAll(&refuse)
	err := authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", ClientSecret: "s3"})).Connect(t.Context())
	if !errors.Is(err, ErrCheckAuth) || errors.Is(err, ErrCheckHeaders) || !strings.HasSuffix(err.Error(), "HTTP status 401 Unauthorized (check the server's auth)") {
		t.Errorf("Connect = %v", err)
	}
}

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/oauth2"
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

// slowTokens is a store that takes its time over removing.
type slowTokens struct {
	memoryTokens
	removing, remove chan struct{}
}

func (s *slowTokens) SaveToken(ctx context.Context, key string, data []byte) error {
	if data == nil {
		s.removing <- struct{}{}
		<-s.remove
	}
	return s.memoryTokens.SaveToken(ctx, key, data)
}

func testAuthenticator(t *testing.T, f *authFake, opts ...Option) *authenticator {
	t.Helper()
	a, err := newAuthenticator(f.config(&Auth{}), newOptions(append([]Option{quiet()}, opts...)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestOldTokenIsNotRemovedOverNewOne(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store := &slowTokens{removing: make(chan struct{}), remove: make(chan struct{})}
	a := testAuthenticator(t, f, WithTokenStore(store))
	old := &heldToken{Token: &oauth2.Token{AccessToken: "old", Expiry: time.Now().Add(-time.Hour)}}
	a.hold(old)
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _, _ = a.token(ctx)
	}()
	<-store.removing
	cancel()

	held := make(chan struct{})
	go func() { // somebody has logged in
		defer close(held)
		a.hold(&heldToken{Token: &oauth2.Token{AccessToken: "new", Expiry: time.Now().Add(time.Hour)}})
	}()
	select {
	case <-held:
	case <-time.After(50 * time.Millisecond): // it waits for its turn
	}
	close(store.remove)
	<-held
	<-asked
	a.replace(old, nil) // whoever saw the old one last
	if data := string(store.data["srv "+f.mcp.URL+"/mcp"]); !strings.Contains(data, `"new"`) {
		t.Errorf("stored %q, want the new token", data)
	}
	if token, _, err := a.token(t.Context()); token != "new" || err != nil {
		t.Errorf("token = %q, %v", token, err)
	}
}

// A save that hangs must not hold up a call beyond its context.
func TestStoreThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store := &slowTokens{removing: make(chan struct{}), remove: make(chan struct{})}
	defer close(store.remove)
	a := testAuthenticator(t, f, WithTokenStore(store))
	a.hold(&heldToken{Token: &oauth2.Token{AccessToken: "old", Expiry: time.Now().Add(-time.Hour)}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-store.removing
		cancel()
	}()
	if _, _, err := a.token(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("token = %v", err)
	}
}

// hangingTokens is a store whose first reading takes until its context ends.
type hangingTokens struct {
	*memoryTokens
	loads   atomic.Int32
	loading chan struct{}
}

func (s *hangingTokens) LoadToken(ctx context.Context, key string) ([]byte, error) {
	if s.loads.Add(1) == 1 {
		close(s.loading)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.memoryTokens.LoadToken(ctx, key)
}

func TestStoredTokenOutlivesTheFirstCaller(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	memory, _ := loggedIn(t, f)
	store := &hangingTokens{memoryTokens: memory, loading: make(chan struct{})}
	a := testAuthenticator(t, f, WithTokenStore(store))
	first, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, _, err := a.token(first)
		left <- err
	}()
	<-store.loading
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := a.token(gone); !errors.Is(err, context.Canceled) { // waits no longer than it may
		t.Errorf("token beside a reading that hangs = %v", err)
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("token = %v", err)
	}
	for range 2 {
		if token, _, err := a.token(t.Context()); token == "" || err != nil {
			t.Errorf("token = %q, %v, want the stored one", token, err)
		}
	}
	if n := store.loads.Load(); n != 3 { // once more before the refresh
		t.Errorf("the store was read %d times, want 3", n)
	}
}

func TestRefreshNamesTheResource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ remembered, want string }{
		"that of the login":      {"https://mcp.example.com", "https://mcp.example.com"},
		"none in an older store": {"", "/mcp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newAuthFake(t)
			a := testAuthenticator(t, f)
			a.hold(&heldToken{
				Token:    &oauth2.Token{AccessToken: "old", RefreshToken: "r", Expiry: time.Now().Add(-time.Hour)},
				TokenURL: f.as.URL + "/token", Resource: c.remembered,
			})
			if _, _, err := a.token(t.Context()); err != nil {
				t.Fatal(err)
			}
			if form := f.lastForm(); !strings.HasSuffix(form.Get("resource"), c.want) || form.Get("grant_type") != "refresh_token" {
				t.Errorf("refreshed with %v", form)
			}
			if held := a.current(); held.Resource != c.remembered || held.Token.RefreshToken == "" || !held.Token.Valid() {
				t.Errorf("held %+v", held)
			}
		})
	}
}

// refuseAll makes f's server take no token, however new.
func (f *authFake) refuseAll(refuse *atomic.Bool) {
	protect := f.mcp.Config.Handler
	f.mcp.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse.Load() {
			f.revoke()
		}
		protect.ServeHTTP(w, r)
	})
}

func TestOneLoginForAServerThatTakesNoToken(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	var refuse atomic.Bool
	f.refuseAll(&refuse)
	c := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login))
	logins := func(want int, after string, err error) {
		t.Helper()
		if n := f.count("/token authorization_code"); n != want || !errors.Is(err, ErrAuthRequired) {
			t.Errorf("%d logins after %s, want %d; %v", n, after, want, err)
		}
	}
	refuse.Store(true)
	logins(1, "Connect", c.Connect(t.Context()))
	logins(2, "another Connect", c.Connect(t.Context())) // something may have been put right
	refuse.Store(false)
	connected(t, c)
	before := f.count("/token authorization_code")
	refuse.Store(true)
	for range 3 {
		_, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)})
		logins(before+1, "calls", err)
	}
}

func TestScopesWithoutEnd(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	var n atomic.Int32
	long := strings.Repeat("w", maxScopeText+1)
	f.wants = func(r *http.Request) string { // another one each time
		if wantsWrite(r) == "" {
			return ""
		}
		if n.Add(1) == 1 {
			return long
		}
		return fmt.Sprintf("scope-%d", n.Load())
	}
	c := authClientFor(t, f.config(&Auth{Grant: GrantClientCredentials, ClientID: "ci", ClientSecret: "s3"}))
	connected(t, c)
	call := func() {
		t.Helper()
		_, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)})
		if !errors.Is(err, ErrAuthRequired) || errors.Is(err, ErrFateUnknown) {
			t.Errorf("call = %v", err)
		}
	}
	if call(); f.count("/token client_credentials") != 1 {
		t.Error("a scope beyond all bounds was asked for")
	}
	for range maxStepUps {
		call()
	}
	if n := f.count("/token client_credentials"); n != 1+maxStepUps {
		t.Errorf("%d tokens, want one to connect and %d for more scopes", n, maxStepUps)
	}
	if scopes := strings.Fields(f.lastForm().Get("scope")); len(scopes) > 1+maxStepUps {
		t.Errorf("asked for %d scopes", len(scopes))
	}
}

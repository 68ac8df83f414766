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
)

func authClientFor(t *testing.T, cfg ServerConfig, opts ...Option) *StreamableHTTPClient {
	t.Helper()
	c := NewStreamableHTTPClient(cfg, append([]Option{quiet()}, opts...)...)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestLogin(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	c := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login))
	connected(t, c)
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.count("/token authorization_code"); n != 1 {
		t.Errorf("%d tokens, want 1", n)
	}
	form := f.lastForm()
	if form.Get("code_verifier") == "" || form.Get("resource") != f.mcp.URL+"/mcp" || form.Get("client_id") != "registered" {
		t.Errorf("token request %v", form)
	}
}

// Trap 16: the SDK authorizes once for each request that was refused.
func TestTrap16_OneTokenForManyCalls(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	var logins atomic.Int32
	c := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, func(ctx context.Context, server, u string) (string, error) {
		logins.Add(1)
		time.Sleep(50 * time.Millisecond)
		return login(ctx, server, u)
	}))
	connected(t, c)
	f.revoke()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := logins.Load(); n != 2 {
		t.Errorf("%d logins, want one to connect and one for all calls", n)
	}
}

func TestNobodyIsAskedUnasked(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	for _, auth := range []*Auth{nil, {}} {
		err := authClientFor(t, f.config(auth)).Connect(t.Context())
		if !errors.Is(err, ErrAuthRequired) || errors.Is(err, ErrServerUnavailable) || errors.Is(err, ErrTimeout) {
			t.Errorf("Connect = %v", err)
		}
	}
	if len(f.asked) > 0 {
		t.Errorf("the authorization server was asked: %v", f.asked)
	}
}

// wantsWrite wants the scope write for calls. The protocol names their method in a
// header.
func wantsWrite(r *http.Request) string {
	if r.Header.Get("Mcp-Method") == "tools/call" {
		return "write"
	}
	return ""
}

func TestStepUp(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	f.wants = wantsWrite
	cfg := f.config(&Auth{})
	c := authClientFor(t, cfg, WithLogin(testRedirect, login))
	connected(t, c)
	call := ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)}
	if _, err := c.CallTool(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	if n := f.count("/token authorization_code"); n != 2 {
		t.Errorf("%d tokens, want 2", n)
	}
	f.mu.Lock()
	var scopes string
	for _, s := range f.issued {
		if strings.Contains(s, "write") {
			scopes = s
		}
	}
	f.mu.Unlock()
	if !strings.Contains(scopes, "read") {
		t.Errorf("the scopes that were there before got lost: %q", scopes)
	}
	t.Run("refused once", func(t *testing.T) {
		f := newAuthFake(t)
		f.wants = wantsWrite
		var no atomic.Bool
		c := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, func(ctx context.Context, server, u string) (string, error) {
			if no.Load() {
				return "", errors.New("went away")
			}
			return login(ctx, server, u)
		}))
		connected(t, c)
		no.Store(true)
		if _, err := c.CallTool(t.Context(), call); !errors.Is(err, ErrAuthRequired) {
			t.Errorf("call = %v", err)
		}
		no.Store(false)
		var wg sync.WaitGroup
		for range 10 { // all of them wait for one login
			wg.Go(func() {
				if _, err := c.CallTool(t.Context(), call); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := f.count("/token authorization_code"); n != 2 {
			t.Errorf("%d tokens, want 2", n)
		}
	})
	t.Run("in vain", func(t *testing.T) {
		f.token = func(url.Values) (string, int) { return "read", http.StatusOK }
		f.revoke()
		before := f.count("/token authorization_code")
		for range 5 {
			if _, err := c.CallTool(t.Context(), call); !errors.Is(err, ErrAuthRequired) || errors.Is(err, ErrFateUnknown) {
				t.Errorf("call = %v", err)
			}
		}
		if n := f.count("/token authorization_code") - before; n > 2 {
			t.Errorf("%d tokens for calls that never get their scope", n)
		}
	})
}

func TestTokensAreKeptAndRefreshed(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	store := &memoryTokens{}
	connected(t, authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(store)))
	key := "srv " + f.mcp.URL + "/mcp"
	if data := string(store.data[key]); !strings.Contains(data, authCanary+"-token") || !strings.Contains(data, "registered") {
		t.Fatalf("stored %q", data)
	}
	// A later process has nobody to ask, and needs nobody.
	connected(t, authClientFor(t, f.config(&Auth{}), WithTokenStore(store)))
	if n := f.count("/token authorization_code"); n != 1 {
		t.Errorf("%d logins", n)
	}
	expireToken(t, store, key)
	c := authClientFor(t, f.config(&Auth{}), WithTokenStore(store))
	connected(t, c)
	if n := f.count("/token refresh_token"); n != 1 {
		t.Errorf("%d refreshes, want 1", n)
	}
	if form := f.lastForm(); form.Get("client_secret") != authCanary+"-registered" || form.Get("refresh_token") != authCanary+"-refresh" ||
		form.Get("resource") != f.mcp.URL+"/mcp" {
		t.Errorf("refreshed with %v", form)
	}
	expireToken(t, store, key)
	f.token = func(url.Values) (string, int) { return "", http.StatusBadRequest }
	err := authClientFor(t, f.config(&Auth{}), WithTokenStore(store)).Connect(t.Context())
	if !errors.Is(err, ErrAuthRequired) {
		t.Errorf("Connect with a refresh token that is refused = %v", err)
	}
	if store.data[key] != nil {
		t.Error("the useless token is still there")
	}
	t.Run("for another client", func(t *testing.T) {
		store.data[key] = []byte(`{"token":{"access_token":"x"},"client_id":"somebody"}`)
		a := authClientFor(t, f.config(&Auth{ClientID: "me"}), WithTokenStore(store))
		if err := a.Connect(t.Context()); !errors.Is(err, ErrAuthRequired) {
			t.Errorf("Connect = %v", err)
		}
	})
	t.Run("a store that fails", func(t *testing.T) {
		f.token = nil
		connected(t, authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, login), WithTokenStore(&memoryTokens{fail: true})))
	})
}

// Whoever gives up waits no longer, and the last one to do so ends the login.
func TestLoginEndsWithItsWaiters(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	ended := make(chan struct{})
	ctx, giveUp := context.WithCancel(t.Context())
	c := authClientFor(t, f.config(&Auth{}), WithLogin(testRedirect, func(ctx context.Context, _, _ string) (string, error) {
		giveUp()
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}))
	if err := c.Connect(ctx); err == nil {
		t.Error("connected without a token")
	}
	select {
	case <-ended:
	case <-time.After(plenty):
		t.Error("the login goes on although nobody waits")
	}
}

func TestBearerForEveryRequest(t *testing.T) {
	t.Parallel()
	f := newAuthFake(t)
	f.issued["one"], f.issued["two"] = "", ""
	var now atomic.Value
	now.Store("one")
	c := authClientFor(t, f.config(nil), WithBearer(func(_ context.Context, server string) (string, error) {
		if server != "srv" {
			t.Errorf("asked for server %q", server)
		}
		if now.Load() == "" {
			return "", errors.New(authCanary)
		}
		return now.Load().(string), nil
	}))
	connected(t, c)
	now.Store("two")
	if _, err := c.ListTools(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := f.bearer[len(f.bearer)-1]; last != "Bearer two" {
		t.Errorf("sent %q", last)
	}
	now.Store("")
	_, err := c.CallTool(t.Context(), ToolCall{Name: "echo", Arguments: json.RawMessage(`{"z":1}`)})
	if !errors.Is(err, ErrAuthRequired) || errors.Is(err, ErrFateUnknown) || strings.Contains(err.Error(), authCanary) {
		t.Errorf("call = %v", err)
	}
}

func TestAuthThatCannotBe(t *testing.T) {
	t.Parallel()
	for says, cfg := range map[string]ServerConfig{
		"Authorization": {Headers: map[string]string{"authorization": "x"}, Auth: &Auth{}},
		"grant":         {Auth: &Auth{Grant: "magic"}},
		"client_id":     {Auth: &Auth{Grant: GrantClientCredentials}},
		"private key":   {Auth: &Auth{PrivateKey: "x"}},
	} {
		cfg.Name, cfg.URL = "srv", "http://127.0.0.1:1/mcp"
		if err := authClientFor(t, cfg).Connect(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Connect = %v, want it to say %s", err, says)
		}
	}
}

// A bearer function that does not mind its context holds up no call, and its panic is
// an error of that call.
func TestBearerThatHangs(t *testing.T) {
	t.Parallel()
	var ask atomic.Pointer[func() string]
	good := func() string { return "token" }
	ask.Store(&good)
	c, _ := fakeClient(t, nil, quiet(), WithBearer(func(context.Context, string) (string, error) { return (*ask.Load())(), nil }))
	answered := make(chan struct{})
	defer close(answered)
	hangs := func() string { <-answered; return "" }
	ask.Store(&hangs)
	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, ToolCall{Name: "t"})
		called <- err
	}()
	cancel()
	select {
	case err := <-called:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call = %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the call waits for its token")
	}
	panics := func() string { panic("no token") }
	ask.Store(&panics)
	if _, err := callT(t, c); !errors.Is(err, ErrAuthRequired) {
		t.Errorf("call = %v", err)
	}
	ask.Store(&good)
}

package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// ErrAuthRequired is the error of a server that wants credentials which it was not
// given, or which it no longer takes. The error around it says what to configure.
var ErrAuthRequired = errors.New("authentication required")

// A Grant is a way to get an access token by OAuth 2.1.
type Grant string

// Grants.
const (
	// GrantAuthorizationCode has a person log in once, see [WithLogin]. Without a
	// person only stored tokens are used and refreshed, see [WithTokenStore].
	GrantAuthorizationCode Grant = "authorization_code"
	// GrantClientCredentials needs nobody: for CI and for services.
	GrantClientCredentials Grant = "client_credentials"
)

// Auth says how to get tokens for one HTTP server by OAuth 2.1. Where to get them
// is the server's to say; discovery, PKCE and registration follow the MCP
// specification. Static headers and [WithBearer] need none of this.
type Auth struct {
	Grant Grant // "" means authorization_code

	// ClientID is a client registered beforehand. Empty: ClientMetadataURL where
	// the authorization server takes that, else dynamic registration.
	ClientID string
	// ClientSecret goes only to Issuer or, where that is empty, to an
	// authorization server on the host of the MCP server.
	ClientSecret string
	// PrivateKey is a PEM block with the PKCS #8 key (ECDSA P-256 or RSA) that
	// signs in place of ClientSecret under client_credentials (private_key_jwt).
	PrivateKey string
	// ClientMetadataURL is an https URL of a client ID metadata document.
	ClientMetadataURL string
	// Issuer is the only authorization server that these credentials are for.
	Issuer string
	// Scopes to ask for; empty: those that the server names.
	Scopes []string
	// RedirectURL is where the browser returns to, the one registered for
	// ClientID; empty: the one of [WithLogin].
	RedirectURL string
}

// check returns what is wrong with a, in the words of the configuration.
func (a *Auth) check(headers map[string]string) error {
	for name := range headers {
		if strings.EqualFold(name, "Authorization") {
			return errors.New("both auth and an Authorization header are set; remove one")
		}
	}
	switch a.Grant {
	case "", GrantAuthorizationCode:
		if a.PrivateKey != "" {
			return fmt.Errorf("auth: a private key needs grant: %s", GrantClientCredentials)
		}
		if a.ClientSecret != "" && a.ClientID == "" {
			return errors.New("auth: client_secret needs client_id")
		}
	case GrantClientCredentials:
		if a.ClientID == "" || (a.ClientSecret == "") == (a.PrivateKey == "") {
			return fmt.Errorf("auth: grant %s needs client_id and either client_secret or private_key", a.Grant)
		}
	default:
		return fmt.Errorf("auth: grant %s is unknown; set %s or %s", quoted(string(a.Grant)), GrantAuthorizationCode, GrantClientCredentials)
	}
	return nil
}

// A LoginFunc has a person log in to server: it shows or opens authURL and returns
// the URL that the authorization server then sent the browser to, query and all.
// It may take minutes; ctx ends when nobody waits for it any more. It is called
// once at a time for each server.
type LoginFunc func(ctx context.Context, server, authURL string) (redirected string, err error)

// WithLogin allows logging in. redirectURL is where the browser returns to, usually
// on 127.0.0.1. Without this option nobody is ever asked: a server that needs a
// login fails with [ErrAuthRequired].
//
// A login takes part of the time for connecting: allow for it, see
// [WithConnectTimeout] and ServerConfig.Timeout.
func WithLogin(redirectURL string, login LoginFunc) Option {
	return clientOption(func(o *options) { o.redirectURL, o.login = redirectURL, login })
}

// A TokenStore keeps what logins came to, so that a later process need not ask
// again. data is a secret of up to some kilobytes: keep it where only the user can
// read it. Methods may be called concurrently.
type TokenStore interface {
	// LoadToken returns what was saved under key, nil when there is nothing.
	LoadToken(ctx context.Context, key string) (data []byte, err error)
	// SaveToken replaces what is saved under key; nil data removes it.
	SaveToken(ctx context.Context, key string, data []byte) error
}

// WithTokenStore keeps tokens of logins in store. Without it they last as long as
// the client. Processes may share a store: each takes over what another has refreshed,
// or logged in for, when its own token is used up.
func WithTokenStore(store TokenStore) Option {
	return clientOption(func(o *options) { o.tokens = store })
}

// WithBearer asks token for a bearer token before every HTTP request to a server
// without an Auth of its own; "" sends none. An Authorization header of the
// configuration wins. token is called concurrently and should answer at once.
func WithBearer(token func(ctx context.Context, server string) (string, error)) Option {
	return clientOption(func(o *options) { o.bearer = token })
}

// authTransport returns base with the authorization of e's server, if there is any
// to add.
func (e *endpoint) authTransport(base http.RoundTripper) (http.RoundTripper, error) {
	if e.cfg.Auth == nil {
		if e.o.bearer == nil {
			return base, nil
		}
		return &bearerTransport{server: e.cfg.Name, token: e.o.bearer, base: base}, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.auth == nil { // one for all connections: a token outlives them
		a, err := newAuthenticator(e.cfg, e.o)
		if err != nil {
			return nil, err
		}
		e.auth = a
	}
	e.auth.startAfresh()
	return &oauthTransport{a: e.auth, base: base}, nil
}

// bearerTransport sets a token from a function of the caller's.
type bearerTransport struct {
	server string
	token  func(ctx context.Context, server string) (string, error)
	base   http.RoundTripper
}

func (t *bearerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" {
		return t.base.RoundTrip(req)
	}
	token, err := t.ask(req.Context())
	if req.Context().Err() != nil {
		closeBody(req)
		return nil, context.Cause(req.Context())
	}
	if err != nil {
		closeBody(req)
		// Its text is the caller's own and may hold anything.
		own := &callersError{"no bearer token could be had", err}
		if errors.Is(err, errUnfitToken) {
			own.text = errUnfitToken.Error()
		}
		return nil, &plainError{fmt.Sprintf("%v: %v", ErrAuthRequired, own), []error{wire.ErrUnauthorized, ErrAuthRequired, own}}
	}
	if token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return t.base.RoundTrip(req)
}

// errUnfitToken is net/http's refusal, with what to do about it.
var errUnfitToken = errors.New("the bearer token holds a line break or another control character: trim it")

// ask calls the function within ctx, which those over an oauth2.TokenSource know
// nothing of.
func (t *bearerTransport) ask(ctx context.Context) (token string, err error) {
	var (
		answer string
		failed error
		asked  = make(chan struct{})
	)
	go func() {
		defer close(asked)
		failed = withoutPanic(func() (err error) { answer, err = t.token(ctx, t.server); return err })
	}()
	select {
	case <-asked:
		if failed == nil && unfitForHeader(answer) {
			failed = errUnfitToken
		}
		return answer, failed
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// needsAuth reports whether err is a server's call for credentials.
func needsAuth(err error) bool {
	if errors.Is(err, ErrAuthRequired) {
		return true
	}
	status, ok := errors.AsType[*wire.StatusError](err)
	return ok && (status.Status == http.StatusUnauthorized || insufficientScope(status.Status, status.Challenge))
}

// asAuthRequired marks err as [ErrAuthRequired] where it is that.
func asAuthRequired(err error) error {
	if !needsAuth(err) || errors.Is(err, ErrAuthRequired) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrAuthRequired, err)
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// tokenKey names what a store keeps for a server: the name that the user chose and
// the endpoint, without what may be secret in it.
func tokenKey(server string, endpoint *url.URL) string {
	return server + " " + endpoint.Scheme + "://" + endpoint.Host + endpoint.EscapedPath()
}

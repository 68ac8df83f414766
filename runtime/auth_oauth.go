package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// Bounds of what a server can have asked for by refusing calls: each step-up is an
// authorization, and names the scopes of all before it.
const (
	maxStepUps   = 16
	maxScopeText = 2 << 10 // bytes of the scopes in one refusal
)

// errLoginNeeded ends an authorization that only a person could go on with.
var errLoginNeeded = errors.New("somebody has to log in")

// An authenticator holds the token of one server and gets new ones. It is safe for
// concurrent use.
type authenticator struct {
	cfg      Auth
	server   string
	endpoint *url.URL
	o        options
	client   *http.Client                                               // for the authorization server
	grant    func(context.Context, *http.Request, *http.Response) error // one grant's way to a token; nil: none without a person

	flights flights // authorizations and refreshes
	loads   flights // readings of the store

	mu      sync.Mutex
	held    *heldToken
	stepped map[string]bool // scopes that a step-up was made for
	unknown string          // a new token that the server has not accepted yet

	loginFor string // the resource in the last login's URL

	saving sync.Mutex // over writes to the store
}

func newAuthenticator(cfg ServerConfig, o options) (*authenticator, error) {
	endpoint, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, errors.New("url cannot be parsed") // its text may hold a secret
	}
	if err := cfg.Auth.check(cfg.Headers); err != nil {
		return nil, err
	}
	a := &authenticator{cfg: *cfg.Auth, server: cfg.Name, endpoint: endpoint, o: o, stepped: map[string]bool{}}
	a.client = authClient(o.base, a.endpoint, a.cfg)
	switch {
	case a.cfg.Grant == GrantClientCredentials:
		a.grant = a.clientCredentials
	case o.login != nil:
		handler, err := a.authorizationCode()
		if err != nil {
			return nil, fmt.Errorf("auth: %w", err)
		}
		a.grant = handler.Authorize
	}
	return a, nil
}

// authorizationCode makes the SDK's handler, which discovers, registers, sends the
// person away and trades the code.
func (a *authenticator) authorizationCode() (*sdkauth.AuthorizationCodeHandler, error) {
	redirect := a.cfg.RedirectURL
	if redirect == "" {
		redirect = a.o.redirectURL
	}
	name := a.o.implName
	if name == "" {
		name = "mcpbind"
	}
	c := &sdkauth.AuthorizationCodeHandlerConfig{
		RedirectURL:              redirect,
		AuthorizationCodeFetcher: a.login,
		RequestRefreshToken:      true,
		Client:                   a.client,
		ScopeFilter: func(named []string) []string {
			if len(a.cfg.Scopes) == 0 {
				return named
			}
			return union(a.cfg.Scopes, a.steppedScopes())
		},
		NewTokenSource: func(_ context.Context, c *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			a.hold(&heldToken{
				Token: token, ClientID: c.ClientID, ClientSecret: c.ClientSecret,
				TokenURL: c.Endpoint.TokenURL, AuthStyle: c.Endpoint.AuthStyle, Scopes: c.Scopes,
				Resource: a.loginResource(),
			})
			return oauth2.StaticTokenSource(token), nil
		},
	}
	if a.cfg.ClientMetadataURL != "" {
		c.ClientIDMetadataDocumentConfig = &sdkauth.ClientIDMetadataDocumentConfig{URL: a.cfg.ClientMetadataURL}
	}
	if a.cfg.ClientID != "" {
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: a.cfg.ClientID, Issuer: a.cfg.Issuer}
		if a.cfg.ClientSecret != "" {
			c.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: a.cfg.ClientSecret}
		}
	} else {
		c.DynamicClientRegistrationConfig = &sdkauth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName:    name,
			RedirectURIs:  []string{redirect},
			GrantTypes:    []string{"authorization_code", "refresh_token"},
			ResponseTypes: []string{"code"},
		}}
	}
	return sdkauth.NewAuthorizationCodeHandler(c)
}

// loginResource is the resource that the login was for: by the server's metadata,
// which the SDK keeps to itself, that need not be the server's URL.
func (a *authenticator) loginResource() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.loginFor
}

// login asks the caller's person.
func (a *authenticator) login(ctx context.Context, args *sdkauth.AuthorizationArgs) (*sdkauth.AuthorizationResult, error) {
	if u, err := url.Parse(args.URL); err == nil {
		a.mu.Lock()
		a.loginFor = u.Query().Get("resource")
		a.mu.Unlock()
	}
	redirected, err := a.o.login(ctx, a.server, args.URL)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLoginNeeded, &callersError{err.Error(), err})
	}
	u, err := url.Parse(redirected)
	if err != nil {
		return nil, errLoginFailed // the text holds the code
	}
	q := u.Query()
	if code := q.Get("error"); code != "" {
		return nil, fmt.Errorf("%w: %s", errLoginFailed, errorCode(code))
	}
	return &sdkauth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}

// mayAuthorize reports whether a refusal of token is worth an authorization, unless
// one is on its way anyway: not for a token that an authorization has just brought,
// since another would end the same, and for want of scopes not twice, nor for ever
// other ones.
func (a *authenticator) mayAuthorize(refusal *http.Response, token string, generation int) bool {
	if a.flights.moved(generation) {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if refusal.StatusCode == http.StatusUnauthorized {
		return token == "" || token != a.unknown
	}
	scopes := scopesOf(refusal)
	if a.stepped[scopes] || len(a.stepped) == maxStepUps || len(scopes) > maxScopeText {
		return false
	}
	a.stepped[scopes] = true
	return true
}

// accepted notes that the server has let token in.
func (a *authenticator) accepted(token string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if token == a.unknown {
		a.unknown = ""
	}
}

// startAfresh allows one authorization for a token that was never accepted: what
// was wrong about it may have been put right before a new connection.
func (a *authenticator) startAfresh() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unknown = ""
}

// stepFailed notes that no token came of a step-up, so that the next call may try.
func (a *authenticator) stepFailed(refusal *http.Response) {
	if refusal.StatusCode == http.StatusForbidden {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.stepped, scopesOf(refusal))
	}
}

// authorize gets a token after a refusal, together with whoever else needs one.
// A login that another process made meanwhile is as good.
func (a *authenticator) authorize(req *http.Request, refusal *http.Response, generation int) error {
	asked := &http.Request{Method: req.Method, URL: a.resource(), Header: http.Header{}}
	err := a.flights.do(req.Context(), generation, func(ctx context.Context) error {
		if a.takeOver(ctx, a.current()) != nil {
			return nil
		}
		if a.grant == nil {
			return errLoginNeeded
		}
		if err := a.grant(ctx, asked.WithContext(ctx), refusal); err != nil {
			return err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.held != nil {
			a.unknown = a.held.Token.AccessToken
		}
		return nil
	})
	if err == nil || req.Context().Err() != nil || errors.Is(err, errNotRefreshed) {
		return err
	}
	return authFault(err)
}

// resource is the server's URL as authorization servers may see it.
func (a *authenticator) resource() *url.URL {
	return &url.URL{Scheme: a.endpoint.Scheme, Host: a.endpoint.Host, Path: a.endpoint.Path, RawPath: a.endpoint.RawPath}
}

// steppedScopes are the scopes that the server has asked for beyond the first ones.
func (a *authenticator) steppedScopes() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var scopes []string
	for s := range a.stepped {
		scopes = append(scopes, strings.Fields(s)...)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// union returns a, then what only b has.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

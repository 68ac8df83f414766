package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"golang.org/x/oauth2"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// A heldToken is a token and what refreshing it takes. Its JSON is what a
// [TokenStore] keeps.
type heldToken struct {
	Token        *oauth2.Token    `json:"token"`
	ClientID     string           `json:"client_id,omitempty"`
	ClientSecret string           `json:"client_secret,omitempty"`
	TokenURL     string           `json:"token_url,omitempty"`
	AuthStyle    oauth2.AuthStyle `json:"auth_style,omitempty"`
	Scopes       []string         `json:"scopes,omitempty"`
}

// token returns the present token, refreshed if it has expired, and its generation;
// "" when there is none.
func (a *authenticator) token(ctx context.Context) (token string, generation int, err error) {
	a.load.Do(func() { a.loadToken(ctx) })
	for range 2 {
		generation = a.flights.now()
		held := a.current()
		switch {
		case held == nil:
			return "", generation, nil
		case held.Token.Valid():
			return held.Token.AccessToken, generation, nil
		case held.Token.RefreshToken == "" || held.TokenURL == "":
			a.hold(nil)
			return "", generation, nil
		}
		err := a.flights.do(ctx, generation, func(ctx context.Context) error { return a.refresh(ctx, held) })
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return "", generation, err
		case refusedAgain(refusalCode(err)):
			return "", a.flights.now(), nil // the server will ask for a new one
		default:
			return "", generation, refreshFault(err)
		}
	}
	return "", generation, nil
}

// refresh trades the refresh token. One that is refused for good is forgotten.
func (a *authenticator) refresh(ctx context.Context, held *heldToken) error {
	c := &oauth2.Config{
		ClientID: held.ClientID, ClientSecret: held.ClientSecret, Scopes: held.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: held.TokenURL, AuthStyle: held.AuthStyle},
	}
	token, err := c.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, a.client), held.Token).Token()
	if err != nil {
		if worthless(refusalCode(err)) {
			a.hold(nil)
		}
		a.o.logger.Warn("the token could not be refreshed", "server", harmless(a.server, maxName), "error", authReason(err))
		return err
	}
	next := *held
	next.Token = token
	a.hold(&next)
	return nil
}

// refusalCode returns the code with which the authorization server said no to a
// refresh, "" for any other failure. A status alone says no such thing: it may come
// from whatever stands before that server.
func refusalCode(err error) string {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok || refused.Response != nil && refused.Response.StatusCode >= http.StatusInternalServerError {
		return ""
	}
	return refused.ErrorCode
}

// worthless reports whether a refresh token that was refused with code is of no use
// to anybody any more.
func worthless(code string) bool {
	return slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client"}, code)
}

// refusedAgain reports whether a refresh that was refused with code would be again.
func refusedAgain(code string) bool {
	return worthless(code) || slices.Contains([]string{"invalid_request", "unsupported_grant_type", "invalid_scope", "invalid_target"}, code)
}

// refreshFault is the error of a refresh that may succeed later. Going on without a
// token would end in a login that nobody needs.
func refreshFault(err error) error {
	return &plainError{
		"the token could not be refreshed: " + authReason(err),
		[]error{wire.ErrUnauthorized, ErrServerUnavailable},
	}
}

func (a *authenticator) current() *heldToken {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

// hold replaces the token, here and in the store.
func (a *authenticator) hold(held *heldToken) {
	a.mu.Lock()
	a.held = held
	a.mu.Unlock()
	if a.o.tokens == nil || a.cfg.Grant == GrantClientCredentials {
		return
	}
	var data []byte
	if held != nil {
		var err error
		if data, err = json.Marshal(held); err != nil {
			return // these types always marshal
		}
	}
	if err := a.o.tokens.SaveToken(context.Background(), tokenKey(a.server, a.endpoint), data); err != nil {
		a.o.logger.Warn("the token could not be stored", "server", harmless(a.server, maxName), "error", err)
	}
}

// loadToken takes over what an earlier process stored.
func (a *authenticator) loadToken(ctx context.Context) {
	if a.o.tokens == nil || a.cfg.Grant == GrantClientCredentials {
		return
	}
	data, err := a.o.tokens.LoadToken(ctx, tokenKey(a.server, a.endpoint))
	if err != nil {
		a.o.logger.Warn("no stored token could be read", "server", harmless(a.server, maxName), "error", err)
	}
	held := &heldToken{}
	if len(data) == 0 || json.Unmarshal(data, held) != nil || held.Token == nil {
		return
	}
	if a.cfg.ClientID != "" && held.ClientID != a.cfg.ClientID {
		return // got for another client
	}
	a.mu.Lock()
	a.held = held
	a.mu.Unlock()
}

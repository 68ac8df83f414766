package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// errNotRefreshed is the error of a refresh that may succeed later.
var errNotRefreshed = errors.New("the token could not be refreshed")

// A heldToken is a token and what refreshing it takes. Its JSON is what a
// [TokenStore] keeps.
type heldToken struct {
	Token        *oauth2.Token    `json:"token"`
	ClientID     string           `json:"client_id,omitempty"`
	ClientSecret string           `json:"client_secret,omitempty"`
	TokenURL     string           `json:"token_url,omitempty"`
	AuthStyle    oauth2.AuthStyle `json:"auth_style,omitempty"`
	Scopes       []string         `json:"scopes,omitempty"`
	Resource     string           `json:"resource,omitempty"` // that it was asked for; "" in stores of the past
}

// token returns the present token, refreshed if it has expired, and its generation;
// "" when there is none.
func (a *authenticator) token(ctx context.Context) (token string, generation int, err error) {
	if err := a.load(ctx); err != nil {
		return "", 0, err
	}
	for renewed := false; ; renewed = true {
		generation = a.flights.now()
		held := a.current()
		switch {
		case held == nil:
			return "", generation, nil
		case held.fresh(), renewed: // what lasts for a moment only is better than none
			return held.Token.AccessToken, generation, nil
		}
		err := a.flights.do(ctx, generation, func(ctx context.Context) error { return a.renew(ctx, held) })
		switch {
		case err == nil:
		case ctx.Err() != nil, errors.Is(err, errNotRefreshed):
			return "", generation, err
		default:
			return "", a.flights.now(), nil // the server will ask for a new one
		}
	}
}

// fresh reports whether h need not be renewed. One that cannot be is good to its end;
// any other is taken for expired some seconds before, while its request is on its way.
func (h *heldToken) fresh() bool {
	return h.Token.Valid() || h.Token.RefreshToken == "" && time.Now().Before(h.Token.Expiry)
}

// renew trades the refresh token of an expired token. One that is refused for good
// is forgotten, and a token that has none. Another process may have been faster, and
// many servers take a refresh token once: what it stored counts, before and after.
func (a *authenticator) renew(ctx context.Context, held *heldToken) error {
	if newer := a.takeOver(ctx, held); newer != nil {
		if newer.fresh() {
			return nil
		}
		held = newer
	}
	if held.Token.RefreshToken == "" || held.TokenURL == "" {
		a.replace(held, nil)
		return nil
	}
	resource := cmp.Or(held.Resource, a.resource().String())
	// The package for this grant has no way to add the resource.
	c := clientcredentials.Config{
		ClientID: held.ClientID, ClientSecret: held.ClientSecret, TokenURL: held.TokenURL, AuthStyle: held.AuthStyle,
		EndpointParams: url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {held.Token.RefreshToken}, "resource": {resource},
		},
	}
	token, err := c.Token(context.WithValue(ctx, oauth2.HTTPClient, a.client))
	if err != nil {
		if worthless(refusalCode(err)) {
			if a.takeOver(ctx, held) != nil {
				return nil
			}
			a.replace(held, nil)
		}
		a.o.logger.Warn("the token could not be refreshed", "server", harmless(a.server, maxName), "error", authReason(err))
		if !refusedAgain(refusalCode(err)) {
			err = refreshFault(err)
		}
		return err
	}
	next := *held
	next.Token = token
	a.replace(held, &next)
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

// refreshFault is [errNotRefreshed] for the call that needed the token. Going on
// without one would end in a login that nobody needs.
func refreshFault(err error) error {
	return &plainError{
		fmt.Sprintf("%v: %s", errNotRefreshed, authReason(err)),
		[]error{errNotRefreshed, wire.ErrUnauthorized, ErrServerUnavailable},
	}
}

func (a *authenticator) current() *heldToken {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

// hold makes held the token, here and in the store.
func (a *authenticator) hold(held *heldToken) {
	a.mu.Lock()
	a.held = held
	a.mu.Unlock()
	a.save()
}

// replace does so unless there has come another token than old.
func (a *authenticator) replace(old, held *heldToken) {
	a.mu.Lock()
	if a.held != old {
		a.mu.Unlock()
		return
	}
	a.held = held
	a.mu.Unlock()
	a.save()
}

package runtime

import (
	"context"
	"encoding/json"
	"time"
)

// saveTimeout bounds one write to a store.
const saveTimeout = 30 * time.Second

// stores reports whether tokens outlast this client.
func (a *authenticator) stores() bool {
	return a.o.tokens != nil && a.cfg.Grant != GrantClientCredentials
}

// save brings the store up to date. Each write has its turn, and takes what is held
// by then: a slow one never lands after that of a newer token.
func (a *authenticator) save() {
	if !a.stores() {
		return
	}
	a.saving.Lock()
	defer a.saving.Unlock()
	var data []byte
	if held := a.current(); held != nil {
		var err error
		if data, err = json.Marshal(held); err != nil {
			return // these types always marshal
		}
	}
	// Whoever waited for the token may be gone. It is worth keeping all the same.
	ctx, cancel := context.WithTimeout(context.Background(), saveTimeout)
	defer cancel()
	if err := a.o.tokens.SaveToken(ctx, tokenKey(a.server, a.endpoint), data); err != nil {
		a.o.logger.Warn("the token could not be stored", "server", harmless(a.server, maxName), "error", err)
	}
}

// load takes over what an earlier process stored, together with whoever else needs
// it. What cannot be read now is read for the next request.
func (a *authenticator) load(ctx context.Context) error {
	if !a.stores() || a.current() != nil {
		return nil
	}
	const never = 0 // the generation before the first success
	if err := a.loads.do(ctx, never, a.loadToken); err != nil && ctx.Err() != nil {
		return err
	}
	return nil // without one the server will ask
}

func (a *authenticator) loadToken(ctx context.Context) error {
	stored, err := a.stored(ctx)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held == nil { // no login was faster
		a.held = stored
	}
	return nil
}

// stored reads what the store holds for this server and client, nil for nothing.
func (a *authenticator) stored(ctx context.Context) (*heldToken, error) {
	data, err := a.o.tokens.LoadToken(ctx, tokenKey(a.server, a.endpoint))
	if err != nil {
		a.o.logger.Warn("no stored token could be read", "server", harmless(a.server, maxName), "error", err)
		return nil, err
	}
	held := &heldToken{}
	if len(data) == 0 || json.Unmarshal(data, held) != nil || held.Token == nil {
		return nil, nil
	}
	if a.cfg.ClientID != "" && held.ClientID != a.cfg.ClientID {
		return nil, nil // got for another client
	}
	return held, nil
}

// takeOver makes the stored token the present one in place of held, if another
// process stored a later one, and returns it; nil where it did not.
func (a *authenticator) takeOver(ctx context.Context, held *heldToken) *heldToken {
	if !a.stores() {
		return nil
	}
	stored, err := a.stored(ctx)
	if err != nil || stored == nil || !stored.laterThan(held) {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.held != held {
		return a.held // a login was faster
	}
	a.held = stored
	return stored
}

// laterThan reports whether h, which was stored, is not held itself or one from before
// it, which a store that cannot be written to still has.
func (h *heldToken) laterThan(held *heldToken) bool {
	if held == nil {
		return true
	}
	if h.Token.AccessToken == held.Token.AccessToken {
		return false
	}
	ends, before := h.Token.Expiry, held.Token.Expiry
	return ends.IsZero() || before.IsZero() || ends.After(before)
}

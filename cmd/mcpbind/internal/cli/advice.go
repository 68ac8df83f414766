package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/runtime"
)

// advised returns the error of a connection or a call with the key of the
// configuration that mends it.
func (a *app) advised(t target, err error) error {
	if errors.Is(err, runtime.ErrAuthRequired) || errors.Is(err, runtime.ErrCheckHeaders) || errors.Is(err, runtime.ErrCheckAuth) {
		return a.advisedAuth(t, err)
	}
	for _, hint := range []struct {
		err error
		key string
	}{
		{runtime.ErrCheckURL, "url"},
		{runtime.ErrCheckCommand, "command"},
	} {
		if errors.Is(err, hint.err) {
			return t.placed(err, hint.err, hint.key, "")
		}
	}
	for _, limit := range []struct {
		err error
		key string
	}{
		{runtime.ErrCheckTimeout, "timeout"},
		{runtime.ErrCheckCallTimeout, "call_timeout"},
	} {
		if errors.Is(err, limit.err) {
			raises := fmt.Sprintf("servers.%s.%s raises the limit", t.Name, limit.key)
			return &reworded{strings.Replace(err.Error(), limit.err.Error(), raises, 1), err}
		}
	}
	return err
}

// advisedAuth returns the error of a server that wants credentials, or others, with the
// way to give it some.
func (a *app) advisedAuth(t target, err error) error {
	denied := errors.Is(err, runtime.ErrAuthRequired)
	if t.Auth == nil {
		more := ""
		if denied && len(t.Headers) == 0 {
			more = ": a token goes there, or set auth to log in"
		}
		return t.placed(err, runtime.ErrCheckHeaders, "headers", more)
	}
	text := strings.Replace(err.Error(), runtime.ErrCheckAuth.Error(), fmt.Sprintf("check servers.%s.auth", t.Name), 1)
	if denied && a.login == nil && runtime.Grant(t.Auth.Grant) != runtime.GrantClientCredentials {
		text += fmt.Sprintf(" (\"%s list %s --live --login\" asks for it, and keeps what comes of it)", self(), t.Name)
	}
	return &reworded{text, err}
}

// placed is err with the place of a key instead of the runtime's hint, which knows
// of no file. More that there is to say follows it.
func (t target) placed(err, hint error, key, more string) error {
	return &reworded{strings.Replace(err.Error(), hint.Error(), "check "+t.Place(key)+more, 1), err}
}

// A reworded error has another text than what it wraps.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }

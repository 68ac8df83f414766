package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

const (
	// maxAuthRounds bounds how often one request may lead to a new token: once for
	// any, once for one with more scopes.
	maxAuthRounds = 2
	// authTimeout bounds one authorization, with a person in it.
	authTimeout = 10 * time.Minute
)

// An oauthTransport adds a token to every request, and gets one when the server
// asks for it. It stands above the transport that sends and traces requests, so
// each try is one round trip there.
type oauthTransport struct {
	a    *authenticator
	base http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *oauthTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	for round := 0; ; round++ {
		token, generation, err := t.a.token(req.Context())
		if err != nil {
			closeBody(req)
			return nil, err
		}
		resp, err := t.send(req, round, token)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusUnauthorized {
			t.a.accepted(token)
		}
		if !challenged(resp) || round == maxAuthRounds || !t.a.mayAuthorize(resp, token, generation) {
			return resp, nil
		}
		refusal := letGo(resp)
		if err := t.a.authorize(req, refusal, generation); err != nil {
			t.a.stepFailed(refusal)
			return nil, err
		}
	}
}

// send makes one try with token.
func (t *oauthTransport) send(req *http.Request, round int, token string) (*http.Response, error) {
	try := req.Clone(req.Context())
	if round > 0 && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		try.Body = body
	}
	if token != "" {
		try.Header.Set("Authorization", "Bearer "+token)
	}
	return t.base.RoundTrip(try)
}

// challenged reports whether resp asks for a token, or for a better one.
func challenged(resp *http.Response) bool {
	return resp.StatusCode == http.StatusUnauthorized ||
		insufficientScope(resp.StatusCode, strings.Join(resp.Header.Values("WWW-Authenticate"), ", "))
}

// insufficientScope reports whether a status with its WWW-Authenticate header asks
// for more scopes.
func insufficientScope(status int, challenge string) bool {
	return status == http.StatusForbidden && strings.Contains(challenge, "insufficient_scope")
}

// letGo closes resp and returns what authorizing needs of it. The SDK reads a body
// to its end, which a server can put off for ever.
func letGo(resp *http.Response) *http.Response {
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection serves again
	_ = resp.Body.Close()
	return &http.Response{
		StatusCode: resp.StatusCode, Status: resp.Status, Body: http.NoBody,
		Header: http.Header{"Www-Authenticate": resp.Header.Values("WWW-Authenticate")},
	}
}

// An authFlight is one authorization or refresh and everybody who waits for it.
type authFlight struct {
	cancel  context.CancelFunc
	done    chan struct{}
	waiters int
	err     error // once done is closed
}

// flights lets one authorization run at a time, however many calls wait for it.
type flights struct {
	mu         sync.Mutex
	generation int // counts tokens: a request that failed with an older one tries the present one
	flight     *authFlight
}

// do runs get, or waits for the one that runs. It does neither when there has been
// a new token since generation. get ends when nobody waits for it any more.
func (f *flights) do(ctx context.Context, generation int, get func(context.Context) error) error {
	f.mu.Lock()
	if f.generation != generation {
		f.mu.Unlock()
		return nil
	}
	flight := f.flight
	if flight == nil {
		flight = f.start(get)
	}
	flight.waiters++
	f.mu.Unlock()

	select {
	case <-flight.done:
		return flight.err
	case <-ctx.Done():
		f.mu.Lock()
		defer f.mu.Unlock()
		if flight.waiters--; flight.waiters == 0 {
			flight.cancel()
			if f.flight == flight {
				f.flight = nil // whoever comes now must not share its end
			}
		}
		return context.Cause(ctx)
	}
}

// start begins a flight. The caller holds f.mu.
func (f *flights) start(get func(context.Context) error) *authFlight {
	ctx, cancel := context.WithTimeout(context.Background(), authTimeout)
	flight := &authFlight{cancel: cancel, done: make(chan struct{})}
	f.flight = flight
	go func() {
		defer cancel()
		err := withoutPanic(func() error { return get(ctx) })
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.flight == flight {
			f.flight = nil
		}
		if flight.err = err; err == nil {
			f.generation++
		}
		close(flight.done)
	}()
	return flight
}

// moved reports whether there is a newer token than that of generation, or will be.
func (f *flights) moved(generation int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.generation != generation || f.flight != nil
}

// now returns the generation of the present token.
func (f *flights) now() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.generation
}

// authFault is the error of a failed authorization. What the authorization server
// wrote may echo a code, a secret or a token: only the parts with a form of their
// own are told.
func authFault(err error) error {
	var known []error
	for _, sentinel := range []error{context.Canceled, context.DeadlineExceeded, errLoginNeeded} {
		if errors.Is(err, sentinel) {
			known = append(known, sentinel)
		}
	}
	return &plainError{fmt.Sprintf("%v: %s", ErrAuthRequired, authReason(err)), append(known, wire.ErrUnauthorized, ErrAuthRequired)}
}

// scopesOf returns the scopes that a refusal names, as one string.
func scopesOf(refusal *http.Response) string {
	challenges, err := oauthex.ParseWWWAuthenticate(refusal.Header.Values("WWW-Authenticate"))
	if err != nil {
		return ""
	}
	for _, c := range challenges {
		if c.Scheme == "bearer" && c.Params["scope"] != "" {
			return c.Params["scope"]
		}
	}
	return ""
}

package runtime

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

const (
	// legacyProtocol is the last version that begins with initialize.
	legacyProtocol = "2025-11-25"
	// statelessProtocol is the first version that begins with server/discover.
	statelessProtocol = "2026-07-28"

	methodDiscover = "server/discover"
	methodElicited = "notifications/elicitation/complete"
)

// errNoAnswer ends a first attempt that leaves time for a second one.
var errNoAnswer = fmt.Errorf("%w: the handshake got no answer", ErrTimeout)

// negotiate connects with the version that the configuration pins, or finds one: an
// attempt that begins with server/discover, and where a server cannot cope with
// that, another one that does not mention it.
func (e *endpoint) negotiate(ctx context.Context) (*session, error) {
	if ctx.Err() != nil {
		return nil, timedOut(ctx)
	}
	pinned := e.cfg.Protocol
	if pinned != "" && pinned != "auto" {
		return e.pinned(ctx, pinned)
	}
	deadline, _ := ctx.Deadline() // Connect set one
	budget := time.Until(deadline)
	s, err := e.attempt(ctx, attempt{discover: budget / 3, limit: budget * 2 / 3})
	switch {
	case ctx.Err() != nil && errors.Is(err, errNoAnswer):
		return nil, timedOut(ctx) // the whole is over, and that is what is told
	case err == nil || ctx.Err() != nil || final(err):
		return s, err
	}
	e.logger.Debug("handshake failed, trying again without server/discover", "error", e.clean(err))
	return e.attempt(ctx, attempt{version: legacyProtocol})
}

func (e *endpoint) pinned(ctx context.Context, version string) (*session, error) {
	known := mcp.SupportedProtocolVersions()
	if !slices.Contains(known, version) {
		return nil, fmt.Errorf("protocol %s is unknown; set one of %s, or auto", quoted(version), strings.Join(known, ", "))
	}
	s, err := e.attempt(ctx, attempt{version: version})
	if err != nil {
		return nil, err
	}
	if got := s.sdk.InitializeResult().ProtocolVersion; got != version {
		s.start(func(error) {})
		_ = s.end(ctx, errClosed)
		return nil, fmt.Errorf("protocol is pinned to %s, but the server chose %s; pin that, or set protocol to auto", version, quoted(got))
	}
	return s, nil
}

// final reports whether a second attempt would end like the first.
func final(err error) bool {
	var (
		dial   *net.OpError
		name   *net.DNSError
		status *wire.StatusError
	)
	switch {
	case needsAuth(err):
		return true
	case errors.As(err, &name), errors.As(err, &dial) && dial.Op == "dial",
		errors.As(err, new(*x509.UnknownAuthorityError)), errors.As(err, new(*x509.HostnameError)),
		errors.As(err, new(*exec.Error)), errors.Is(err, wire.ErrRedirect):
		return true
	case errors.As(err, &status):
		return status.Status == http.StatusForbidden
	}
	return false
}

// An attempt is one try at a handshake.
type attempt struct {
	version  string        // "": the newest
	discover time.Duration // for server/discover; 0: as long as the whole
	limit    time.Duration // for an attempt with a server that has begun to speak; 0: none
	listener *listener     // nil: for calls

	questions *questions // of the connection; set when it is made
}

// attempt makes one try. It returns at the end of ctx even if the SDK does not,
// and closes what the SDK comes back with later.
func (e *endpoint) attempt(ctx context.Context, a attempt) (*session, error) {
	open := e.open
	if a.listener != nil {
		open = func() (link, error) { return e.openHTTP(a.listener) }
	}
	l, err := open()
	if err != nil {
		return nil, err
	}
	whole := ctx
	ctx, cancel := context.WithCancelCause(whole)
	defer cancel(nil)
	if a.limit > 0 {
		timer := time.AfterFunc(a.limit, func() {
			if !l.quiet() {
				cancel(errNoAnswer)
			}
		})
		defer timer.Stop()
	}
	a.questions = newQuestions()
	type outcome struct {
		sdk *mcp.ClientSession
		err error
	}
	answer := make(chan outcome, 1)
	go func() {
		sdk, err := guarded(e, sdkPanicked, func() (*mcp.ClientSession, error) {
			return e.client(a).Connect(ctx, l.transport(), &mcp.ClientSessionOptions{ProtocolVersion: a.version})
		})
		answer <- outcome{sdk, err}
	}()
	var got outcome
	select {
	case got = <-answer:
	case <-ctx.Done():
		l.abort()
		go func() {
			if late := <-answer; late.sdk != nil {
				_ = late.sdk.Close()
			}
		}()
		return nil, l.explain(eitherTimedOut(whole, ctx))
	}
	if got.err != nil {
		err := got.err
		if ctx.Err() != nil {
			err = eitherTimedOut(whole, ctx)
		}
		err = l.explain(err)
		l.abort()
		return nil, err
	}
	s := e.newSession(got.sdk, l)
	a.questions.endWith(s.ctx)
	return s, nil
}

// eitherTimedOut is [timedOut] for an attempt that has ended. On a slow machine that
// may be noticed only after the end of the whole that it is part of.
func eitherTimedOut(whole, attempt context.Context) error {
	if whole.Err() != nil {
		return timedOut(whole)
	}
	return timedOut(attempt)
}

// client makes an SDK client for one attempt.
func (e *endpoint) client(a attempt) *mcp.Client {
	name, version := e.implementation()
	o := &mcp.ClientOptions{
		// The SDK logs server text as it is.
		Logger: slog.New(slog.DiscardHandler),
		// Nothing is offered to the server that nobody here could answer.
		Capabilities: &mcp.ClientCapabilities{},
		// It would run what the server asks for in a goroutine where a panic ends
		// the process.
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},

		ProgressNotificationHandler: e.reported,
	}
	switch {
	case a.listener != nil:
		o.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { a.listener.changed() }
	case e.o.watch != nil && e.cfg.URL == "":
		o.ToolListChangedHandler = e.toolsChanged
	}
	if a.listener == nil {
		e.offerElicitation(o.Capabilities)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: version}, o)
	c.AddReceivingMiddleware(e.recovering, e.elicited(a.questions))
	c.AddSendingMiddleware(e.traced)
	if a.discover > 0 {
		c.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == methodDiscover {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, a.discover)
					defer cancel()
				}
				return next(ctx, method, req)
			}
		})
	}
	return c
}

func (e *endpoint) implementation() (name, version string) {
	name, version = e.o.implName, e.o.implVersion
	if name == "" {
		name = "mcpbind"
	}
	if version == "" {
		version = "devel"
		if info, ok := debug.ReadBuildInfo(); ok {
			for _, m := range append(info.Deps, &info.Main) {
				if m.Path == "github.com/mcpbind/mcpbind" && m.Version != "" && m.Version != "(devel)" {
					version = m.Version
				}
			}
		}
	}
	return name, version
}

// recovering keeps a panic over a message of the server from ending the process:
// the SDK handles messages in goroutines of its own.
func (e *endpoint) recovering(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == methodElicited && lacksParams(req) {
			// The SDK panics over it with a lock in its hands.
			return nil, nil
		}
		return guarded(e, sdkPanicked, func() (mcp.Result, error) { return next(ctx, method, req) })
	}
}

func lacksParams(req mcp.Request) bool {
	params, ok := req.GetParams().(*mcp.ElicitationCompleteParams)
	return !ok || params == nil
}

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// A session is one established connection.
type session struct {
	e    *endpoint
	sdk  *mcp.ClientSession
	link link

	ctx    context.Context // of every call; its cause says why the session ended
	cancel context.CancelCauseFunc
	gone   chan struct{} // closed when everything is torn down, or given up on

	answered atomic.Bool  // a call was
	calls    atomic.Int32 // in flight

	listing chan struct{}                                 // holds one token: who takes it may list for params
	params  atomic.Pointer[map[string][]wire.ParamHeader] // by wire name; nil before the first list
}

func (e *endpoint) newSession(sdk *mcp.ClientSession, l link) *session {
	s := &session{e: e, sdk: sdk, link: l, gone: make(chan struct{}), listing: make(chan struct{}, 1)}
	s.listing <- struct{}{}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// start watches the session until its end. lost is called when it ended by itself.
func (s *session) start(lost func(cause error)) {
	begun := time.Now()
	go func() {
		defer close(s.gone)
		defer s.ended(begun)
		over := make(chan error, 1)
		go func() { over <- s.sdk.Wait() }()
		if s.e.o.keepAlive > 0 && s.sdk.InitializeResult().ProtocolVersion < statelessProtocol {
			go s.keepAlive(s.e.o.keepAlive)
		}
		select {
		case err := <-over:
			if err == nil {
				err = errServerLeft
			}
			err = s.link.explain(err)
			lost(err) // first, so that a call that ends finds it out
			s.cancel(err)
		case <-s.ctx.Done():
			if cause := context.Cause(s.ctx); !errors.Is(cause, errClosed) && !errors.Is(cause, errReconnected) {
				s.link.abort()
				lost(cause)
			}
		}
		s.tearDown()
	}()
}

var errServerLeft = &plainError{"the server ended the connection", []error{io.EOF}}

// end ends the session and waits, within bounds and within ctx: then it goes on ending
// by itself.
func (s *session) end(ctx context.Context, cause error) error {
	s.cancel(cause)
	timer := time.NewTimer(endTimeout)
	defer timer.Stop()
	select {
	case <-s.gone:
		return nil
	case <-ctx.Done():
		return timedOut(ctx)
	case <-timer.C:
		return fmt.Errorf("%w: not closed after %v", ErrTimeout, endTimeout)
	}
}

// tearDown closes the SDK's session and the link: in good order first, then by
// force. The SDK's Close waits for calls, handlers and writes, for ever if it must.
func (s *session) tearDown() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		finished := make(chan struct{})
		go func() { defer close(finished); s.link.finish() }()
		_ = s.sdk.Close()
		<-finished
	}()
	force := endTimeout / 5
	if !within(done, endTimeout-force) {
		s.link.abort()
		within(done, force/2)
	}
	s.link.abort()
}

// maxMissedPings in a row end a session: one lost answer is no reason.
const maxMissedPings = 3

// keepAlive pings the server and ends the session when it no longer answers. The
// SDK's own would wait with that for calls in flight.
func (s *session) keepAlive(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	missed := 0
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(s.ctx, max(interval/2, time.Millisecond))
		_, err := guarded(s.e, sdkPanicked, func() (struct{}, error) { return struct{}{}, s.sdk.Ping(ctx, nil) })
		cancel()
		rpc, answered := errors.AsType[*jsonrpc.Error](err)
		answered = answered && !ofSDK(rpc)
		switch {
		case err == nil:
			missed = 0
			continue
		case answered && rpc.Code == jsonrpc.CodeMethodNotFound:
			return // no ping on this server
		case answered: // an error is an answer
			missed = 0
			continue
		case s.ctx.Err() != nil:
			return
		case s.e.cfg.URL == "" && s.calls.Load() > 0:
			// Many a child hears nothing while it is at work, and one that dies is
			// noticed anyway: how long a call may take is for its caller to say.
			missed = 0
			continue
		}
		if missed++; missed >= maxMissedPings {
			s.cancel(fmt.Errorf("%w: %d in a row", errNoPong, missed))
			return
		}
	}
}

// enter returns the context of one call, which ends with the session. The SDK
// leaves what a server keeps open behind until that context ends: call finish when
// the call returns.
func (s *session) enter(ctx context.Context) (call context.Context, finish func()) {
	call, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return call, func() { stop(); cancel(nil) }
}

// paramHeaders returns the HTTP headers that repeat arguments of the call. They
// follow from the tool's schema, so the tools are listed if they never were.
func (s *session) paramHeaders(ctx context.Context, name string, arguments json.RawMessage) map[string]string {
	if !s.mirrors() {
		return nil
	}
	params := s.params.Load()
	if params == nil {
		params = s.learnParams(ctx)
	}
	var headers map[string]string
	for _, p := range (*params)[name] {
		if value, ok := p.Value(arguments); ok {
			if headers == nil {
				headers = map[string]string{}
			}
			headers[p.Header] = value
		}
	}
	return headers
}

func (s *session) mirrors() bool {
	return s.link.mirrors() && s.sdk.InitializeResult().ProtocolVersion >= statelessProtocol
}

func (s *session) learnParams(ctx context.Context) *map[string][]wire.ParamHeader {
	none := &map[string][]wire.ParamHeader{}
	select {
	case <-s.listing:
		defer func() { s.listing <- struct{}{} }()
	case <-ctx.Done():
		return none
	}
	if s.params.Load() == nil {
		if _, err := s.listTools(ctx); err != nil {
			s.e.logger.Warn("tools could not be listed before a call; arguments are not repeated in headers", "error", s.e.clean(err))
			if ctx.Err() == nil {
				s.params.CompareAndSwap(nil, none) // not again before every call
			}
		}
	}
	if params := s.params.Load(); params != nil {
		return params
	}
	return none
}

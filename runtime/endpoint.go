package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/internal/telemetry"
)

// endTimeout bounds Close, whatever the server and its transport do. It is a variable
// for tests of real connections, on machines where nothing happens for seconds.
var endTimeout = 5 * time.Second

// Why a connection ended, where we ended it.
var (
	errClosed      = errors.New("closed")
	errReconnected = errors.New("closed for a new connection")
	errNoPong      = errors.New("server does not answer pings")
)

// A link is the transport of one attempt to connect, with a hold on it from
// outside: the SDK alone cannot be made to let go in time.
type link interface {
	transport() mcp.Transport
	// finish ends the link in good order, as far as that is the link's business
	// and not the session's. It may take as long as the server lets it.
	finish()
	// abort ends whatever is in flight at once. It may be called at any time,
	// repeatedly, and while finish runs.
	abort()
	// explain adds to err what the link knows of the reason.
	explain(err error) error
	// quiet reports whether the server may still be starting up.
	quiet() bool
	// mirrors reports whether arguments are repeated in HTTP headers.
	mirrors() bool
}

// An endpoint is one configured server and, while it is connected, its session.
// The clients are shells around it. It is safe for concurrent use.
type endpoint struct {
	cfg     ServerConfig
	o       options
	secrets *redact.Redactor
	logger  *slog.Logger
	open    func() (link, error) // a fresh link; dials nothing yet

	instruments *telemetry.Instruments

	progress    progressFeeds
	watcher     *watcher // nil unless the list of tools is watched
	subscribers feed[ToolChanges]

	auth *authenticator // nil until an HTTP server with an Auth is dialled

	panics sync.Map // what of them was logged

	turn chan struct{} // holds one token: who takes it may change the session

	mu         sync.Mutex
	state      State
	since      time.Time
	lastErr    error
	changed    chan struct{}           // closed when state changes, and replaced
	live       *session                // nil unless ready
	connecting context.CancelCauseFunc // nil unless connecting
	info       *mcp.InitializeResult   // of the last session

	kept     bool                 // connected once and not closed since: worth bringing back
	closes   int                  // calls of Close
	tries    int                  // attempts to connect that failed, ever
	failures int                  // those in a row, and sessions that did not last
	revivals int                  // connections brought back
	revival  *revival             // nil unless the connection is being brought back
	lists    int                  // begun
	noted    int                  // the number of the one that known is from
	notedAt  time.Time            // when that was
	known    digests              // as last listed; nil: never
	gone     map[string]time.Time // tools that were listed once and are not now
	changes  *ToolChanges         // of the last list that had some

	latest   []Tool             // the last list that differed from the one before; nil: none did
	untold   []relisting        // what tell has yet to tell, in order
	telling  bool               // a goroutine is at it
	relisted func(tools []Tool) // told of lists that differ; nil for none
}

func newEndpoint(cfg ServerConfig, opts []Option) *endpoint {
	o := newOptions(opts)
	e := &endpoint{
		cfg:     cfg,
		o:       o,
		secrets: newRedactor(cfg),
		logger:  o.logger.With("server", harmless(cfg.Name, maxName)),
		turn:    make(chan struct{}, 1),
		state:   StateNew,
		since:   time.Now(),
		changed: make(chan struct{}),
		gone:    map[string]time.Time{},

		instruments: telemetry.New(o.tracers, o.meters),
	}
	e.turn <- struct{}{}
	e.subscribers.deliver = func(c ToolChanges) { e.o.toolChanges(cfg.Name, c) }
	e.subscribers.failed = func(err error) { e.logger.Error("a callback for changed tools panicked", "error", err) }
	return e
}

// Connect connects to the server: handshake and choice of protocol version. An
// earlier session is closed first. It may be called again after a failure, after
// Close, or to replace a session. It returns within ctx and within the server's
// timeout, and fails when Close is called meanwhile.
func (e *endpoint) Connect(ctx context.Context) error {
	timeout := e.o.timeoutFor(e.cfg)
	ctx, cancel := limited(ctx, timeout, "not connected", ErrCheckTimeout)
	defer cancel()
	e.mu.Lock()
	closes := e.closes
	e.stopReviving(errReconnected)
	e.mu.Unlock()
	defer e.resume()
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return e.fault("", PhaseConnect, timedOut(ctx))
	}
	if e.cfg.Err != nil {
		return e.fault("", PhaseConnect, e.cfg.Err)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if earlier := e.begin(stop); earlier != nil {
		_ = earlier.end(ctx, errReconnected)
	}
	if e.closedSince(closes) {
		stop(errClosed)
	}
	s, err := e.negotiate(ctx)
	if err != nil {
		err = e.fault("", PhaseConnect, err)
		e.settle(nil, err)
		return err
	}
	e.mu.Lock()
	e.failures = 0
	clear(e.gone) // said of the session before; this one may have them again
	e.mu.Unlock()
	e.settle(s, nil)
	_, version, protocol := e.ServerInfo()
	e.logger.Info("MCP server connected", "endpoint", e.address(),
		"version", harmless(e.secrets.Text(version), maxName), "protocol", harmless(protocol, maxName))
	return nil
}

// begin enters connecting and returns the session that has to go. The last error
// stays until there is a connection.
func (e *endpoint) begin(stop context.CancelCauseFunc) *session {
	e.mu.Lock()
	defer e.mu.Unlock()
	earlier := e.live
	e.live, e.connecting = nil, stop
	e.enter(StateConnecting, e.lastErr)
	return earlier
}

// closedSince reports whether Close was called after closes was read. Close itself
// ends only an attempt that has begun; one that waited for its turn asks here.
func (e *endpoint) closedSince(closes int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closes != closes
}

// resume goes on with what Connect put a stop to, unless that succeeded.
func (e *endpoint) resume() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kept && e.live == nil && e.connecting == nil {
		if e.state == StateConnecting {
			e.enter(StateDown, e.lastErr)
		}
		e.revive()
	}
}

// stopReviving ends the revival that may be going on. The caller holds e.mu.
func (e *endpoint) stopReviving(cause error) (done <-chan struct{}) {
	if e.revival == nil {
		return nil
	}
	done = e.revival.done
	e.revival.end(cause)
	e.revival = nil
	return done
}

// settle leaves connecting.
func (e *endpoint) settle(s *session, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.connecting = nil
	if err != nil {
		e.tries++
		e.failures++
		e.enter(StateDown, err)
		return
	}
	e.live, e.info, e.kept = s, s.sdk.InitializeResult(), true
	e.enter(StateReady, nil)
	e.startWatching()
	s.start(func(cause error) { e.lost(s, cause) })
}

// lost notes that a session ended by itself.
func (e *endpoint) lost(s *session, cause error) {
	err := e.fault("", PhaseConnect, unavailable(cause))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.live != s {
		return // replaced or closed in the meantime
	}
	e.live = nil
	if e.failures++; s.answered.Load() || time.Since(e.since) >= settled {
		e.failures = 0
	}
	e.enter(StateDown, err)
	e.logger.Warn("MCP connection lost", "error", err)
	e.revive()
}

// enter changes the state. The caller holds e.mu.
func (e *endpoint) enter(state State, err error) {
	e.state, e.since, e.lastErr = state, time.Now(), err
	close(e.changed)
	e.changed = make(chan struct{})
}

// Close ends the connection and every call in flight. It returns within 5 s, and
// nil when there is nothing to close. Only Connect opens the client again.
func (e *endpoint) Close() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), endTimeout,
		fmt.Errorf("%w: not closed after %v", ErrTimeout, endTimeout))
	defer cancel()
	defer e.stopWatching(ctx) // last: until it is our turn another watcher may be started
	e.mu.Lock()
	e.kept = false
	e.closes++
	revived := e.stopReviving(errClosed)
	if e.connecting != nil {
		e.connecting(errClosed)
	}
	e.mu.Unlock()

	if revived != nil {
		select {
		case <-revived:
		case <-ctx.Done():
		}
	}
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return e.fault("", PhaseClose, fmt.Errorf("%w: still connecting after %v", ErrTimeout, endTimeout))
	}
	e.mu.Lock()
	s := e.live
	e.live, e.kept, e.failures = nil, false, 0
	e.enter(StateClosed, nil)
	e.mu.Unlock()
	if s == nil {
		return nil
	}
	if err := s.end(ctx, errClosed); err != nil {
		return e.fault("", PhaseClose, err)
	}
	return nil
}

// State returns the state of the connection, since when, and the failure that led
// to it, nil for none.
func (e *endpoint) State() (State, time.Time, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state, e.since, e.lastErr
}

// upkeep returns how often the connection was brought back, and what the last list
// of tools that differed had for differences, nil for none.
func (e *endpoint) upkeep() (reconnects int, changes *ToolChanges) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.revivals, e.changes
}

// ServerInfo returns what the server said of itself when it was last connected to:
// server text, "" before that. protocol is the version of MCP in use.
func (e *endpoint) ServerInfo() (name, version, protocol string) {
	e.mu.Lock()
	info := e.info
	e.mu.Unlock()
	if info == nil {
		return "", "", ""
	}
	if info.ServerInfo != nil {
		name, version = info.ServerInfo.Name, info.ServerInfo.Version
	}
	return name, version, info.ProtocolVersion
}

// ready returns the live session, or why there is none. The caller holds e.mu.
func (e *endpoint) ready() (*session, error) {
	switch {
	case e.live != nil:
		return e.live, nil
	case e.state == StateConnecting && e.lastErr == nil:
		return nil, fmt.Errorf("%w: still connecting", ErrServerUnavailable)
	case e.lastErr != nil:
		// Told, not wrapped: this call has not itself met what took the server down.
		reason := innermost(e.lastErr).Error()
		advice := "call Connect to try again"
		if e.kept && !e.o.reconnect.Off {
			advice = "it is tried again"
		}
		return nil, fmt.Errorf("%w: %s (%s)", ErrServerUnavailable, strings.TrimPrefix(reason, ErrServerUnavailable.Error()+": "), advice)
	}
	return nil, ErrNotConnected
}

// address is where the server is, fit for logs.
func (e *endpoint) address() string {
	if e.cfg.URL != "" {
		return redactedEndpoint(e.cfg.URL, e.secrets)
	}
	return harmless(e.secrets.Text(e.cfg.Command), maxName)
}

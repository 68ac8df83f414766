package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

const (
	// maxResponse bounds one JSON body, one event of a stream and one line of a
	// child, in bytes, by default.
	maxResponse = 16 << 20
	// goodbyeTimeout bounds the request that ends a session.
	goodbyeTimeout = time.Second
	// headerMargin is what the wait for headers lasts beyond the time for connecting
	// and listing, so that whoever is out of that time says which setting it was.
	headerMargin = time.Second
)

// A StreamableHTTPClient is one MCP server over streamable HTTP. Make it with
// [NewStreamableHTTPClient], then Connect, then call. It is safe for concurrent
// use.
//
// Calls in the states new and closed fail with [ErrNotConnected]. A connection that
// was made once and is lost is brought back in the background until Close (see
// [WithReconnect]). A call that finds it down waits for the next attempt, which is
// then made at once, and fails with [ErrServerUnavailable] when that does.
//
// A call that surely did not reach the server is sent once more. Of one whose
// connection broke nobody knows what became: it is sent once more if it is
// [ToolCall.Repeatable], else its error wraps [ErrFateUnknown].
type StreamableHTTPClient struct {
	e *endpoint
}

var _ MCPClient = (*StreamableHTTPClient)(nil)

// NewStreamableHTTPClient returns a client for the server at cfg.URL. It dials
// nothing; a URL that cannot be used is an error of Connect.
func NewStreamableHTTPClient(cfg ServerConfig, opts ...Option) *StreamableHTTPClient {
	e := newEndpoint(cfg, opts)
	e.open = func() (link, error) { return e.openHTTP(nil) }
	return &StreamableHTTPClient{e: e}
}

// Connect connects to the server: handshake and choice of protocol version. An
// earlier session is closed first, so it may be called again after a failure,
// after Close, or to start afresh. It returns within ctx and cfg.Timeout.
func (c *StreamableHTTPClient) Connect(ctx context.Context) error { return c.e.Connect(ctx) }

// Close ends the connection and every call in flight, within 5 s. It may be called
// repeatedly, and is nil when the client was never connected.
func (c *StreamableHTTPClient) Close() error { return c.e.Close() }

// ListTools asks the server for its tools, every page of them. Schemas are the
// server's bytes. It returns within ctx and cfg.Timeout.
func (c *StreamableHTTPClient) ListTools(ctx context.Context) ([]Tool, error) {
	return c.e.ListTools(ctx)
}

// CallTool calls the tool of the server whose wire name is call.Name; call.Server
// is not looked at. A result with IsError set is not an error here. It returns
// within ctx.
func (c *StreamableHTTPClient) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	return c.e.CallTool(ctx, call)
}

// State returns the state of the connection, since when, and the failure that led
// to it, nil for none.
func (c *StreamableHTTPClient) State() (State, time.Time, error) { return c.e.State() }

func (c *StreamableHTTPClient) upkeep() (int, *ToolChanges) { return c.e.upkeep() }

func (c *StreamableHTTPClient) listAgain(ctx context.Context) { c.e.listAgain(ctx) }

func (c *StreamableHTTPClient) redactor() *redact.Redactor { return c.e.secrets }

func (c *StreamableHTTPClient) onRelist(f func(tools []Tool)) { c.e.onRelist(f) }

// ServerInfo returns what the server said of itself when it was last connected to:
// server text, "" before that. protocol is the version of MCP in use.
func (c *StreamableHTTPClient) ServerInfo() (name, version, protocol string) {
	return c.e.ServerInfo()
}

// openHTTP makes the link of one attempt, for calls or for a listener.
func (e *endpoint) openHTTP(listener *listener) (link, error) {
	u, err := url.Parse(e.cfg.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, errors.New("url is no absolute http or https URL") // its text may hold a secret
	}
	if err := checkHeaders(e.cfg.Headers); err != nil {
		return nil, err
	}
	base := e.o.base // nil: one of our own
	var idle func()
	if base == nil {
		own, ok := http.DefaultTransport.(*http.Transport)
		if ok {
			own = own.Clone()
			base, idle = own, own.CloseIdleConnections
		} else {
			base = http.DefaultTransport
		}
	}
	base, err = e.authTransport(&learningTransport{e.tracedTransport(base), e.secrets})
	if err != nil {
		return nil, err
	}
	name, version := e.implementation()
	o := wire.HTTPOptions{
		Endpoint:       u,
		Headers:        e.cfg.Headers,
		UserAgent:      fmt.Sprintf("%s/%s", name, version),
		Base:           base,
		Authorized:     e.cfg.Auth != nil,
		MaxBody:        e.o.maxResponse,
		IdleTimeout:    e.o.idleTimeout,
		HeaderTimeout:  e.o.timeoutFor(e.cfg) + headerMargin,
		GoodbyeTimeout: goodbyeTimeout,
	}
	if listener != nil {
		o.StreamEnded = listener.ended
	}
	rt := wire.NewHTTP(o)
	return &httpLink{rt: rt, idle: idle, sdk: &mcp.StreamableClientTransport{
		Endpoint:   e.cfg.URL,
		HTTPClient: rt.Client(),
		// A stream that broke is resumed for some five seconds, not for twenty.
		MaxRetries: 3,
		// Of no use to calls, except that servers may ask over it.
		DisableStandaloneSSE: e.o.elicit == nil && listener == nil,
	}}, nil
}

// checkHeaders returns what net/http would say of headers that it does not send, with
// what to do about it. A variable that was read from a file often ends in a line break.
func checkHeaders(headers map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch {
		case !headerName.MatchString(name):
			return fmt.Errorf("header %s is no name of a header (%w)", quoted(name), ErrCheckHeaders)
		case unfitForHeader(headers[name]):
			return fmt.Errorf("header %s holds a line break or another control character: remove it where the value comes from (%w)", quoted(name), ErrCheckHeaders)
		}
	}
	return nil
}

// headerName matches a token of RFC 9110.
var headerName = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]+$")

func unfitForHeader(value string) bool {
	return strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// An httpLink is the transport of one HTTP session. It is an SDK transport that
// remembers the connection it made and does not wrap it.
type httpLink struct {
	rt   *wire.HTTP
	sdk  *mcp.StreamableClientTransport
	idle func() // nil: the connections are not ours

	mu      sync.Mutex
	conn    mcp.Connection
	aborted bool
}

// Connect implements [mcp.Transport].
func (l *httpLink) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := l.sdk.Connect(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.aborted {
		_ = conn.Close()
		return nil, wire.ErrClosed
	}
	l.conn = conn
	return conn, nil
}

func (l *httpLink) transport() mcp.Transport { return l }
func (l *httpLink) finish()                  {}
func (l *httpLink) explain(err error) error  { return err }
func (l *httpLink) quiet() bool              { return false }
func (l *httpLink) mirrors() bool            { return true }

func (l *httpLink) abort() {
	l.rt.Abort()
	l.mu.Lock()
	conn := l.conn
	l.aborted = true
	l.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
	if l.idle != nil {
		l.idle()
	}
}

package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	headerProtocol = "Mcp-Protocol-Version"
	headerSession  = "Mcp-Session-Id"

	typeJSON   = "application/json"
	typeStream = "text/event-stream"

	// paramHeadersSince is the protocol version from which on arguments are
	// mirrored into headers.
	paramHeadersSince = "2026-07-28"
)

// trailerGrace is how long a stream may take to end after its response.
const trailerGrace = 200 * time.Millisecond

// HTTPOptions configures [NewHTTP].
type HTTPOptions struct {
	Endpoint  *url.URL
	Headers   map[string]string // for Endpoint's origin only
	UserAgent string            // "" leaves Go's
	Base      http.RoundTripper
	// Authorized is that Base adds the credentials.
	Authorized bool
	// MaxBody bounds one JSON body and one event of a stream, in bytes.
	MaxBody int64
	// HeaderTimeout bounds the wait for response headers of every request but a
	// tool call, which may take as long as its caller lets it.
	HeaderTimeout time.Duration
	// IdleTimeout bounds the silence of a server within a tool call: before its
	// headers and between two pieces of an event stream. 0: none.
	IdleTimeout time.Duration
	// GoodbyeTimeout bounds the request that ends the session.
	GoodbyeTimeout time.Duration
	// StreamEnded is told when a stream of notifications has ended or could not be
	// opened: a standalone GET, which is not tried again then, or a subscription.
	// nil: nobody wants to know.
	StreamEnded func()
}

// HTTP is a round tripper for one MCP endpoint. It is safe for concurrent use.
type HTTP struct {
	o     HTTPOptions
	ctx   context.Context // done: Abort was called
	abort context.CancelCauseFunc
}

// NewHTTP returns a round tripper for the SDK's streamable transport.
func NewHTTP(o HTTPOptions) *HTTP {
	t := &HTTP{o: o}
	t.ctx, t.abort = context.WithCancelCause(context.Background())
	return t
}

// Abort ends every request in flight and refuses later ones.
func (t *HTTP) Abort() { t.abort(ErrClosed) }

// Client returns an HTTP client over t that follows no redirect to another origin
// and none that would turn a POST into a GET.
func (t *HTTP) Client() *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		switch {
		case !sameOrigin(req.URL, t.o.Endpoint):
			return fmt.Errorf("%w: from %s to %s (%w: the latter belongs there if it is right)",
				ErrRedirect, origin(t.o.Endpoint), origin(req.URL), ErrCheckURL)
		case req.Method != via[0].Method:
			return fmt.Errorf("%w: it turns a %s into a %s (%w)", ErrRedirect, via[0].Method, req.Method, ErrCheckURL)
		case len(via) >= 10:
			return fmt.Errorf("%w: more than 10 in a row", ErrRedirect)
		}
		return nil
	}}
}

// RoundTrip implements [http.RoundTripper]. It returns once a JSON body was read
// whole, within the context of the request.
func (t *HTTP) RoundTrip(req *http.Request) (*http.Response, error) {
	x, err := t.exchangeOf(req)
	if err != nil {
		closeRequest(req)
		return nil, err
	}
	if !sameOrigin(req.URL, t.o.Endpoint) {
		closeRequest(req)
		return nil, errOtherOrigin
	}
	if x == nil && req.Method == http.MethodGet {
		return t.standalone(req), nil
	}
	resp, err := t.exchange(req, x)
	t.followListen(x, resp, err)
	return resp, err
}

// exchange sends req and makes its answer what the SDK may see.
func (t *HTTP) exchange(req *http.Request, x *exchange) (*http.Response, error) {
	// The caller's context ends when the call returns, but a stream whose response
	// has arrived gets a moment to end by itself: its connection can be used again.
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(req.Context()))
	stopCaller := context.AfterFunc(req.Context(), func() {
		if x != nil && x.answered.Load() {
			time.AfterFunc(trailerGrace, func() { cancel(context.Canceled) })
			return
		}
		cancel(context.Cause(req.Context()))
	})
	stopAbort := context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
	done := func() { stopCaller(); stopAbort(); cancel(context.Canceled) }

	reached := &reach{}
	clone := req.Clone(reached.trace(ctx))
	t.setHeaders(clone, x)
	resp, err := t.send(clone, x, cancel)
	if err != nil {
		done()
		if reached.nobody(err) {
			x.takeBack(req, err)
		}
		if errors.Is(err, ErrUnauthorized) {
			return t.unusable(req, x, err)
		}
		return nil, causeOf(ctx, err)
	}
	resp.Body = t.patient(&releasingBody{ReadCloser: resp.Body, release: done}, resp, cancel)
	resp, err = t.check(req, resp, x)
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	return resp, nil
}

// exchangeOf finds what req waits for: the request in its body, or for a stream
// that is resumed, the call in whose context it runs. nil: nothing.
func (t *HTTP) exchangeOf(req *http.Request) (*exchange, error) {
	slot := slotFrom(req.Context())
	if req.Method == http.MethodGet && slot != nil {
		return slot.current(), nil
	}
	if req.Method != http.MethodPost || req.GetBody == nil {
		return nil, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	id, method, err := head(data)
	if err != nil || id == nil || method == "" {
		return nil, err // a notification, or a response to the server
	}
	x := &exchange{id: id, method: method}
	if slot != nil && (method == methodCallTool || method == methodListTools) {
		x.slot = slot
		slot.begin(x, nil)
	}
	return x, nil
}

func (t *HTTP) setHeaders(req *http.Request, x *exchange) {
	if t.o.UserAgent != "" {
		req.Header.Set("User-Agent", t.o.UserAgent)
	}
	if x != nil && x.slot != nil && x.method == methodCallTool && req.Header.Get(headerProtocol) >= paramHeadersSince {
		for name, value := range x.slot.ParamHeaders {
			req.Header.Set(name, value)
		}
	}
	for name, value := range t.o.Headers {
		switch {
		case strings.EqualFold(name, "Host"):
			req.Host = value
		case strings.EqualFold(name, "User-Agent"), req.Header.Get(name) == "":
			req.Header.Set(name, value)
		}
	}
}

// send sends req and waits for the response headers, for as long as its kind may
// take.
func (t *HTTP) send(req *http.Request, x *exchange, cancel context.CancelCauseFunc) (*http.Response, error) {
	limit := t.o.HeaderTimeout
	switch {
	case req.Method == http.MethodDelete:
		limit = t.o.GoodbyeTimeout
	case x != nil && x.method == methodCallTool:
		limit = t.o.IdleTimeout
	case x == nil && req.Method == http.MethodGet:
		limit = 0 // they may come with the first event
	}
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { cancel(ErrSlowHeaders) })
		defer timer.Stop()
	}
	return t.o.Base.RoundTrip(req)
}

// check turns resp into what the SDK may see, or into an error that costs this
// request only.
func (t *HTTP) check(req *http.Request, resp *http.Response, x *exchange) (*http.Response, error) {
	// The SDK ends the session when the id changes. The first one stays valid
	// until the server says otherwise.
	if sent := req.Header.Get(headerSession); sent != "" {
		resp.Header.Del(headerSession)
	}
	switch {
	case isRedirect(resp):
		x.takeBack(req, ErrRedirect) // unless it is followed
		return resp, nil             // for the client's CheckRedirect
	case req.Method == http.MethodDelete:
		return resp, nil // nobody minds
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return t.refused(req, resp, x)
	case x == nil && req.Method == http.MethodGet:
		resp.Body = newStream(nil, resp.Body, t.o.MaxBody)
		return resp, nil
	case x == nil:
		return resp, nil
	case resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent:
		_ = resp.Body.Close()
		return t.unusable(req, x, fmt.Errorf("%w: HTTP status %d", ErrNoResponse, resp.StatusCode))
	}
	switch mediaType(resp) {
	case typeStream:
		resp.Body = newStream(x, resp.Body, t.o.MaxBody)
		resp.ContentLength = -1
		resp.Header.Del("Content-Length")
		return resp, nil
	case typeJSON:
		body, err := readBounded(resp.Body, t.o.MaxBody)
		if err != nil {
			return t.unusable(req, x, err)
		}
		out, done, err := x.accept(body)
		if err == nil && !done {
			err = ErrWrongID
		}
		if err != nil {
			return t.unusable(req, x, err)
		}
		return withJSON(resp, out), nil
	default:
		_ = resp.Body.Close()
		return t.unusable(req, x, fmt.Errorf("%w: content type %q (%w)", ErrNotMCP, mediaType(resp), ErrCheckURL))
	}
}

// unusable fails the one request that req belongs to. A stream that is resumed
// gets a stream that ends its call: the SDK ends the session over anything else.
func (t *HTTP) unusable(req *http.Request, x *exchange, err error) (*http.Response, error) {
	if x == nil || req.Method != http.MethodGet {
		if x != nil && x.slot != nil {
			x.slot.fail(err)
		}
		return nil, err
	}
	s := newStream(x, io.NopCloser(strings.NewReader("")), t.o.MaxBody)
	// What is refused here is the rest of an answer, not the call.
	s.emit(event{}, x.fail(fmt.Errorf("%w: resuming its stream: %w", ErrNoResponse, err)))
	s.err = io.EOF
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {typeStream}}, Body: s, ContentLength: -1, Request: req,
	}, nil
}

// readBounded reads body whole, up to limit bytes, and closes it.
func readBounded(body io.ReadCloser, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	_ = body.Close()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResponse, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return data, nil
}

func withJSON(resp *http.Response, data []byte) *http.Response {
	resp.Header.Set("Content-Type", typeJSON)
	return withBody(resp, data)
}

func withBody(resp *http.Response, data []byte) *http.Response {
	resp.Body = io.NopCloser(bytes.NewReader(data))
	resp.ContentLength = int64(len(data))
	resp.Header.Del("Content-Length")
	return resp
}

// mediaType is the content type without parameters. JSON by another name counts
// as JSON.
func mediaType(resp *http.Response) string {
	name, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil && name == "" {
		name = strings.TrimSpace(strings.ToLower(resp.Header.Get("Content-Type")))
	}
	if name == "text/json" || strings.HasSuffix(name, "+json") {
		return typeJSON
	}
	return name
}

func isRedirect(resp *http.Response) bool {
	if resp.Header.Get("Location") == "" {
		return false
	}
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

func sameOrigin(a, b *url.URL) bool { return origin(a) == origin(b) }

func origin(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return u.Scheme + "://" + host + ":" + port
}

func closeRequest(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// causeOf names the reason of a context's end where that is what err comes from.
func causeOf(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// A releasingBody releases what its request holds when it is closed.
type releasingBody struct {
	io.ReadCloser
	release func()
}

func (b *releasingBody) Close() error {
	err := b.ReadCloser.Close()
	b.release()
	return err
}

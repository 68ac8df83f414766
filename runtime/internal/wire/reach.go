package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// A reach watches how far a request got.
type reach struct {
	tried, connected atomic.Bool
}

func (r *reach) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { r.tried.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { r.connected.Store(true) },
	})
}

// nobody reports whether a request that failed with err surely reached nobody: no
// connection was had. A transport that does not report about itself is believed only
// when it says that it could not dial.
func (r *reach) nobody(err error) bool {
	if r.connected.Load() {
		return false
	}
	dial, ok := errors.AsType[*net.OpError](err)
	return r.tried.Load() || (ok && dial.Op == "dial")
}

// stallTimeout is how long a JSON body that has begun may stand still.
const stallTimeout = 30 * time.Second

// patient bounds the silence within resp's body, by cancelling its request.
func (t *HTTP) patient(body io.ReadCloser, resp *http.Response, cancel context.CancelCauseFunc) io.ReadCloser {
	limit := t.o.IdleTimeout
	if mediaType(resp) != typeStream {
		limit = stallTimeout
		if t.o.IdleTimeout > 0 {
			limit = min(limit, t.o.IdleTimeout)
		}
	}
	if limit <= 0 {
		return body
	}
	b := &patientBody{ReadCloser: body, limit: limit}
	b.timer = time.AfterFunc(limit, func() {
		b.stalled.Store(true)
		cancel(ErrStalled)
	})
	return b
}

// A patientBody is a body whose server must not be silent for too long.
type patientBody struct {
	io.ReadCloser
	limit   time.Duration
	timer   *time.Timer
	stalled atomic.Bool
}

func (b *patientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && err == nil {
		b.timer.Reset(b.limit)
	}
	if err != nil && b.stalled.Load() {
		err = fmt.Errorf("%w for %v", ErrStalled, b.limit)
	}
	return n, err
}

func (b *patientBody) Close() error {
	b.timer.Stop()
	return b.ReadCloser.Close()
}

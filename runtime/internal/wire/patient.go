package wire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

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

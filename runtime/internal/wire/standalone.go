package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

const methodListen = "subscriptions/listen"

// Delays before a standalone stream is opened again.
const (
	firstReopen = time.Second
	lastReopen  = time.Minute
)

// standalone answers the GET by which the SDK listens to the server outside calls.
// The SDK waits for its headers while connecting, which servers may send with the
// first event only, and ends the session over its failure. So it gets a stream at
// once that never ends; what the server really sends is read behind it.
func (t *HTTP) standalone(req *http.Request) *http.Response {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(t.ctx, cancel)
	out, in := io.Pipe()
	go func() {
		// An end without an error would say that the server meant it.
		defer func() { stop(); cancel(); _ = in.CloseWithError(context.Canceled) }()
		t.keepOpen(req.Clone(ctx), in)
		<-ctx.Done()
	}()
	context.AfterFunc(ctx, func() { _ = out.CloseWithError(context.Canceled) })
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {typeStream}}, ContentLength: -1, Request: req,
		Body: &releasingBody{ReadCloser: out, release: cancel},
	}
}

// keepOpen copies the server's stream to w. One that breaks is opened again, unless
// somebody wants to hear of its end; a server that refuses is not asked again.
func (t *HTTP) keepOpen(req *http.Request, w io.Writer) {
	delay := firstReopen
	for {
		resp, err := t.exchange(req, nil)
		if err == nil {
			if resp.StatusCode != http.StatusOK || mediaType(resp) != typeStream {
				_ = resp.Body.Close()
				t.streamEnded()
				return
			}
			begun := time.Now()
			_, _ = io.Copy(w, resp.Body)
			_ = resp.Body.Close()
			if time.Since(begun) > lastReopen {
				delay = firstReopen
			}
		}
		if req.Context().Err() != nil {
			return
		}
		if t.o.StreamEnded != nil || refuses(err) {
			t.streamEnded()
			return
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
			delay = min(2*delay, lastReopen)
		case <-req.Context().Done():
			timer.Stop()
			return
		}
	}
}

// refuses reports whether err is the server's no to a standalone stream.
func refuses(err error) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && status.Status < http.StatusInternalServerError && status.Status != http.StatusTooManyRequests
}

func (t *HTTP) streamEnded() {
	if t.o.StreamEnded != nil {
		t.o.StreamEnded()
	}
}

// followListen has the end of a subscription told: the SDK does not mind it, and
// never opens another.
func (t *HTTP) followListen(x *exchange, resp *http.Response, err error) {
	if x == nil || x.method != methodListen || t.o.StreamEnded == nil {
		return
	}
	if err != nil {
		t.streamEnded()
		return
	}
	resp.Body = &endingBody{ReadCloser: resp.Body, ended: sync.OnceFunc(t.streamEnded)}
}

// An endingBody tells of its end, once.
type endingBody struct {
	io.ReadCloser
	ended func()
}

func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.ended()
	}
	return n, err
}

func (b *endingBody) Close() error {
	b.ended()
	return b.ReadCloser.Close()
}

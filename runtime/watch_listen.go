package runtime

import (
	"context"
	"sync"
	"time"
)

// A listener is the connection on which an HTTP server tells of changes. It carries
// no calls: the stream for notifications can keep a handshake from returning, and
// its failure can end the session that it belongs to.
type listener struct {
	changed func() // the server said that its tools have changed
	ended   func() // the stream is over, or there is none
}

// listen listens to the server for as long as ctx lasts, on one connection after the
// other. A server that never tells of changes is left alone.
func (w *watcher) listen(ctx context.Context) {
	delay := firstListenDelay
	for {
		protocol, tells := w.e.tellsOfChanges()
		if !tells {
			return
		}
		begun := time.Now()
		w.listenOnce(ctx, protocol)
		if time.Since(begun) > time.Minute {
			delay = firstListenDelay
		}
		if !pause(ctx, delay) {
			return
		}
		delay = min(2*delay, lastListenDelay)
	}
}

// tellsOfChanges reports whether the server promised to tell when its tools change,
// and the protocol version that it speaks.
func (e *endpoint) tellsOfChanges() (protocol string, tells bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.info == nil {
		return "", false
	}
	c := e.info.Capabilities
	return e.info.ProtocolVersion, c != nil && c.Tools != nil && c.Tools.ListChanged
}

// listenOnce makes one connection and returns when it has ended.
func (w *watcher) listenOnce(ctx context.Context, protocol string) {
	e := w.e
	over := make(chan struct{})
	ended := sync.OnceFunc(func() { close(over) })
	timed, cancel := context.WithTimeout(ctx, e.o.timeoutFor(e.cfg))
	defer cancel()
	s, err := e.attempt(timed, attempt{version: protocol, listener: &listener{changed: w.signal, ended: ended}})
	if err != nil {
		if ctx.Err() == nil {
			e.logger.Debug("the server cannot be listened to", "error", e.clean(err))
		}
		return
	}
	s.start(func(error) { ended() })
	w.signal() // for what has changed before there was anybody to tell
	select {
	case <-over:
	case <-ctx.Done():
	}
	_ = s.end(context.Background(), errClosed)
}

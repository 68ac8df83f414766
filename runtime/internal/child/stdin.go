package child

import (
	"context"
	"io"
	"sync"
)

// A writer owns the child's stdin. One goroutine writes, so that a child that does
// not read blocks nobody else.
type writer struct {
	pipe    io.WriteCloser
	lines   chan *pending
	stopped chan struct{}
	once    sync.Once
}

// A pending line waits for the pipe to take it.
type pending struct {
	line []byte
	done chan error
}

func newWriter(pipe io.WriteCloser) *writer {
	w := &writer{pipe: pipe, lines: make(chan *pending), stopped: make(chan struct{})}
	go w.run()
	return w
}

func (w *writer) run() {
	for {
		select {
		case p := <-w.lines:
			n, err := w.pipe.Write(p.line)
			if err != nil && n < len(p.line)-1 {
				err = &cutError{err}
			}
			p.done <- err
		case <-w.stopped:
			return
		}
	}
}

func (w *writer) write(ctx context.Context, line []byte) error {
	p := &pending{line: append(append(make([]byte, 0, len(line)+1), line...), '\n'), done: make(chan error, 1)}
	select {
	case w.lines <- p:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.stopped:
		return &cutError{ErrStopped}
	}
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-w.stopped: // the pipe is closed: the write is about to fail, if it has not succeeded
		return <-p.done
	}
}

// A cutError is a line of which at least the end was not written: the child cannot
// have understood it.
type cutError struct{ err error }

func (e *cutError) Error() string { return e.err.Error() }
func (e *cutError) Unwrap() error { return e.err }
func (e *cutError) Unsent() bool  { return true }

func (w *writer) stop() {
	w.once.Do(func() {
		close(w.stopped)
		_ = w.pipe.Close() // a write that is stuck in it returns
	})
}

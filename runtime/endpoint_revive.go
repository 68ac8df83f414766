package runtime

import (
	"context"
	"fmt"
	"time"
)

// A revival is the effort to bring one lost connection back: attempts, one at a
// time, with growing delays. An endpoint has one at the most.
type revival struct {
	ctx   context.Context
	end   context.CancelCauseFunc
	hurry chan struct{} // a call is waiting
	done  chan struct{} // closed when it has ended
}

// revive starts a revival unless there is one, or none is wanted. The caller holds
// e.mu.
func (e *endpoint) revive() {
	if !e.kept || e.o.reconnect.Off || e.revival != nil {
		return
	}
	r := &revival{hurry: make(chan struct{}, 1), done: make(chan struct{})}
	r.ctx, r.end = context.WithCancelCause(context.Background())
	e.revival = r
	go func() {
		defer e.tell() // with nothing held: who is told may close the client
		defer close(r.done)
		defer r.end(nil)
		e.attempts(r)
	}()
}

// attempts tries until it succeeds, is ended, or has failed too often.
func (e *endpoint) attempts(r *revival) {
	for {
		e.mu.Lock()
		failures, last := e.failures, e.since
		e.mu.Unlock()
		if !e.pause(r, last, failures) {
			return
		}
		err := e.reconnect(r)
		if r.ctx.Err() != nil {
			return // whoever ended it knows what to do next
		}
		if err != nil && failures+1 < e.o.reconnect.Attempts && !hopeless(err) {
			e.logger.Debug("MCP server is still down", "attempts", failures+1, "error", err)
			continue
		}
		if err != nil {
			e.logger.Warn("MCP server stays down until it is called", "attempts", failures+1, "error", err)
		}
		e.mu.Lock()
		if e.revival == r {
			e.revival = nil
			if err == nil && e.live == nil {
				e.revive() // it was lost at once
			}
		}
		e.mu.Unlock()
		return
	}
}

// hopeless reports whether more attempts would end like this one, whatever the
// server does meanwhile.
func hopeless(err error) bool {
	return final(err) && !unreachable(err)
}

// pause waits for the time of the next attempt, which calls bring forward. false:
// the revival has ended.
func (e *endpoint) pause(r *revival, last time.Time, failures int) bool {
	due := last.Add(e.o.reconnect.delay(failures))
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-r.hurry:
			if failures == 0 {
				return true
			}
			if soon := last.Add(patience); soon.Before(due) {
				due = soon
				timer.Reset(time.Until(due))
			}
		}
	}
}

// reconnect makes one attempt: connect, and list the tools where they were listed
// before.
func (e *endpoint) reconnect(r *revival) error {
	timeout := e.o.timeoutFor(e.cfg)
	ctx, cancel := limited(r.ctx, timeout, "not connected", ErrCheckTimeout)
	defer cancel()
	select {
	case <-e.turn:
		defer func() { e.turn <- struct{}{} }()
	case <-ctx.Done():
		return timedOut(ctx)
	}
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e.begin(stop)
	list := e.beginList()
	s, tools, phase, err := e.comeBack(ctx)
	if r.ctx.Err() != nil { // closed, or somebody else connects
		if s != nil {
			s.discard()
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.connecting = nil
		return context.Cause(r.ctx)
	}
	if err != nil {
		err = e.fault("", phase, err)
		e.settle(nil, err)
		return err
	}
	if tools != nil {
		e.compare(list, tools)
	}
	e.mu.Lock()
	e.revivals++
	e.mu.Unlock()
	e.settle(s, nil)
	e.logger.Info("MCP server connected again", "endpoint", e.address())
	return nil
}

// comeBack connects and lists. The session is nil with an error, and so are the tools
// where they were never listed before.
func (e *endpoint) comeBack(ctx context.Context) (s *session, tools []Tool, phase Phase, err error) {
	if s, err = e.negotiate(ctx); err != nil {
		return nil, nil, PhaseConnect, err
	}
	e.mu.Lock()
	listed := e.known != nil
	e.mu.Unlock()
	if !listed {
		return s, nil, "", nil
	}
	if tools, err = s.listTools(ctx); err != nil {
		s.discard()
		return nil, nil, PhaseList, err
	}
	return s, tools, "", nil
}

// discard ends a session that never went live, in the background.
func (s *session) discard() {
	s.start(func(error) {})
	s.cancel(errClosed)
}

// session returns the live session. While the connection is down it waits for the
// outcome of one attempt to bring it back, within ctx.
func (e *endpoint) session(ctx context.Context) (*session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	tries := e.tries
	for e.live == nil && e.kept && !e.o.reconnect.Off && e.tries == tries {
		if e.state == StateDown {
			e.revive()
		}
		if e.revival != nil {
			select {
			case e.revival.hurry <- struct{}{}:
			default:
			}
		}
		if !e.wait(ctx) {
			err := timedOut(ctx)
			if e.lastErr != nil {
				err = &plainError{fmt.Sprintf("%v: not sent, the server is down: %v", err, innermost(e.lastErr)), sentinels(err)}
			}
			return nil, err
		}
	}
	return e.ready()
}

// wait waits for a change of state with e.mu let go. false: ctx ended first.
func (e *endpoint) wait(ctx context.Context) bool {
	changed := e.changed
	e.mu.Unlock()
	defer e.mu.Lock()
	select {
	case <-changed:
		return true
	case <-ctx.Done():
		return false
	}
}

package runtime

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Progress is how far a server says that a call has come.
type Progress struct {
	Done    float64 // grows from report to report
	Total   float64 // in the same unit; 0: not known
	Message string  // server text, untrusted
}

// WithProgress asks the server for reports on the call. report is called in order,
// from one goroutine, and may take its time: when it is too slow, older reports are
// dropped. None begins once the call has returned. Many servers never report.
func WithProgress(report func(Progress)) CallOption {
	return callOption(func(o *callOptions) { o.progress = report })
}

// WithProgressTimeout fails the call with [ErrTimeout] when d passes without an answer
// or a report of progress. The deadline of the context and the server's call
// timeout stay above it: reports do not extend those.
func WithProgressTimeout(d time.Duration) CallOption {
	return callOption(func(o *callOptions) { o.idle = d })
}

// Bounds of the reports of one call.
const (
	maxReports    = 16                     // that wait for a slow callback
	progressGrace = 100 * time.Millisecond // for those that wait when the answer is there
)

// progressFeeds are the calls of one endpoint that want reports, by token.
type progressFeeds struct {
	last  atomic.Int64
	feeds sync.Map // string to *progressFeed
}

type progressTokenKey struct{}

// follow returns the context of a call whose reports go to call.Progress and put
// off its idle timeout. Call end when the call has returned.
func (e *endpoint) follow(ctx context.Context, call ToolCall) (_ context.Context, end func()) {
	if call.Progress == nil && call.ProgressTimeout <= 0 {
		return ctx, func() {}
	}
	feed := &progressFeed{e: e, report: call.Progress, idle: call.ProgressTimeout, drained: make(chan struct{}, 1)}
	token := "p" + strconv.FormatInt(e.progress.last.Add(1), 10)
	e.progress.feeds.Store(token, feed)
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, progressTokenKey{}, token))
	if feed.idle > 0 {
		feed.timer = time.AfterFunc(feed.idle, func() {
			cancel(fmt.Errorf("%w: neither answer nor progress for %v", ErrTimeout, feed.idle))
		})
	}
	return ctx, func() {
		e.progress.feeds.Delete(token)
		feed.end()
		cancel(nil)
	}
}

// askProgress puts the token of ctx, if it has one, into the parameters of a call.
func askProgress(ctx context.Context, params *mcp.CallToolParams) {
	if token, ok := ctx.Value(progressTokenKey{}).(string); ok {
		params.SetProgressToken(token)
	}
}

// reported is told of every report of the server.
func (e *endpoint) reported(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	if req == nil || req.Params == nil {
		return
	}
	token, ok := req.Params.ProgressToken.(string)
	if !ok {
		return
	}
	if feed, ok := e.progress.feeds.Load(token); ok {
		feed.(*progressFeed).push(Progress{Done: req.Params.Progress, Total: req.Params.Total, Message: req.Params.Message})
	}
}

// A progressFeed hands the reports of one call to its callback.
type progressFeed struct {
	e      *endpoint
	report func(Progress) // nil: only the timeout counts
	idle   time.Duration
	timer  *time.Timer // nil: no idle timeout

	drained chan struct{} // told when nothing waits any more

	mu      sync.Mutex
	waiting []Progress
	running bool
	ended   bool
}

// push takes a report. It never waits for the callback.
func (f *progressFeed) push(p Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	if f.timer != nil && f.timer.Stop() { // one that has fired stays that way
		f.timer.Reset(f.idle)
	}
	if f.report == nil {
		return
	}
	if len(f.waiting) == maxReports {
		f.waiting = f.waiting[1:]
	}
	f.waiting = append(f.waiting, p)
	if !f.running {
		f.running = true
		go f.run()
	}
}

func (f *progressFeed) run() {
	for {
		f.mu.Lock()
		if f.ended || len(f.waiting) == 0 {
			f.running = false
			select {
			case f.drained <- struct{}{}:
			default:
			}
			f.mu.Unlock()
			return
		}
		p := f.waiting[0]
		f.waiting = f.waiting[1:]
		f.mu.Unlock()
		if err := withoutPanic(func() error { f.report(p); return nil }); err != nil {
			f.e.logger.Error("a progress callback panicked", "error", err)
		}
	}
}

// end stops the feed. Reports that wait get a moment first, the one that runs no
// more than that.
func (f *progressFeed) end() {
	if f.timer != nil {
		f.timer.Stop()
	}
	f.mu.Lock()
	running := f.running
	if !running {
		f.ended = true
	}
	f.mu.Unlock()
	if !running {
		return
	}
	timer := time.NewTimer(progressGrace)
	defer timer.Stop()
	for {
		select {
		case <-f.drained: // perhaps of an earlier pause
			f.mu.Lock()
			done := !f.running
			f.ended = f.ended || done
			f.mu.Unlock()
			if done {
				return
			}
		case <-timer.C:
			f.mu.Lock()
			f.ended = true
			f.mu.Unlock()
			return
		}
	}
}

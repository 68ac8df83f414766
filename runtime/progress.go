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
	f := &progressFeed{idle: call.ProgressTimeout}
	f.reports.deliver = call.Progress
	f.reports.failed = func(err error) { e.logger.Error("a progress callback panicked", "error", err) }
	token := "p" + strconv.FormatInt(e.progress.last.Add(1), 10)
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, progressTokenKey{}, token))
	if f.idle > 0 {
		f.timer = time.AfterFunc(f.idle, func() {
			cancel(fmt.Errorf("%w: neither answer nor progress for %v", ErrTimeout, f.idle))
		})
	}
	e.progress.feeds.Store(token, f)
	return ctx, func() {
		e.progress.feeds.Delete(token)
		f.end()
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
	if f, ok := e.progress.feeds.Load(token); ok {
		f.(*progressFeed).take(Progress{Done: req.Params.Progress, Total: req.Params.Total, Message: req.Params.Message})
	}
}

// A progressFeed is where the reports of one call go.
type progressFeed struct {
	reports feed[Progress]
	idle    time.Duration
	timer   *time.Timer // nil: no timeout
}

// take takes a report. It never waits for the callback.
func (f *progressFeed) take(p Progress) {
	if f.timer != nil && f.timer.Stop() { // one that has fired stays that way
		f.timer.Reset(f.idle)
	}
	if f.reports.deliver != nil {
		f.reports.push(p)
	}
}

func (f *progressFeed) end() {
	if f.timer != nil {
		f.timer.Stop()
	}
	f.reports.end()
}

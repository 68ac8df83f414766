package runtime

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Watch says how a client keeps its list of tools current. Write it keyed: fields
// may be added.
type Watch struct {
	// Interval is the time between lists that are asked for anyway, since not every
	// server tells of changes: 5 minutes by default, none if negative.
	Interval time.Duration
}

// WithWatch keeps the lists of tools current: servers are listened to, HTTP servers
// on a connection of its own that calls do not notice, and listed again when they
// say that something has changed, and at an interval. What has changed goes to
// [WithToolChanges], and into the registry that [ConnectAll] filled, as one step.
// The default is to list again only after a reconnection, and before a call is refused
// for a tool that was not on the last list.
func WithWatch(w Watch) Option {
	if w.Interval == 0 {
		w.Interval = defaultWatchInterval
	}
	return clientOption(func(o *options) { o.watch = &w })
}

const (
	defaultWatchInterval = 5 * time.Minute
	// watchPause is the least time between two lists, whatever a server says.
	watchPause = time.Second
	// Delays before a server is listened to again.
	firstListenDelay = time.Second
	lastListenDelay  = 5 * time.Minute
)

// A watcher keeps one endpoint's list current until it is stopped.
type watcher struct {
	e       *endpoint
	changed chan struct{} // holds one token: the server said something
	stop    context.CancelFunc
	done    chan struct{}
}

// startWatching starts the watcher, if that is wanted and none runs. The caller
// holds e.mu.
func (e *endpoint) startWatching() {
	if e.o.watch == nil || e.watcher != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &watcher{e: e, changed: make(chan struct{}, 1), stop: stop, done: make(chan struct{})}
	e.watcher = w
	go w.run(ctx)
}

// stopWatching ends the watcher and waits for it, for a moment at most and within ctx.
func (e *endpoint) stopWatching(ctx context.Context) {
	e.mu.Lock()
	w := e.watcher
	e.watcher = nil
	e.mu.Unlock()
	if w != nil {
		w.stop()
		ctx, cancel := context.WithTimeout(ctx, endTimeout/5)
		defer cancel()
		select {
		case <-w.done:
		case <-ctx.Done():
		}
	}
}

// toolsChanged is told by the SDK when the server says so.
func (e *endpoint) toolsChanged(context.Context, *mcp.ToolListChangedRequest) {
	e.mu.Lock()
	w := e.watcher
	e.mu.Unlock()
	if w != nil {
		w.signal()
	}
}

// signal asks for a list. It never waits: one token stands for any number.
func (w *watcher) signal() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w *watcher) run(ctx context.Context) {
	defer close(w.done)
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		if w.e.cfg.URL != "" { // a child tells on the connection that there is
			w.listen(ctx)
		}
	}()
	defer func() { <-listening }()
	var tick <-chan time.Time
	if interval := w.e.o.watch.Interval; interval > 0 {
		ticker := time.NewTicker(max(interval, watchPause))
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-w.changed:
		case <-tick:
		case <-ctx.Done():
			return
		}
		w.e.relist(ctx)
		if !pause(ctx, watchPause) {
			return
		}
	}
}

// relist lists the tools and tells what has changed. A server that is down is left
// to whoever brings it back, which lists too.
func (e *endpoint) relist(ctx context.Context) {
	e.mu.Lock()
	s := e.live
	e.mu.Unlock()
	if s == nil {
		return
	}
	if err := e.list(ctx, s); err != nil && ctx.Err() == nil && s.ctx.Err() == nil {
		e.logger.Warn("the server's tools could not be listed again", "error", e.clean(err))
	}
}

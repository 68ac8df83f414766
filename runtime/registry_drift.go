package runtime

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

// A driftBoard is what a registry knows about the generated clients that call
// through it, and about how its tools differ from what they expect.
type driftBoard struct {
	mu       sync.Mutex
	watches  []weak.Pointer[watch]
	kept     int                                    // watches that were alive when the others were last dropped
	logged   map[expectation]string                 // the digest of the live tool that was logged last
	byServer atomic.Pointer[map[string][]ToolDrift] // what Status shows
}

// An expectation is what clients of one package expect of a tool.
type expectation struct{ server, tool, digest string }

// driftNews is a change that a client did not know of.
type driftNews struct {
	ToolDrift
	first bool // and neither did another client of its package
}

// first notes that the tool of spec has the digest live now, and reports whether that
// is to be logged: a program that makes a client for each request says it once.
func (b *driftBoard) first(server string, spec ToolSpec, live string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := expectation{server, spec.Name, spec.Digest}
	if last, ok := b.logged[key]; ok && last == live {
		return false
	}
	if b.logged == nil {
		b.logged = map[expectation]string{}
	}
	b.logged[key] = live
	return true
}

// settle notes that the tool of spec is again as expected.
func (b *driftBoard) settle(server string, spec ToolSpec) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.logged, expectation{server, spec.Name, spec.Digest})
}

// expect compares the tools of w with the live ones, now and whenever their
// server is registered again.
func (r *Registry) expect(w *watch) {
	r.drift.mu.Lock()
	if len(r.drift.watches) > 2*r.drift.kept+16 { // now and then, for a program may make a client per request
		r.drift.watches = slices.DeleteFunc(r.drift.watches, func(p weak.Pointer[watch]) bool { return p.Value() == nil })
		r.drift.kept = len(r.drift.watches)
	}
	r.drift.watches = append(r.drift.watches, weak.Make(w))
	r.drift.mu.Unlock()
	r.compare(w.server, w)
}

// compareTools compares the tools of a server with what its clients expect.
func (r *Registry) compareTools(server string) {
	var watches []*watch
	r.drift.mu.Lock()
	for _, p := range r.drift.watches {
		if w := p.Value(); w != nil && w.server == server {
			watches = append(watches, w)
		}
	}
	r.drift.mu.Unlock()
	r.compare(server, watches...)
}

// compare has watches compare, and tells what is news: to the log, to Status and
// to whom it may concern.
func (r *Registry) compare(server string, watches ...*watch) {
	differ := false
	for _, w := range watches {
		news := w.compare(r)
		differ = differ || len(news) > 0
		for _, d := range news {
			if d.first {
				r.tell(d.ToolDrift)
			}
			r.notify(w, d.ToolDrift)
		}
	}
	if len(watches) > 0 {
		r.showDrift(server, differ)
	}
}

// notify tells the one who made a client. A panic in a function of the caller's must
// not end what found the change, which may be the goroutine of a connection.
func (r *Registry) notify(w *watch, d ToolDrift) {
	if w.notify == nil {
		return
	}
	if err := withoutPanic(func() error { w.notify(d); return nil }); err != nil {
		r.logger(d.Server).Error("a callback for a changed tool panicked", "error", err)
	}
}

// tell logs a change of a tool: a warning when it breaks somebody.
func (r *Registry) tell(d ToolDrift) {
	log := r.logger(d.Server).With(
		"tool", harmless(d.Tool, maxName), "grade", d.Grade,
		"code", d.Changes[0].Code, "place", d.Changes[0].Pointer, "changes", len(d.Changes))
	if d.breaks() {
		log.Warn("the tool has changed since its package was generated, and the change breaks callers; run mcpbind verify")
	} else {
		log.Info("the tool has changed since its package was generated, and nobody breaks")
	}
}

// showDrift works out what Status shows of a server, unless that is nothing still.
func (r *Registry) showDrift(server string, differ bool) {
	r.drift.mu.Lock()
	defer r.drift.mu.Unlock()
	if !differ && len(r.drifted(server)) == 0 {
		return
	}
	var all []ToolDrift
	for _, p := range r.drift.watches {
		if w := p.Value(); w != nil && w.server == server {
			all = append(all, w.sorted()...)
		}
	}
	// Several clients of one package say the same.
	slices.SortStableFunc(all, func(a, b ToolDrift) int { return strings.Compare(a.Tool, b.Tool) })
	all = slices.CompactFunc(all, func(a, b ToolDrift) bool { return a.Tool == b.Tool && a.Grade == b.Grade })
	next := map[string][]ToolDrift{}
	if old := r.drift.byServer.Load(); old != nil {
		maps.Copy(next, *old)
	}
	next[server] = all
	r.drift.byServer.Store(&next)
}

// drifted returns what Status shows of a server. It takes no lock.
func (r *Registry) drifted(server string) []ToolDrift {
	if m := r.drift.byServer.Load(); m != nil {
		return slices.Clone((*m)[server])
	}
	return nil
}

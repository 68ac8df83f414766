package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A relisting is a list of tools that differs from the one before it.
type relisting struct {
	tools   []Tool
	changes ToolChanges // empty: told again, to somebody who came later
}

// beginList numbers a list that is about to be asked for. What a server says of a
// change comes before the list that it leads to is begun: of two lists at once, the
// one begun last is at least as new as the last such word, whichever ends first.
func (e *endpoint) beginList() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lists++
	return e.lists
}

// note takes up a list of tools, numbered when it was begun, and tells what has
// changed.
func (e *endpoint) note(list int, tools []Tool) {
	e.compare(list, tools)
	e.tell()
}

// compare notes what has become of the tools since the list before, for tell. The
// first list has nothing to be compared with, and one that was overtaken counts for
// nothing.
func (e *endpoint) compare(list int, tools []Tool) {
	later := digestsOf(tools)
	e.mu.Lock()
	defer e.mu.Unlock()
	if list < e.noted {
		return
	}
	e.noted, e.notedAt = list, time.Now()
	first := e.known == nil
	changes := e.known.changes(later)
	if len(e.gone) > maxTools {
		clear(e.gone) // a server that makes up names must not fill the memory
	}
	for _, name := range changes.Removed {
		e.gone[name] = time.Now()
	}
	for name := range later {
		delete(e.gone, name)
	}
	e.known = later
	if first || changes.Empty() {
		return
	}
	e.changes, e.latest = &changes, tools
	e.owe(relisting{tools, changes})
}

// recheck is how old a list must be for a call of a tool that is not on it any more to
// list again: a server that has just started may have its tools one by one.
const recheck = 10 * time.Second

// listAgain lists the tools if it is long since, before a call is refused for what the
// last list lacks. What comes of it is noted; that nothing does is no fault of the call.
func (e *endpoint) listAgain(ctx context.Context) {
	e.mu.Lock()
	s, at := e.live, e.notedAt
	if s == nil || time.Since(at) < recheck {
		e.mu.Unlock()
		return
	}
	e.notedAt = time.Now() // whoever comes now need not list as well
	e.mu.Unlock()
	if err := e.list(ctx, s); err != nil {
		e.logger.Debug("the server's tools could not be listed again", "error", e.clean(err))
	}
}

// list lists the tools over s and notes what comes of it.
func (e *endpoint) list(ctx context.Context, s *session) error {
	ctx, cancel := limited(ctx, e.o.timeoutFor(e.cfg), "no list", ErrCheckTimeout)
	defer cancel()
	list := e.beginList()
	tools, err := s.listTools(ctx)
	if err == nil {
		e.note(list, tools)
	}
	return err
}

// owe adds to what is to be told. The caller holds e.mu.
func (e *endpoint) owe(l relisting) {
	if len(e.untold) == maxWaiting { // whoever is told takes very long
		e.untold = slices.Delete(e.untold, 0, 1)
	}
	e.untold = append(e.untold, l)
}

// onRelist has f told the tools whenever they differ from those of the list before,
// and now if they ever did: a list may have come while nobody asked for it.
func (e *endpoint) onRelist(f func(tools []Tool)) {
	e.mu.Lock()
	e.relisted = f
	if e.latest != nil {
		e.owe(relisting{tools: e.latest})
	}
	e.mu.Unlock()
	e.tell()
}

// tell reports new lists of tools to whoever asked for that, in the order in which
// they were compared: only one goroutine tells at a time, and none waits for it.
func (e *endpoint) tell() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.telling {
		return // it goes on with what there is by now
	}
	e.telling = true
	defer func() { e.telling = false }()
	for len(e.untold) > 0 {
		next := e.untold[0]
		e.untold = slices.Delete(e.untold, 0, 1)
		e.tellOne(next)
	}
}

// tellOne reports one list with e.mu let go.
func (e *endpoint) tellOne(l relisting) {
	relisted := e.relisted
	e.mu.Unlock()
	defer e.mu.Lock()
	if !l.changes.Empty() {
		e.logger.Warn("the server's tools have changed; regenerate the client if you call them",
			"added", e.names(l.changes.Added), "removed", e.names(l.changes.Removed), "changed", e.names(l.changes.Changed))
	}
	if relisted != nil {
		relisted(l.tools)
	}
	if !l.changes.Empty() && e.o.toolChanges != nil {
		e.subscribers.push(l.changes)
	}
}

// names lists tools for the log.
func (e *endpoint) names(tools []string) string {
	const enough = 10
	var shown []string
	for _, name := range tools[:min(len(tools), enough)] {
		shown = append(shown, quoted(e.secrets.Text(name)))
	}
	if more := len(tools) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return strings.Join(shown, ", ")
}

package runtime

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpbind/mcpbind/internal/redact"
)

// A view is one state of a Registry. Nothing in it changes once it is published:
// writers copy what they change.
type view struct {
	servers map[string]*server  // every declared or registered server
	flat    map[string]*tool    // by registered name
	skipped map[string][]string // by server: sorted wire names that have no registered name
	closed  bool
}

// A server is what a view knows about one server.
type server struct {
	name         string
	url, command string // as Status shows them
	secrets      *redact.Redactor
	checks       Validation

	client  MCPClient            // nil: not connected
	tools   map[string]*tool     // by wire name
	gone    map[string]time.Time // since when a tool is not listed any more, by wire name
	failure error                // nil: none since the last registration
	state   State                // as far as the registry knows: a client may know better
	since   time.Time
}

// A tool is one tool of a server. Its Name is not used: view.flat holds the
// registered names.
type tool struct {
	Tool
	arguments, results *schemaCheck

	digestOnce sync.Once
	digestText string // see digest
}

// A toolID names a tool independently of the flat namespace.
type toolID struct{ server, wireName string }

func (t *tool) id() toolID { return toolID{t.Server, t.WireName} }

func (v *view) clone() *view {
	next := *v
	next.servers = maps.Clone(v.servers)
	if next.servers == nil {
		next.servers = map[string]*server{}
	}
	return &next
}

// change replaces the server called name, new if need be, by a changed copy.
func (r *Registry) change(next *view, name string, change func(s *server)) {
	s := &server{name: name, state: StateNew, checks: r.opts.validation}
	if old := next.servers[name]; old != nil {
		*s = *old
	}
	change(s)
	next.servers[name] = s
}

// enter moves the server to a state, as of now.
func (s *server) enter(state State) {
	s.state, s.since = state, time.Now()
}

// namesOf returns the registered name of every tool that has one.
func (v *view) namesOf() map[toolID]string {
	names := make(map[toolID]string, len(v.flat))
	for name, t := range v.flat {
		names[t.id()] = name
	}
	return names
}

// assign makes the flat namespace of v's servers. A tool keeps the registered
// name that it had in v so far. A free name goes to the first server, by name,
// that offers it. What remains is named by policy or skipped.
func (v *view) assign(policy Collision) {
	had := v.namesOf()
	flat := make(map[string]*tool, len(had))
	waiting := map[string][]*tool{} // by server
	for _, s := range v.servers {
		for _, t := range s.tools {
			if name, ok := had[t.id()]; ok {
				flat[name] = t
			} else {
				waiting[s.name] = append(waiting[s.name], t)
			}
		}
	}
	v.flat, v.skipped = flat, map[string][]string{}
	for _, server := range slices.Sorted(maps.Keys(waiting)) {
		v.name(server, waiting[server], policy)
	}
}

// name gives the waiting tools of one server registered names, or lists them as
// skipped.
func (v *view) name(server string, waiting []*tool, policy Collision) {
	slices.SortFunc(waiting, func(a, b *tool) int { return strings.Compare(a.WireName, b.WireName) })
	// A server's own names go first, so that a tool called b__x of server b does
	// not lose its name to the tool x.
	colliding := slices.DeleteFunc(waiting, func(t *tool) bool { return v.take(t.WireName, t) })
	for _, t := range colliding {
		if policy == CollidePrefix && v.take(server+"__"+t.WireName, t) {
			continue
		}
		v.skipped[server] = append(v.skipped[server], t.WireName)
	}
}

// take registers t under name if that is free.
func (v *view) take(name string, t *tool) bool {
	if _, taken := v.flat[name]; taken {
		return false
	}
	v.flat[name] = t
	return true
}

func cloneTool(t Tool) Tool {
	t.InputSchema = bytes.Clone(t.InputSchema)
	t.OutputSchema = bytes.Clone(t.OutputSchema)
	t.Annotations = bytes.Clone(t.Annotations)
	t.Raw = bytes.Clone(t.Raw)
	return t
}

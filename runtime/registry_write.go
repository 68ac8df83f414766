package runtime

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/redact"
)

var errRegistryClosed = errors.New("the registry is closed")

// serverName is what a configured name looks like. It takes part in registered
// tool names, file names and log lines.
var serverName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func checkServerName(name string) error {
	if !serverName.MatchString(name) {
		return fmt.Errorf("server name %s: use 1 to 64 of the characters A-Z a-z 0-9 . _ -", quoted(name))
	}
	return nil
}

// RegisterServer adds a server and its tools, or replaces them as one step, and
// clears the server's failure. It is the only method that changes tools.
//
// From then on the registry owns client: it is closed by [Registry.Close], or
// when another client takes its place. A nil client registers tools that cannot
// be called yet: their calls return [ErrNotConnected].
//
// A tool is known to its server by WireName, or by Name where that is empty; the
// registered name is the wire name unless another server holds it. A holder
// keeps a name for as long as it offers it; for a name that nobody holds, the
// first server by name wins. What becomes of a tool whose name is held is for
// the policy to say (see [Collision]). Under CollideFail the error wraps
// [ErrCollision] and names the tools and their holders, the registry is
// unchanged, and the client is still the caller's. [ConnectAll] registers in
// order of name, so there timing decides nothing.
//
// A tool without a name, and one whose name an earlier tool of the server has,
// is logged and left out.
func (r *Registry) RegisterServer(name string, client MCPClient, tools []Tool) error {
	replaced, err := r.register(name, client, tools)
	if replaced != nil {
		r.closeReplaced(name, replaced)
	}
	return err
}

// register is RegisterServer, but for closing the client that was replaced, nil for
// none.
func (r *Registry) register(name string, client MCPClient, tools []Tool) (replaced MCPClient, err error) {
	if err := checkServerName(name); err != nil {
		return nil, err
	}
	if isNil(client) {
		client = nil
	}
	own := r.toolsOf(name, tools)
	var before, after *view
	err = r.update(func(next *view) error {
		if next.closed {
			return fmt.Errorf("server %s: %w", quoted(name), errRegistryClosed)
		}
		if old := next.servers[name]; old != nil && !sameClient(old.client, client) {
			replaced = old.client
		}
		before = r.state.Load()
		r.change(next, name, func(s *server) {
			s.client, s.failure, s.gone = client, nil, nil
			if keeper, ok := client.(secretKeeper); ok {
				s.secrets = keeper.redactor() // it learns tokens as they are sent
			}
			s.tools = s.adopt(own)
			s.enter(StateReady)
			if client == nil {
				s.enter(StateNew)
			}
		})
		next.assign(r.opts.collision)
		after = next
		if r.opts.collision == CollideFail {
			return next.collisions(name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.logNames(name, before, after)
	r.compareTools(name)
	return replaced, nil
}

func (r *Registry) closeReplaced(name string, client MCPClient) {
	if err := closeClient(name, client); err != nil {
		r.logger(name).Warn("the replaced client did not close cleanly", "error", r.safe(name, err.Error()))
	}
}

// toolsOf returns the registry's own copy of a server's tools, by wire name.
func (r *Registry) toolsOf(server string, tools []Tool) map[string]*tool {
	own := make(map[string]*tool, len(tools))
	for i, t := range tools {
		if t.WireName == "" {
			t.WireName = t.Name
		}
		_, twice := own[t.WireName]
		switch {
		case t.WireName == "":
			r.logger(server).Warn("left out a tool without a name", "position", i)
			continue
		case twice:
			r.logger(server).Warn("left out a tool whose name an earlier tool has", "tool", harmless(t.WireName, maxName))
			continue
		}
		t.Server, t.Name = server, t.WireName
		own[t.WireName] = &tool{Tool: cloneTool(t)}
	}
	return own
}

// collisions is the error of a server whose tools did not all get their names.
func (v *view) collisions(server string) error {
	skipped := v.skipped[server]
	if len(skipped) == 0 {
		return nil
	}
	var claims []string
	for _, name := range skipped[:min(len(skipped), 3)] {
		claims = append(claims, fmt.Sprintf("%s (held by server %s)", quoted(name), quoted(v.flat[name].Server)))
	}
	if more := len(skipped) - len(claims); more > 0 {
		claims = append(claims, fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf("server %s: %w: %s; give NewRegistry WithCollision(CollidePrefix) or WithCollision(CollideSkip), or leave one of the servers out",
		quoted(server), ErrCollision, strings.Join(claims, ", "))
}

// logNames logs what a registration did to registered names.
func (r *Registry) logNames(server string, before, after *view) {
	log := r.logger(server)
	had := before.namesOf()
	for _, name := range slices.Sorted(maps.Keys(after.flat)) {
		t := after.flat[name]
		if _, old := had[t.id()]; !old && name != t.WireName {
			log.Warn("a tool's name is taken, it is registered under another", "tool", harmless(t.WireName, maxName), "as", harmless(name, maxName))
		}
	}
	for _, wireName := range after.skipped[server] {
		log.Warn("a tool's name is taken, it can be called only with its server named", "tool", harmless(wireName, maxName))
	}
}

// declare makes servers known before they are dialled, so that Status shows them.
// A server that is registered keeps its client and tools.
func (r *Registry) declare(servers []ServerConfig) {
	_ = r.update(func(next *view) error { // this change makes no error
		for _, cfg := range servers {
			r.change(next, cfg.Name, func(s *server) {
				s.secrets = newRedactor(cfg)
				s.url = redactedEndpoint(cfg.URL, s.secrets)
				s.command = s.secrets.Text(cfg.Command)
				s.checks = r.opts.validation
				if cfg.Validate != nil {
					s.checks = *cfg.Validate
				}
				if s.client == nil && !next.closed {
					s.enter(StateNew)
				}
			})
		}
		return nil
	})
}

// dialling notes that a declared server is being dialled.
func (r *Registry) dialling(name string) {
	_ = r.update(func(next *view) error { // this change makes no error
		r.change(next, name, func(s *server) {
			if s.client == nil && !next.closed {
				s.enter(StateConnecting)
			}
		})
		return nil
	})
}

// RecordFailure notes why a server cannot be used, for FailedServers and Status.
// Its tools, if it has any, stay as they are. A nil err is ignored.
func (r *Registry) RecordFailure(name string, err error) {
	if err == nil {
		return
	}
	_ = r.update(func(next *view) error { // this change makes no error
		r.change(next, name, func(s *server) {
			s.failure = redacted(err, s.secrets)
			if s.client == nil && !next.closed {
				s.enter(StateDown)
			}
		})
		return nil
	})
}

// A secretKeeper is a client that knows what must not be told of its server.
type secretKeeper interface{ redactor() *redact.Redactor }

// sameClient reports whether a and b are one client. Values that Go cannot
// compare count as different.
func sameClient(a, b MCPClient) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return reflect.TypeOf(a).Comparable() && reflect.TypeOf(b).Comparable() && a == b
}

// isNil reports whether what is to be called is nil or a nil pointer in an interface.
func isNil(caller any) bool {
	if caller == nil {
		return true
	}
	v := reflect.ValueOf(caller)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

package runtime

import (
	"context"
	"maps"
	"time"
)

// retool replaces the tools of a registered server by those it lists now, as one
// step. It does nothing when client is not, or no longer, the server's client. A tool
// whose name another server holds is skipped, or prefixed where that is the policy:
// no server is thrown out for what it became later.
func (r *Registry) retool(name string, client MCPClient, tools []Tool) {
	own := r.toolsOf(name, tools)
	var before, after *view
	_ = r.update(func(next *view) error { // this change makes no error
		old := next.servers[name]
		if next.closed || old == nil || !sameClient(old.client, client) {
			return nil
		}
		before, after = r.state.Load(), next
		changes := old.digests().changes(digestsOf(tools))
		r.change(next, name, func(s *server) {
			s.gone = old.goneSince(changes)
			s.tools = s.adopt(own)
		})
		next.assign(r.opts.collision)
		return nil
	})
	if after != nil {
		r.logNames(name, before, after)
		r.compareTools(name)
	}
}

// listAgain has the servers list again that had the tool which call means, and reports
// whether there are any. Clients do so only where their list is not new.
func (r *Registry) listAgain(ctx context.Context, call ToolCall) bool {
	again := false
	for name, s := range r.state.Load().servers {
		_, gone := s.gone[call.Name]
		if !gone || call.Server != "" && call.Server != name {
			continue
		}
		if client, ok := s.client.(interface{ listAgain(context.Context) }); ok {
			client.listAgain(ctx)
			again = true
		}
	}
	return again
}

func (s *server) digests() digests {
	d := make(digests, len(s.tools))
	for name, t := range s.tools {
		d[name] = t.digest()
	}
	return d
}

// goneSince is s.gone after changes.
func (s *server) goneSince(changes ToolChanges) map[string]time.Time {
	gone := map[string]time.Time{}
	maps.Copy(gone, s.gone)
	for _, name := range changes.Added {
		delete(gone, name)
	}
	if len(gone) > maxTools {
		clear(gone) // a server that makes up names must not fill the memory
	}
	for _, name := range changes.Removed {
		gone[name] = time.Now()
	}
	return gone
}

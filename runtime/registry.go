package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Registry is one namespace of the tools of many servers. It routes each call
// to the server that owns the tool. Make one with [NewRegistry]; all methods may
// be called concurrently.
//
// Reads (Tools, Has, Servers, FailedServers, Status and the routing of CallTool)
// take no lock and see one consistent state: never half of a registration.
type Registry struct {
	opts  registryOptions
	mu    sync.Mutex // held by writers while they make the next view
	state atomic.Pointer[view]
	close func() error
	drift driftBoard
}

// NewRegistry returns an empty registry.
func NewRegistry(opts ...RegistryOption) *Registry {
	r := &Registry{opts: newRegistryOptions(opts)}
	r.state.Store(&view{})
	r.close = sync.OnceValue(r.closeClients)
	return r
}

// Tools returns the tools of the flat namespace, sorted by registered name. The
// caller owns them. A tool that a collision keeps out of the namespace is not
// among them: see Status.
func (r *Registry) Tools() []Tool {
	v := r.state.Load()
	tools := make([]Tool, 0, len(v.flat))
	for _, name := range slices.Sorted(maps.Keys(v.flat)) {
		t := cloneTool(v.flat[name].Tool)
		t.Name = name
		tools = append(tools, t)
	}
	return tools
}

// Has reports whether a tool is registered under name.
func (r *Registry) Has(name string) bool {
	_, ok := r.state.Load().flat[name]
	return ok
}

// Servers returns the sorted names of the servers that are registered with a
// client. A connection that broke later still counts: Status tells its state.
func (r *Registry) Servers() []string {
	var names []string
	for name, s := range r.state.Load().servers {
		if s.client != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// FailedServers returns the last recorded failure of each server that has one.
// The caller owns the map.
func (r *Registry) FailedServers() map[string]error {
	failed := make(map[string]error)
	for name, s := range r.state.Load().servers {
		if s.failure != nil {
			failed[name] = s.failure
		}
	}
	return failed
}

// update publishes the state that change makes of a copy of the present one. An
// error of change leaves the present state as it is.
func (r *Registry) update(change func(next *view) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.state.Load().clone()
	if err := change(next); err != nil {
		return err
	}
	r.state.Store(next)
	return nil
}

func (r *Registry) logger(server string) *slog.Logger {
	return r.opts.logger.With("server", server)
}

// closeTimeout bounds Close: clients bound their own, this is for one that does
// not.
const closeTimeout = 15 * time.Second

// Close closes the clients of all servers at once and waits for them, 15 s at
// the longest. Afterwards the registry has no tools and takes no servers; Status
// and FailedServers still tell what there was. Further calls return what the
// first one returned.
func (r *Registry) Close() error { return r.close() }

func (r *Registry) closeClients() error {
	clients := map[string]MCPClient{}
	_ = r.update(func(next *view) error { // this change makes no error
		for name, s := range next.servers {
			if s.client != nil {
				clients[name] = s.client
			}
			r.change(next, name, func(s *server) {
				s.client, s.tools = nil, nil
				s.enter(StateClosed)
			})
		}
		next.flat, next.skipped, next.closed = nil, nil, true
		return nil
	})

	names := slices.Sorted(maps.Keys(clients))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { errs[i] = closeClient(name, clients[name]) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// closeClient closes client if it can be closed. It returns after closeTimeout
// even if the client does not.
func closeClient(server string, client MCPClient) error {
	closer, ok := client.(io.Closer)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- clientPanicked(p)
			}
		}()
		done <- closer.Close()
	}()
	select {
	case err := <-done:
		if err != nil {
			return inPhase(server, "", PhaseClose, err)
		}
		return nil
	case <-ctx.Done():
		return inPhase(server, "", PhaseClose, fmt.Errorf("%w after %v", ErrTimeout, closeTimeout))
	}
}

package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// ConnectAll connects servers and registers their tools, best effort: a server
// that cannot be used costs only itself. It returns the sorted names of the
// servers that failed, whose reasons are logged and in reg.FailedServers.
//
// All servers are declared first, then dialled at once, 16 at a time (see
// [WithConcurrency]), each under its own timeout of 10 s for connecting and
// listing (see [WithConnectTimeout] and ServerConfig.Timeout). When the last one
// has answered or failed, those that answered are registered in order of name:
// how fast each was decides nothing. So ConnectAll takes as long as its slowest
// server, within the timeout. A server that loses a collision of tool names is
// closed and fails.
//
// ctx bounds connecting, not the connections: they last until reg.Close. When it
// ends early, servers that are connected by then are registered and the others
// fail; clients that lost their place are then still being closed, for 15 s at the
// longest. Servers that share a name, ignoring case, all fail, since which one is
// meant cannot be known.
//
// A connection that is lost later is brought back (see [WithReconnect]). When the
// server then lists other tools, the registry has those as one step; a tool of its
// that another server's name stands in the way of is skipped, or prefixed under
// [CollidePrefix].
//
// ConnectAll may be called again, for the same or for further servers: a server
// that connects replaces its earlier registration, a server that fails keeps it.
func ConnectAll(ctx context.Context, reg *Registry, servers []ServerConfig, opts ...Option) (failed []string) {
	opts = append([]Option{WithLogger(reg.opts.logger)}, opts...)
	return connectAll(ctx, reg, servers, newOptions(opts), func(cfg ServerConfig) connection {
		if cfg.URL != "" {
			return NewStreamableHTTPClient(cfg, opts...)
		}
		return NewStdioClient(cfg, opts...)
	})
}

// A connection is a client that ConnectAll made and has to connect.
type connection interface {
	MCPClient
	Connect(ctx context.Context) error
	Close() error
	// onRelist has f told the tools whenever they differ from those of the list
	// before, and at once if they did already.
	onRelist(f func(tools []Tool))
}

// A dialled server is one that ConnectAll tried.
type dialled struct {
	cfg    ServerConfig
	client connection // nil: never made
	tools  []Tool
	err    error
}

func connectAll(ctx context.Context, reg *Registry, servers []ServerConfig, o options, newClient func(ServerConfig) connection) []string {
	results := plan(servers)
	reg.declare(servers)

	slots := make(chan struct{}, o.concurrency)
	var wg sync.WaitGroup
	for i := range results {
		res := &results[i]
		if res.err != nil {
			continue
		}
		select { // here, not in the goroutine: dialling begins in order of name
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			res.err = fmt.Errorf("not dialled: %w", ctx.Err())
			continue
		}
		wg.Go(func() {
			defer func() { <-slots }()
			reg.dialling(res.cfg.Name)
			res.dial(ctx, o, newClient)
		})
	}
	wg.Wait()
	return conclude(ctx, reg, results, o)
}

// plan returns the servers in order of name, those that need not be dialled with
// their fault.
func plan(servers []ServerConfig) []dialled {
	results := make([]dialled, len(servers))
	same := map[string]int{}
	for i, cfg := range servers {
		results[i].cfg = cfg
		same[strings.ToLower(cfg.Name)]++
	}
	slices.SortStableFunc(results, func(a, b dialled) int { return cmp.Compare(a.cfg.Name, b.cfg.Name) })
	for i := range results {
		res := &results[i]
		res.err = checkConfig(res.cfg)
		if res.err == nil && same[strings.ToLower(res.cfg.Name)] > 1 {
			res.err = errors.New("several servers have this name, ignoring case; rename all but one")
		}
	}
	return results
}

// checkConfig returns what makes dialling cfg pointless.
func checkConfig(cfg ServerConfig) error {
	switch {
	case cfg.Err != nil:
		return cfg.Err
	case cfg.URL == "" && cfg.Command == "":
		return errors.New("neither url nor command is set; set one")
	case cfg.URL != "" && cfg.Command != "":
		return errors.New("both url and command are set; remove one")
	case cfg.Auth != nil && cfg.URL == "":
		return errors.New("auth is for servers with a url; give a command its credentials in env")
	}
	return checkServerName(cfg.Name)
}

// lastWords is how long a client that was told to stop may take to say why.
const lastWords = time.Second

// dial connects one server and lists its tools, within its timeout even if the
// client does not keep to it.
func (d *dialled) dial(ctx context.Context, o options, newClient func(ServerConfig) connection) {
	timeout := o.timeoutFor(d.cfg)
	ctx, cancel := limited(ctx, timeout, "not connected", ErrCheckTimeout)
	defer cancel()

	answer := make(chan dialled, 1)
	go func() { answer <- connectAndList(ctx, d.cfg, o, newClient) }()
	select {
	case *d = <-answer:
		return
	case <-ctx.Done():
	}
	select {
	case *d = <-answer:
	case <-time.After(lastWords):
		d.err = context.Cause(ctx)
		go func() { // whatever comes of it is not wanted any more
			if late := <-answer; late.client != nil {
				_ = closeClient(d.cfg.Name, late.client)
			}
		}()
	}
}

// connectAndList returns a server with its client and tools, or with the error
// and the client closed.
func connectAndList(ctx context.Context, cfg ServerConfig, o options, newClient func(ServerConfig) connection) (d dialled) {
	d.cfg = cfg
	defer func() {
		if p := recover(); p != nil {
			o.logger.Error("the client panicked", "server", harmless(cfg.Name, maxName), "stack", string(debug.Stack()))
			d.err = clientPanicked(p)
		}
		if d.err == nil {
			return
		}
		if d.client != nil {
			_ = closeClient(cfg.Name, d.client) // the failure to connect is what counts
			d.client = nil
		}
	}()
	d.client = newClient(cfg)
	if err := d.client.Connect(ctx); err != nil {
		d.err = inPhase(cfg.Name, "", PhaseConnect, err)
		return d
	}
	if d.tools, d.err = d.client.ListTools(ctx); d.err != nil {
		d.err = inPhase(cfg.Name, "", PhaseList, d.err)
	}
	return d
}

// conclude registers what was dialled, in order, and records the failures. Clients
// that have no place are closed all at once, and waited for within ctx.
func conclude(ctx context.Context, reg *Registry, results []dialled, o options) (failed []string) {
	var losers sync.WaitGroup
	tools := 0
	for i := range results {
		d := &results[i]
		name := d.cfg.Name
		if d.err == nil {
			var replaced MCPClient
			if replaced, d.err = reg.register(name, d.client, d.tools); d.err != nil {
				losers.Go(func() { _ = closeClient(name, d.client) }) // the collision is what counts
			}
			if replaced != nil {
				losers.Go(func() { reg.closeReplaced(name, replaced) })
			}
		}
		if d.err == nil {
			tools += len(d.tools)
			continue
		}
		reg.RecordFailure(name, d.err)
		o.logger.Warn("MCP server failed", "server", harmless(name, maxName), "error", reg.safe(name, d.err.Error()))
		failed = append(failed, name)
	}
	follow(reg, results)
	closed := make(chan struct{})
	go func() { losers.Wait(); close(closed) }()
	select {
	case <-closed:
	case <-ctx.Done(): // they go on closing, within closeTimeout
	}
	o.logger.Info("MCP servers connected", "configured", len(results), "connected", len(results)-len(failed),
		"failed", len(failed), "tools", tools)
	return slices.Compact(failed)
}

// follow has the registry told of tools that change from here on, or have while slower
// servers were waited for. It comes after all were registered, so that what a server
// has become since takes no name from another.
func follow(reg *Registry, results []dialled) {
	for _, d := range results {
		if d.err != nil {
			continue
		}
		name, client := d.cfg.Name, d.client // not d, which holds the tools
		client.onRelist(func(tools []Tool) { reg.retool(name, client, tools) })
	}
}

// Package discover reads what a live MCP server advertises.
//
// In: a server's configuration. Out: a raw catalog, tools byte for byte as sent.
// It is the only part of gen that uses the network, and it connects with the
// clients of runtime, so that what is generated from is what will be called. It
// must never import the packages that lower, emit or check.
package discover

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/runtime"
)

// defaultTimeout is the limit for connecting and listing where the
// configuration sets none.
const defaultTimeout = 10 * time.Second

// A client is what Catalog needs of runtime's two clients.
type client interface {
	Connect(ctx context.Context) error
	ListTools(ctx context.Context) ([]runtime.Tool, error)
	ServerInfo() (name, version, protocol string)
	Close() error
}

// Catalog connects to the server, lists its tools and disconnects. cfg.Timeout,
// or 10 s, bounds connecting and listing together. Errors name the server and
// hold no secrets of cfg.
func Catalog(ctx context.Context, cfg runtime.ServerConfig, opts ...runtime.Option) (snapshot.Catalog, error) {
	if cfg.Err != nil {
		return snapshot.Catalog{}, cfg.Err
	}
	var c client
	switch {
	case cfg.URL != "" && cfg.Command == "":
		c = runtime.NewStreamableHTTPClient(cfg, opts...)
	case cfg.Command != "" && cfg.URL == "":
		c = runtime.NewStdioClient(cfg, opts...)
	default:
		return snapshot.Catalog{}, fmt.Errorf("server %q: exactly one of URL and command must be set", cfg.Name)
	}
	timeout := cfg.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w: no answer within %v (%w)", runtime.ErrTimeout, timeout, runtime.ErrCheckTimeout))
	defer cancel()

	catalog, err := read(ctx, c)
	// A server that does not let go of its connection has answered all the same.
	if closeErr := c.Close(); err != nil {
		err = errors.Join(err, closeErr)
	}
	return catalog, err
}

func read(ctx context.Context, c client) (snapshot.Catalog, error) {
	if err := c.Connect(ctx); err != nil {
		return snapshot.Catalog{}, err
	}
	tools, err := c.ListTools(ctx)
	if err != nil {
		return snapshot.Catalog{}, err
	}
	var out snapshot.Catalog
	out.Observed.Name, out.Observed.Version, out.Observed.Protocol = c.ServerInfo()
	for _, t := range tools {
		out.Tools = append(out.Tools, t.Raw)
	}
	return out, nil
}

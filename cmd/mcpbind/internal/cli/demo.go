package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/internal/demo"
)

func (a *app) demoCommand() *cobra.Command {
	var addr string
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo issue tracker over stdio or HTTP",
		Args:  takes(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if addr != "" {
				return a.serveHTTP(cmd.Context(), addr)
			}
			return serveStdio(cmd.Context(), a.stdin, a.stdout)
		},
	}
	serve.Flags().StringVar(&addr, "http", "", "serve streamable HTTP at this `address`, such as localhost:8080, instead of stdio")
	cmd := group("demo", "A server to try things on")
	cmd.Hidden = true
	cmd.AddCommand(serve)
	return cmd
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// serveStdio serves until the peer closes its end.
func serveStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	transport := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopWriteCloser{out}}
	err := demo.New(demoVersion).Run(ctx, transport)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (a *app) serveHTTP(ctx context.Context, addr string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	server := &http.Server{Handler: demo.Handler(demoVersion), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	a.stdout.printf("http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// demoVersion changes with the demo's tools, not with mcpbind: it is part of the
// checked-in snapshot.
const demoVersion = "1.0.0"

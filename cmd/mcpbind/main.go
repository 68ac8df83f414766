// Command mcpbind generates typed Go packages from MCP servers.
package main

import (
	"context"
	"os"

	"github.com/mcpbind/mcpbind/cmd/mcpbind/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Command conformanceclient is the client that the official conformance suite
// drives: the suite starts a server per scenario, runs this command with the
// server's URL and judges what it saw on the wire. What goes in is that URL and
// the environment the suite sets; what comes out is an exit code and log lines.
// It is built on the registry and the clients of package runtime and on nothing
// below them, so that what the suite judges is what users get.
//
// Run it with make conformance.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

// scenarioTimeout is below the 30 s that the suite allows.
const scenarioTimeout = 25 * time.Second

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: conformanceclient URL")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		slog.Error("scenario failed", "error", err)
		os.Exit(1)
	}
}

// run plays the scenario that the environment names against the server at url.
func run(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), scenarioTimeout)
	defer cancel()
	name := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	s := scenarioFor(name)
	if s.play == nil {
		return fmt.Errorf("unknown scenario %q", name)
	}
	var given suiteContext
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	// The suite starts all its clients at once: a slow answer says nothing here.
	cfg := runtime.ServerConfig{Name: "suite", URL: url, Timeout: scenarioTimeout}
	var opts []runtime.Option
	if s.configure != nil {
		opts = s.configure(&cfg, given)
	}
	reg := runtime.NewRegistry()
	defer func() { _ = reg.Close() }()
	if failed := runtime.ConnectAll(ctx, reg, []runtime.ServerConfig{cfg}, opts...); len(failed) > 0 {
		return reg.FailedServers()[cfg.Name]
	}
	return s.play(ctx, reg, given)
}

// suiteContext is what the suite tells some scenarios.
type suiteContext struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Issuer       string `json:"issuer"`
	PrivateKey   string `json:"private_key_pem"`
	ToolCalls    []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

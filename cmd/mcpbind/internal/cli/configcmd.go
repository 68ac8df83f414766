package cli

import (
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/runtime/config"
)

func (a *app) configCommand() *cobra.Command {
	cmd := group("config", "Check the configuration, or print its JSON Schema")
	cmd.AddCommand(
		&cobra.Command{
			Use:   "check",
			Short: "Read the configuration and say what is wrong with it",
			Long: `Reads the configuration and the files it imports. Every fault is an error; an
environment variable that is not set here is only mentioned, since it may be set
where the servers are connected.`,
			Args: takes(0),
			RunE: func(*cobra.Command, []string) error { return a.configCheck() },
		},
		&cobra.Command{
			Use:   "schema",
			Short: "Print the JSON Schema of mcpbind.yaml",
			Args:  takes(0),
			RunE:  func(*cobra.Command, []string) error { return a.configSchema() },
		},
	)
	return cmd
}

func (a *app) configCheck() error {
	w, targets, err := a.open(nil, false)
	if err != nil {
		return err
	}
	defer w.close()
	for _, t := range targets {
		// The way to connect is shown as written: expanded it may hold a secret.
		a.stdout.printf("%s: %s -> %s/%s\n", t.Name, safetext.LineN(way(t.Server), 200), w.file.Output, t.pkg)
		if t.Catalog != "" {
			continue
		}
		if err := a.serverConfig(t).Err; err != nil {
			a.stderr.block("note: "+t.Name+": ", explain(t.Name, err))
		}
	}
	w.noteShared(targets)
	a.stderr.printf("%s: %s, no faults\n", safetext.Line(w.file.Path), count(len(targets), "server"))
	return nil
}

// way says how s is reached, without arguments and headers, in which people do
// write secrets.
func way(s config.Server) string {
	switch {
	case s.URL != "":
		return s.URL
	case s.Command != "":
		return "command " + s.Command
	default:
		return "catalog " + s.Catalog
	}
}

func (a *app) configSchema() error {
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	schema := reflector.Reflect(&config.Document{})
	schema.Title = "mcpbind.yaml"
	if servers, ok := schema.Properties.Get("servers"); ok {
		servers.PropertyNames = &jsonschema.Schema{Pattern: "^[A-Za-z0-9._-]{1,64}$"}
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return fmt.Errorf("config schema: %w", err)
	}
	a.stdout.print(string(text) + "\n")
	return nil
}

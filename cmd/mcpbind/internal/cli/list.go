package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/schema"
)

func (a *app) listCommand() *cobra.Command {
	var how listing
	cmd := &cobra.Command{
		Use:   "list [SERVER [TOOL]]",
		Short: "List the tools of the snapshots, or of the live servers",
		Long: `Prints one line per tool; of one tool, its description, its parameters and what
it returns. With --json, everything that is known of the tools, as one array.`,
		Args:              takes(0, "SERVER", "TOOL"),
		ValidArgsFunction: a.completeServers(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				how.tool = args[1]
			}
			return a.list(cmd.Context(), args[:min(len(args), 1)], how)
		},
	}
	cmd.Flags().BoolVar(&how.live, "live", false, "connect to the servers instead of reading the snapshots")
	cmd.Flags().BoolVar(&how.json, "json", false, "print the tools as JSON, with their schemas")
	return cmd
}

// A listing says what list prints, and how.
type listing struct {
	live, json bool
	tool       string // "" for all
}

// list prints tools. A server that cannot be read does not keep the others from
// being listed.
func (a *app) list(ctx context.Context, servers []string, how listing) error {
	w, targets, err := a.open(servers, false)
	if err != nil {
		return err
	}
	defer w.close()

	lists := make([][]snapshot.Tool, len(targets))
	failures := eachTarget(targets, func(i int, t target) error {
		var err error
		lists[i], err = w.tools(ctx, t, how.live)
		if err == nil && how.tool != "" {
			lists[i], err = only(lists[i], t, how)
		}
		return err
	})
	if err := a.printTools(targets, lists, how); err != nil {
		return err
	}
	for i, t := range targets {
		if failures[i] != nil {
			a.stderr.block(t.Name+": ", explain(t.Name, failures[i]))
		}
	}
	if code := worst(failures); code != exitOK {
		return reported{code}
	}
	return nil
}

// printTools prints the tools of each target.
func (a *app) printTools(targets []target, lists [][]snapshot.Tool, how listing) error {
	var all []listed
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i, t := range targets {
		for _, tool := range lists[i] {
			switch {
			case how.json:
				all = append(all, listed{t.Name, tool.Name, tool.Title, tool.Description, text(tool.InputSchema), text(tool.OutputSchema), text(tool.Annotations)})
			case how.tool != "":
				return a.show(tool)
			default:
				row := []string{t.Name, safetext.LineN(tool.Name, 80), hints(tool.Annotations), safetext.LineN(firstLine(tool), 100)}
				_, _ = table.Write([]byte(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n"))
			}
		}
	}
	if how.json {
		return a.printJSON(all)
	}
	return table.Flush()
}

// only returns the tool of t that how asks for, alone.
func only(tools []snapshot.Tool, t target, how listing) ([]snapshot.Tool, error) {
	var known []string
	for i, tool := range tools {
		if tool.Name == how.tool {
			return tools[i : i+1], nil
		}
		known = append(known, tool.Name)
	}
	return nil, errNoTool(t.Name, how.tool, known, how.live)
}

// errNoTool is the error of a tool that is not among the known ones. Live ones are
// what the server lists, else they are of its snapshot.
func errNoTool(server, tool string, known []string, live bool) error {
	flag := ""
	if live {
		flag = " --live"
	}
	return fmt.Errorf("server %q: there is no tool %q%s (\"%s list %s%s\" shows them)",
		server, safetext.LineN(tool, 80), didYouMean(tool, known), self(), server, flag)
}

// tools returns what a server advertises, sorted by name.
func (w *workspace) tools(ctx context.Context, t target, live bool) ([]snapshot.Tool, error) {
	var s *snapshot.Snapshot
	var err error
	if live {
		s, _, err = w.discover(ctx, t, nil, func(string) {})
	} else {
		s, err = w.needSnapshot(t)
	}
	if err != nil {
		return nil, err
	}
	return s.Tools, nil
}

func firstLine(t snapshot.Tool) string {
	text, _, _ := strings.Cut(strings.TrimSpace(cmp.Or(t.Description, t.Title)), "\n")
	return text
}

// hints names the annotations that are set, "-" for none.
func hints(annotations *schema.Value) string {
	var out []string
	for _, hint := range []struct{ key, name string }{
		{"readOnlyHint", "read-only"},
		{"destructiveHint", "destructive"},
		{"idempotentHint", "idempotent"},
	} {
		if v := annotations.Get(hint.key); v != nil && v.Bool {
			out = append(out, hint.name)
		}
	}
	return cmp.Or(strings.Join(out, ","), "-")
}

// text returns v as JSON, nil when there is none.
func text(v *schema.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	return v.AppendJSON(nil)
}

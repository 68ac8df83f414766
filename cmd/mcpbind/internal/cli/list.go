package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

func (a *app) listCommand() *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:               "list [server]",
		Short:             "List the tools of the snapshots, or of the live servers",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeServers(true),
		RunE: func(cmd *cobra.Command, servers []string) error {
			return a.list(cmd.Context(), servers, live)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "connect to the servers instead of reading the snapshots")
	return cmd
}

// list prints one line per tool. A server that cannot be read does not keep the
// others from being listed.
func (a *app) list(ctx context.Context, servers []string, live bool) error {
	p, err := a.load()
	if err != nil {
		return err
	}
	targets, err := p.choose(servers)
	if err != nil {
		return err
	}
	w, err := a.open(p, false)
	if err != nil {
		return err
	}
	defer w.close()

	lists := make([][]snapshot.Tool, len(targets))
	failures := eachTarget(targets, func(i int, t target) error {
		var err error
		lists[i], err = w.tools(ctx, t, live)
		return err
	})
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i, t := range targets {
		for _, tool := range lists[i] {
			row := []string{t.Name, safetext.LineN(tool.Name, 80), hints(tool.Annotations), safetext.LineN(firstLine(tool), 100)}
			_, _ = table.Write([]byte(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n"))
		}
	}
	if err := table.Flush(); err != nil {
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

// tools returns what a server advertises, sorted by name.
func (w *workspace) tools(ctx context.Context, t target, live bool) ([]snapshot.Tool, error) {
	previous, err := w.readSnapshot(t)
	if err != nil && !live {
		return nil, err
	}
	if live {
		previous, _, err = w.discover(ctx, t, nil, func(string) {})
		if err != nil {
			return nil, err
		}
	}
	if previous == nil {
		return nil, errNoSnapshot(t)
	}
	return previous.Tools, nil
}

func firstLine(t snapshot.Tool) string {
	text, _, _ := strings.Cut(strings.TrimSpace(cmp.Or(t.Description, t.Title)), "\n")
	return text
}

// hints names the annotations that are set, "-" for none.
func hints(annotations json.RawMessage) string {
	var a struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
		Idempotent  *bool `json:"idempotentHint"`
	}
	if annotations == nil || json.Unmarshal(annotations, &a) != nil {
		return "-"
	}
	var out []string
	for _, hint := range []struct {
		set  *bool
		name string
	}{{a.ReadOnly, "read-only"}, {a.Destructive, "destructive"}, {a.Idempotent, "idempotent"}} {
		if hint.set != nil && *hint.set {
			out = append(out, hint.name)
		}
	}
	return cmp.Or(strings.Join(out, ","), "-")
}

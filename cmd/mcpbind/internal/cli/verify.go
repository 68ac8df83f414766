package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

func (a *app) verifyCommand() *cobra.Command {
	var r report
	cmd := &cobra.Command{
		Use:   "verify [SERVER...]",
		Short: "Tell whether the live servers still are what the snapshots say",
		Long: `Connects to the named servers, or to all, and grades by whom they break what has
changed since the snapshots: call (today's callers fail), privilege (an
annotation turned from safe to dangerous), source (regenerated code breaks
callers' code), doc, safe. Nothing is written.

The exit code is 1 when a change is at --level or worse, and 2 when a server
could not be asked, which is no drift: the others are reported all the same.
docs/drift.md lists every rule.`,
		ValidArgsFunction: a.completeServers(false),
		RunE: func(cmd *cobra.Command, servers []string) error {
			return a.verify(cmd.Context(), servers, r)
		},
	}
	reportFlags(cmd, &r)
	return cmd
}

func (a *app) verify(ctx context.Context, servers []string, r report) error {
	if err := r.check(); err != nil {
		return err
	}
	w, targets, err := a.open(servers, false)
	if err != nil {
		return err
	}
	defer w.close()

	comparisons := make([]comparison, len(targets))
	a.showing(targets, func(i int, t target, phase func(string)) (line string) {
		c := w.live(ctx, t, phase)
		comparisons[i] = c
		if _, people := a.stderr.terminal(); people && c.err == nil { // else the report is enough
			line = safetext.LineN(t.Name, 80) + ": " + tally(c.changes) + "\n"
		}
		return line
	})
	if ctx.Err() != nil {
		return errInterrupted
	}
	return a.reportDrift(r, comparisons)
}

// live compares a server as it is now with its snapshot.
func (w *workspace) live(ctx context.Context, t target, phase func(string)) comparison {
	c := comparison{server: t.Name, file: t.source}
	before, err := w.needSnapshot(t)
	if err != nil {
		c.err = err
		return c
	}
	after, diagnostics, err := w.discover(ctx, t, before, phase)
	if err != nil {
		c.err = err
		return c
	}
	if w.app.verbose {
		w.app.diagnose(diagnostics)
	}
	c.changes, c.err = w.app.grade(t.Name, t.usage(), before, after)
	return c
}

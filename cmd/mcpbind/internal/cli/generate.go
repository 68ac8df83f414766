package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/lower"
)

func (a *app) generateCommand() *cobra.Command {
	var offline, check bool
	var update string
	cmd := &cobra.Command{
		Use:   "generate [SERVER...]",
		Short: "Read the servers' tools and write their packages",
		Long: `Connects to the named servers, or to all, records their tools in snapshots and
writes one Go package per server. A server that fails keeps its snapshot and its
package; the others are written.

With --offline nothing is connected: packages are made from the snapshots. With
--check nothing is written either; what is stale, missing or orphaned is printed,
and the exit code is 1 when anything is.

With --update=compatible a server is left as it is when what has changed breaks
callers (grades call, privilege and source, see verify); the changes are listed,
and the exit code is 1.`,
		ValidArgsFunction: a.completeServers(false),
		RunE: func(cmd *cobra.Command, servers []string) error {
			if update != updateAll && update != updateCompatible {
				return fmt.Errorf("--update: %.40q is neither all nor compatible", update)
			}
			if check {
				return a.check(cmd.Context(), servers)
			}
			return a.generate(cmd.Context(), servers, offline, update)
		},
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "make packages from the snapshots, without any connection")
	cmd.Flags().StringVar(&update, "update", updateAll, "what of the servers' changes to accept: all, or compatible ones only")
	_ = cmd.RegisterFlagCompletionFunc("update", cobra.FixedCompletions([]string{updateAll, updateCompatible}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&check, "check", false, "only tell whether the packages are what the snapshots say; implies --offline")
	return cmd
}

// A result is what became of one server.
type result struct {
	target      target
	tools       int // in the snapshot
	stats       lower.Stats
	diagnostics []diag.Diagnostic
	written     int // files that changed, the snapshot included
	removed     int // generated files that no longer belong to the package
	err         error
}

func (a *app) generate(ctx context.Context, servers []string, offline bool, update string) error {
	w, targets, err := a.open(servers, true)
	if err != nil {
		return err
	}
	defer w.close()
	if len(targets) == 0 {
		return w.removeOrphans()
	}
	w.offline, w.update = offline, update

	results := make([]result, len(targets))
	a.showing(targets, func(i int, t target, phase func(string)) (line string) {
		results[i] = w.generate(ctx, t, phase)
		return w.line(results[i])
	})
	if ctx.Err() != nil {
		return errInterrupted
	}
	failed := slices.ContainsFunc(results, func(r result) bool { return r.err != nil })
	if len(servers) == 0 && !failed { // what a failed server had may seem to be nobody's
		if err := w.removeOrphans(); err != nil {
			return err
		}
	}
	err = a.summarize(results)
	w.noteShared(targets)
	w.noteKept(results)
	if slices.ContainsFunc(results, refused) {
		return reported{exitNo}
	}
	return err
}

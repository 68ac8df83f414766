package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/drift"
	"github.com/mcpbind/mcpbind/runtime/config"
)

func (a *app) diffCommand() *cobra.Command {
	var r report
	var schema bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Grade what has changed between two snapshots",
		Long: `Compares two snapshots, or two folders of them by file name, and grades each
change by whom it breaks, as verify does. Saved tools/list results will do, too.
One side may be git:REV, which is the other side's path in that revision:

  mcpbind diff git:main snapshots

Nothing is connected. Where a configuration is found, its options of a server
with the snapshot's name apply. The exit code is 1 when a change is at --level or
worse. With --schema the JSON Schema of --format json is printed.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if schema && len(args) > 0 {
				return errors.New("--schema compares nothing; leave out OLD and NEW")
			}
			if schema {
				return nil
			}
			return takes(2, "OLD", "NEW")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				text, err := driftSchema()
				a.stdout.print(string(text))
				return err
			}
			return a.diff(cmd.Context(), args[0], args[1], r)
		},
	}
	reportFlags(cmd, &r)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of what --format json prints")
	return cmd
}

func (a *app) diff(ctx context.Context, before, after string, r report) error {
	if err := r.check(); err != nil {
		return err
	}
	usages, err := a.usages()
	if err != nil {
		return err
	}
	old, now, err := readSides(ctx, before, after)
	if err != nil {
		return err
	}
	names := maps.Clone(old.files)
	maps.Copy(names, now.files)
	var comparisons []comparison
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if ctx.Err() != nil {
			return errInterrupted
		}
		server := strings.TrimSuffix(name, ".json")
		c := comparison{server: server, file: now.name}
		if now.folder {
			c.file = path.Join(now.name, name)
		}
		c.changes, c.err = a.diffFiles(server, usages[server], old.files[name], now.files[name])
		comparisons = append(comparisons, c)
	}
	return a.reportDrift(r, comparisons)
}

// diffFiles compares the texts of two snapshots; nil is one without tools.
func (a *app) diffFiles(server string, u usage, before, after []byte) ([]drift.Change, error) {
	old, err := parseSide(before, nil)
	if err != nil {
		return nil, fmt.Errorf("old side: %w", err)
	}
	now, err := parseSide(after, old)
	if err != nil {
		return nil, fmt.Errorf("new side: %w", err)
	}
	return a.grade(server, u, old, now)
}

// parseSide reads a snapshot, or a saved list of tools.
func parseSide(data []byte, previous *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	if data == nil {
		return &snapshot.Snapshot{}, nil
	}
	s, err := snapshot.Parse(data)
	if err == nil {
		return s, nil
	}
	catalog, catalogErr := snapshot.ParseCatalog(data)
	if catalogErr != nil {
		return nil, err
	}
	s, _, err = snapshot.New(catalog, previous, nil)
	return s, err
}

// usages returns how the configured servers are used; none without a configuration.
func (a *app) usages() (map[string]usage, error) {
	if a.config == "" {
		if _, err := config.Find("."); err != nil {
			return nil, nil
		}
	}
	p, err := a.load()
	if err != nil {
		return nil, err
	}
	out := make(map[string]usage)
	for _, t := range p.targets {
		out[t.Name] = t.usage()
	}
	return out, nil
}

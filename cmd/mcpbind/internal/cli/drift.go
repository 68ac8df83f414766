package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/compare"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/drift"
)

// A comparison is what has changed about one server.
type comparison struct {
	server  string
	file    string // the snapshot, for annotations; "" when there is none
	changes []drift.Change
	err     error // why there was nothing to compare
}

// usage is how a server's tools are used, as far as it decides whom a change breaks.
type usage struct {
	options   lower.Options
	validated bool // results are checked
}

func (t target) usage() usage {
	v := t.Validate
	return usage{t.options(), v != nil && v.Results != nil && *v.Results}
}

// grade compares two snapshots of a server, of the tools that have a method. A
// bug in it costs this server only.
func (a *app) grade(server string, u usage, before, after *snapshot.Snapshot) (changes []drift.Change, err error) {
	defer a.survive(&err)
	old, now, err := lowerBoth(server, u, before, after)
	if err != nil {
		return nil, err
	}
	return drift.CompareAll(toolsOf(before, old), toolsOf(after, now), drift.Options{
		ValidatedResults: u.validated,
		ExactNumbers:     u.options.Numbers == lower.NumbersExact,
		Times:            u.options.Formats["date-time"] == "time",
		Source:           compare.Source(old, now),
	}), nil
}

// lowerBoth returns the packages of two snapshots, the second made after the first.
func lowerBoth(server string, u usage, before, after *snapshot.Snapshot) (old, now *model.Package, err error) {
	first, err := gen.Lower(gen.Input{Snapshot: before, Server: server, Options: u.options})
	if err != nil {
		return nil, nil, err
	}
	second, err := gen.Lower(gen.Input{Snapshot: after, Previous: before, Server: server, Options: u.options})
	if err != nil {
		return nil, nil, err
	}
	return first.Package, second.Package, nil
}

// toolsOf returns the tools that p has methods for.
func toolsOf(s *snapshot.Snapshot, p *model.Package) []drift.Tool {
	var out []drift.Tool
	for _, t := range s.Tools {
		if slices.ContainsFunc(p.Tools, func(m *model.Tool) bool { return m.Name == t.Name }) {
			out = append(out, drift.Tool{
				Name: t.Name, Title: t.Title, Description: t.Description,
				InputSchema: text(t.InputSchema), OutputSchema: text(t.OutputSchema),
				Annotations: text(t.Annotations), Execution: text(t.Execution),
			})
		}
	}
	return out
}

// A report is how changes are shown, and from which grade on they count.
type report struct {
	level  drift.Grade
	format string
}

// The formats of a report.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatGitHub   = "github"
	formatMarkdown = "markdown"
)

// reportFlags adds the flags that choose a report.
func reportFlags(cmd *cobra.Command, r *report) {
	r.level = drift.Source
	cmd.Flags().TextVar(&r.level, "level", drift.Source, "exit with 1 on changes of this `grade` or a worse one: call, privilege, source, doc, safe")
	cmd.Flags().StringVar(&r.format, "format", formatText, "text, json, github (workflow annotations) or markdown")
	_ = cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions([]string{"call", "privilege", "source", "doc", "safe"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{formatText, formatJSON, formatGitHub, formatMarkdown}, cobra.ShellCompDirectiveNoFileComp))
}

func (r report) check() error {
	if !slices.Contains([]string{formatText, formatJSON, formatGitHub, formatMarkdown}, r.format) {
		return fmt.Errorf("--format: %.40q is none of text, json, github, markdown", r.format)
	}
	return nil
}

// counts reports whether a change is at the level or worse.
func (r report) counts(c drift.Change) bool { return c.Grade() <= r.level }

// reportDrift writes the report and returns what the exit code follows from. All
// grades are shown, whatever the level.
func (a *app) reportDrift(r report, comparisons []comparison) error {
	switch r.format {
	case formatJSON:
		if err := a.driftJSON(r, comparisons); err != nil {
			return err
		}
	case formatGitHub:
		a.driftGitHub(r, comparisons)
	case formatMarkdown:
		a.driftMarkdown(r, comparisons)
	default:
		a.driftText(comparisons)
	}
	drifted := false
	failures := make([]error, len(comparisons))
	for i, c := range comparisons {
		if c.err != nil {
			a.stderr.block(c.server+": ", explain(c.server, c.err))
		}
		failures[i] = c.err
		drifted = drifted || slices.ContainsFunc(c.changes, r.counts)
	}
	code := worst(failures)
	if drifted {
		code = exitNo
	}
	if code != exitOK {
		return reported{code}
	}
	return nil
}

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/drift"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// driftGitHub writes one workflow annotation per change: an error when it counts,
// else a notice. A server without an answer is a warning.
func (a *app) driftGitHub(r report, comparisons []comparison) {
	for _, c := range comparisons {
		if c.err != nil {
			a.annotate("warning", c.file, c.server, explain(c.server, c.err))
			continue
		}
		for _, change := range c.changes {
			command := "notice"
			if r.counts(change) {
				command = "error"
			}
			lines := []string{fmt.Sprintf("%s: %s%s", gradesOf(change), at(change.Pointer), change.Message), fromTo(change), change.Hint}
			lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
			a.annotate(command, c.file, c.server+": "+change.Tool+" ("+string(change.Code)+")", strings.Join(lines, "\n"))
		}
	}
}

func (a *app) annotate(command, file, title, text string) {
	var where string
	if file != "" {
		where = "file=" + safetext.WorkflowProperty(file) + ","
	}
	a.stdout.printf("::%s %stitle=%s::%s\n", command, where, safetext.WorkflowProperty(title), safetext.WorkflowData(text))
}

// driftMarkdown writes the comment for a pull request: what counts in a table,
// the rest folded away.
func (a *app) driftMarkdown(r report, comparisons []comparison) {
	a.stdout.print("## Drift of MCP servers\n")
	for _, c := range comparisons {
		a.stdout.printf("\n### %s\n\n", safetext.Markdown(c.server))
		if c.err != nil {
			a.stdout.printf("No answer: %s\n", safetext.Markdown(explain(c.server, c.err)))
			continue
		}
		a.stdout.printf("%s.\n", capital(tally(c.changes)))
		var counting, rest []drift.Change
		for _, change := range c.changes {
			if r.counts(change) {
				counting = append(counting, change)
			} else {
				rest = append(rest, change)
			}
		}
		a.table(counting)
		if len(rest) > 0 {
			a.stdout.printf("\n<details><summary>%s below the level %s</summary>\n", count(len(rest), "change"), r.level)
			a.table(rest)
			a.stdout.print("\n</details>\n")
		}
	}
}

func (a *app) table(changes []drift.Change) {
	if len(changes) == 0 {
		return
	}
	a.stdout.print("\n| grade | tool | place | change | was | now |\n|---|---|---|---|---|---|\n")
	for _, c := range changes {
		cells := []string{
			gradesOf(c), c.Tool, c.Pointer, strings.TrimSuffix(c.Message+"; "+c.Hint, "; ") + " (" + string(c.Code) + ")",
			c.Before, c.After,
		}
		for i, text := range cells {
			cells[i] = cmp.Or(safetext.Markdown(text), " ")
		}
		a.stdout.printf("| %s |\n", strings.Join(cells, " | "))
	}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

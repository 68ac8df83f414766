package cli

import (
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/internal/drift"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// driftText writes changes for people, by server and tool.
func (a *app) driftText(comparisons []comparison) {
	for _, c := range comparisons {
		if c.err != nil {
			continue // said on stderr
		}
		a.stdout.printf("%s: %s\n", safetext.LineN(c.server, 80), tally(c.changes))
		tool := ""
		for i, change := range c.changes {
			if change.Tool != tool || i == 0 {
				tool = change.Tool
				a.stdout.printf("  %s\n", toolName(tool))
			}
			a.stdout.print(textOf(change))
		}
	}
}

// toolName shows a tool's name; changes of no tool have none.
func toolName(name string) string {
	if name == "" {
		return "(the package)"
	}
	return safetext.LineN(name, 80)
}

// textOf is a change in two lines, three when there is something to do.
func textOf(c drift.Change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %-12s%s%s [%s]\n", gradesOf(c), at(c.Pointer), safetext.LineN(c.Message, 200), c.Code)
	if from := fromTo(c); from != "" {
		fmt.Fprintf(&b, "                %s\n", from)
	}
	if c.Hint != "" {
		fmt.Fprintf(&b, "                %s\n", safetext.LineN(c.Hint, 200))
	}
	return b.String()
}

func at(pointer string) string {
	if pointer == "" {
		return ""
	}
	return safetext.LineN(pointer, 200) + ": "
}

// fromTo shows before and after; they are safe to print already.
func fromTo(c drift.Change) string {
	switch {
	case c.Before == "" && c.After == "":
		return ""
	case c.Before == "":
		return "now: " + c.After
	case c.After == "":
		return "was: " + c.Before
	}
	return "was: " + c.Before + "; now: " + c.After
}

// gradesOf names the grades, the worst one first.
func gradesOf(c drift.Change) string {
	var names []string
	for _, g := range c.Grades {
		names = append(names, g.String())
	}
	return strings.Join(names, "+")
}

// tally counts changes by their worst grade.
func tally(changes []drift.Change) string {
	if len(changes) == 0 {
		return "no changes"
	}
	byGrade := make(map[drift.Grade]int)
	for _, c := range changes {
		byGrade[c.Grade()]++
	}
	var parts []string
	for _, g := range drift.Grades() {
		if n := byGrade[g]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, g))
		}
	}
	return count(len(changes), "change") + " (" + strings.Join(parts, ", ") + ")"
}

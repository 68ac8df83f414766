// Package drift tells what a change of a tool does to the Go code that calls it.
//
// In: a tool as it was and as it is. Out: graded changes, each with a stable
// code, the place and short texts that are safe to print. It compares what
// schemas mean, not how they are written, is sound for the keywords that it
// knows and says so where it does not know one. Nothing is fetched; no schema
// makes it panic or run for long. It knows no Go types: for the grade [Source]
// a caller passes in what it found itself. It imports other internal packages only.
package drift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A Tool is one tool as a server advertised it at some time. Schemas and
// annotations are JSON; empty means that there was none.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Annotations  json.RawMessage
	Execution    json.RawMessage
}

// Options say how the tools are used.
type Options struct {
	// ValidatedResults: results are also checked against the schema, so that a
	// value which the old one does not allow breaks its readers.
	ValidatedResults bool
	// ExactNumbers: numbers decode to json.Number, which has no range.
	ExactNumbers bool
	// Times: strings of format date-time decode to time.Time.
	Times bool
	// Source holds what regenerated code breaks, found by comparing Go types.
	// Such a change is joined with the one at the same place, if there is one.
	Source []Change
}

// Compare returns the changes from one version of a tool to the next, sorted by
// [Sort]: none when both mean the same.
func Compare(before, after Tool, o Options) []Change {
	changes := slices.Concat(compareTool(before, after), compareArguments(before, after, o), compareResults(before, after, o))
	return finish(before.Name, changes, o.Source)
}

// CompareAll is [Compare] for all tools of a server, by name. A tool that is
// gone or new is one change.
func CompareAll(before, after []Tool, o Options) []Change {
	source := make(map[string][]Change)
	for _, c := range o.Source {
		source[c.Tool] = append(source[c.Tool], c)
	}
	old := make(map[string]Tool, len(before))
	for _, t := range before {
		old[t.Name] = t
	}
	now := make(map[string]bool, len(after))
	var out []Change
	for _, t := range after {
		now[t.Name] = true
		was, there := old[t.Name]
		own := o
		own.Source = source[t.Name]
		delete(source, t.Name)
		if there {
			out = append(out, Compare(was, t, own)...)
		} else {
			out = append(out, finish(t.Name, []Change{newChange(toolAdded, "", "", "")}, own.Source)...)
		}
	}
	for _, t := range before {
		if !now[t.Name] {
			out = append(out, finish(t.Name, []Change{newChange(toolRemoved, "", "", "")}, source[t.Name])...)
			delete(source, t.Name)
		}
	}
	for _, c := range o.Source {
		if _, left := source[c.Tool]; left {
			out = append(out, c) // of no tool, or of one that nobody listed
		}
	}
	Sort(out)
	return out
}

// finish names the tool in its changes and joins in what source holds.
func finish(tool string, changes, source []Change) []Change {
	for i := range changes {
		changes[i].Tool = tool
	}
	for _, s := range source {
		i := slices.IndexFunc(changes, func(c Change) bool {
			return c.Pointer == s.Pointer && c.Grade() <= Privilege && !slices.Contains(c.Grades, Source)
		})
		if i < 0 {
			changes = append(changes, s)
			continue
		}
		changes[i].Grades = append(changes[i].Grades, Source)
		slices.Sort(changes[i].Grades)
		if changes[i].Hint == "" {
			changes[i].Hint = s.Message
		}
	}
	Sort(changes)
	return changes
}

// Sort orders changes by tool, then grade, place and code.
func Sort(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(a.Grade(), b.Grade()),
			cmp.Compare(a.Pointer, b.Pointer),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

// document reads one schema; nil without an error when there is none.
func document(raw json.RawMessage) (*schema.Document, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("the schema has more than %d bytes", maxBytes)
	}
	root, err := schema.Parse(raw)
	if err != nil {
		return nil, err
	}
	return schema.NewDocument(root)
}

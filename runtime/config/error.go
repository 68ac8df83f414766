package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Error is one fault in a configuration file. It never holds a value.
type Error struct {
	Path    string // the file, as it was named
	Line    int    // from 1; 0 when the fault has no place
	Column  int    // from 1, in characters
	Key     string // dotted path of keys, like "servers.github.timeout"; may be ""
	Message string // what is wrong, and what to write instead
}

// Error formats e as path:line:column: key: message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// Errors is every fault found in one reading, in order of place.
type Errors []*Error

// Error joins the faults, one a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single faults, for errors.As.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

func (es Errors) sorted() Errors {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return es
}

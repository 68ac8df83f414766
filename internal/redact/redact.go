// Package redact removes secrets that a server echoes back.
//
// In: the values that a server's own ${VAR}s expanded to, by variable name, and
// any text. Out: the text with each value replaced by ${NAME}. It knows nothing
// of where secrets come from and imports nothing of mcpbind.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// minLength is the shortest value that is looked for: shorter ones occur by
// chance in any text.
const minLength = 8

// A Redactor replaces a fixed set of values. The nil Redactor replaces nothing.
// It is safe for concurrent use.
type Redactor struct {
	replacer *strings.Replacer
	values   []string
}

// New returns a Redactor for values, a map of variable name to expanded value.
// Values shorter than 8 bytes are left alone. It returns nil when none is left.
func New(values map[string]string) *Redactor {
	type pair struct{ name, value string }
	var pairs []pair
	for name, value := range values {
		if len(value) >= minLength {
			pairs = append(pairs, pair{name, value})
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	// Longest first: where one value contains another, strings.Replacer takes
	// the earlier argument.
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(len(b.value), len(a.value)), cmp.Compare(a.name, b.name))
	})
	r := &Redactor{}
	var oldnew []string
	for _, p := range pairs {
		oldnew = append(oldnew, p.value, "${"+p.name+"}")
		r.values = append(r.values, p.value)
	}
	r.replacer = strings.NewReplacer(oldnew...)
	return r
}

// Text returns s with every secret replaced by ${NAME}.
func (r *Redactor) Text(s string) string {
	if r == nil {
		return s
	}
	return r.replacer.Replace(s)
}

// Found reports whether s contains a secret.
func (r *Redactor) Found(s string) bool {
	return r != nil && slices.ContainsFunc(r.values, func(v string) bool { return strings.Contains(s, v) })
}

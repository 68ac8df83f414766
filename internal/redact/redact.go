// Package redact removes secrets that a server echoes back.
//
// In: the values that a server's own ${VAR}s expanded to, by variable name, and
// any text. Out: the text with each value replaced by ${NAME}. It knows nothing
// of where secrets come from and imports nothing of mcpbind.
//
// A value is found as it is, without the white space around it, inside JSON
// strings and URLs (escaped), and in base64 at any alignment, as in an echoed
// Basic credential. An echo that changes case, splits the value or hashes it is
// not found: no list of transformations would be complete.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// minLength is the shortest value that is looked for: shorter ones occur by
// chance in any text.
const minLength = 8

// A Redactor replaces a fixed set of values. The nil Redactor replaces nothing.
// It is safe for concurrent use.
type Redactor struct {
	needles []needle
}

// A needle is one spelling of one secret.
type needle struct{ text, name string }

// New returns a Redactor for values, a map of variable name to expanded value.
// Values shorter than 8 bytes are left alone. It returns nil when none is left.
func New(values map[string]string) *Redactor {
	var needles []needle
	for name, value := range values {
		for _, text := range spellings(value) {
			needles = append(needles, needle{text, name})
		}
	}
	if len(needles) == 0 {
		return nil
	}
	slices.SortFunc(needles, func(a, b needle) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text), cmp.Compare(a.name, b.name))
	})
	needles = slices.CompactFunc(needles, func(a, b needle) bool { return a.text == b.text })
	return &Redactor{needles}
}

// spellings returns the forms in which a server may echo value.
func spellings(value string) []string {
	trimmed := strings.TrimSpace(value)
	if len(trimmed) < minLength {
		if len(value) < minLength {
			return nil
		}
		return []string{value}
	}
	forms := []string{
		value, trimmed,
		jsonForm(trimmed, false), jsonForm(trimmed, true),
		url.QueryEscape(trimmed), url.PathEscape(trimmed),
	}
	for _, plain := range []string{value, trimmed} {
		for before := range 3 {
			form := base64Form(plain, before)
			forms = append(forms, form, strings.NewReplacer("+", "-", "/", "_").Replace(form))
		}
	}
	return forms
}

// jsonForm is value as it stands between the quotes of a JSON string.
func jsonForm(value string, escapeHTML bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if err := enc.Encode(value); err != nil {
		return value
	}
	return b.String()[len(`"`) : b.Len()-len("\"\n")]
}

// base64Form is the part of a base64 text that value alone decides when before
// bytes (modulo 3) stand in front of it.
func base64Form(value string, before int) string {
	text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + value))
	return text[(before*8+5)/6 : (before+len(value))*8/6]
}

// Text returns s with every secret replaced by ${NAME}.
func (r *Redactor) Text(s string) string {
	if !r.Found(s) {
		return s
	}
	var b strings.Builder
	done := 0
	for _, sp := range r.spans(s) {
		// A secret that only overlaps the one before must not leave its rest.
		if sp.start >= done {
			b.WriteString(s[done:sp.start])
		} else if sp.end <= done {
			continue
		}
		b.WriteString("${" + sp.name + "}")
		done = sp.end
	}
	return b.String() + s[done:]
}

// Found reports whether s contains a secret.
func (r *Redactor) Found(s string) bool {
	return r != nil && slices.ContainsFunc(r.needles, func(n needle) bool { return strings.Contains(s, n.text) })
}

// A span is a place in a text that a secret covers.
type span struct {
	start, end int
	name       string
}

// spans returns where secrets stand in s, by start, longer ones first.
func (r *Redactor) spans(s string) []span {
	var spans []span
	for _, n := range r.needles {
		last := -1 // the span of n that a next occurrence may overlap
		for from := 0; ; {
			i := strings.Index(s[from:], n.text)
			if i < 0 {
				break
			}
			start := from + i
			if last >= 0 && start < spans[last].end {
				spans[last].end = start + len(n.text)
			} else {
				spans = append(spans, span{start, start + len(n.text), n.name})
				last = len(spans) - 1
			}
			from = start + 1
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return spans
}

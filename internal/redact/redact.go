// Package redact removes secrets that a server echoes back.
//
// In: the values that a server's own ${VAR}s expanded to, by variable name, tokens
// as they come, and any text. Out: the text with each value replaced by ${NAME}. It
// knows nothing of where secrets come from and imports nothing of mcpbind.
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
	"sync"
	"sync/atomic"
)

// minLength is the shortest value that is looked for: shorter ones occur by
// chance in any text.
const minLength = 8

// maxLearned bounds the values that [Redactor.Learn] keeps: the latest.
const maxLearned = 16

// A Redactor replaces a set of values. The nil Redactor replaces nothing, and
// neither does the zero one before it has learned some. It is safe for concurrent
// use, and must not be copied.
type Redactor struct {
	needles atomic.Pointer[[]needle] // sorted; nil: none

	mu      sync.Mutex // over changes of what follows, and of needles
	fixed   []needle
	learned []secret // oldest first
}

type secret struct{ value, name string }

// A needle is one spelling of one secret.
type needle struct{ text, name string }

// New returns a Redactor for values, a map of variable name to expanded value.
// Values shorter than 8 bytes are left alone. It returns nil when none is left.
func New(values map[string]string) *Redactor {
	var fixed []needle
	for name, value := range values {
		fixed = append(fixed, needlesOf(secret{value, name})...)
	}
	if len(fixed) == 0 {
		return nil
	}
	r := &Redactor{fixed: fixed}
	r.sharpen()
	return r
}

// Learn adds a value that comes and goes, such as a token; of these the latest 16
// are looked for.
func (r *Redactor) Learn(name, value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := secret{value, name}
	if slices.Contains(r.learned, s) || len(spellings(value)) == 0 {
		return
	}
	if len(r.learned) == maxLearned {
		r.learned = slices.Delete(r.learned, 0, 1)
	}
	r.learned = append(r.learned, s)
	r.sharpen()
}

// sharpen makes the needles anew. The caller holds r.mu, or r alone.
func (r *Redactor) sharpen() {
	needles := slices.Clone(r.fixed)
	for _, s := range r.learned {
		needles = append(needles, needlesOf(s)...)
	}
	slices.SortFunc(needles, func(a, b needle) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text), cmp.Compare(a.name, b.name))
	})
	needles = slices.CompactFunc(needles, func(a, b needle) bool { return a.text == b.text })
	r.needles.Store(&needles)
}

func needlesOf(s secret) []needle {
	var needles []needle
	for _, text := range spellings(s.value) {
		needles = append(needles, needle{text, s.name})
	}
	return needles
}

// present returns what is looked for at this moment.
func (r *Redactor) present() []needle {
	if r == nil {
		return nil
	}
	if needles := r.needles.Load(); needles != nil {
		return *needles
	}
	return nil
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
	needles := r.present()
	if !found(needles, s) {
		return s
	}
	var b strings.Builder
	done := 0
	for _, sp := range spansOf(needles, s) {
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
func (r *Redactor) Found(s string) bool { return found(r.present(), s) }

func found(needles []needle, s string) bool {
	return slices.ContainsFunc(needles, func(n needle) bool { return strings.Contains(s, n.text) })
}

// A span is a place in a text that a secret covers.
type span struct {
	start, end int
	name       string
}

// spansOf returns where secrets stand in s, by start, longer ones first.
func spansOf(needles []needle, s string) []span {
	var spans []span
	for _, n := range needles {
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

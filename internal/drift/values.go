package drift

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A valueSet is a list of JSON values, no two of them equal.
type valueSet struct {
	list  []*schema.Value
	known map[string]bool
}

func newValueSet(values []*schema.Value) *valueSet {
	s := &valueSet{known: make(map[string]bool, len(values))}
	for _, v := range values {
		if k := valueKey(v); !s.known[k] {
			s.known[k] = true
			s.list = append(s.list, v)
		}
	}
	return s
}

func (s *valueSet) has(v *schema.Value) bool { return s.known[valueKey(v)] }

// missing returns the values of s that other does not have.
func (s *valueSet) missing(other *valueSet) []*schema.Value {
	var out []*schema.Value
	for _, v := range s.list {
		if !other.has(v) {
			out = append(out, v)
		}
	}
	return out
}

// valueKey is equal for equal JSON: numbers by value, members in any order.
func valueKey(v *schema.Value) string {
	switch v.Kind {
	case schema.String:
		return `"` + v.Text
	case schema.Number:
		if d, ok := schema.Decimal(v.Text); ok {
			return d
		}
		return v.Text
	case schema.Array:
		var b strings.Builder
		b.WriteByte('[')
		for _, item := range v.Items {
			writeKey(&b, valueKey(item))
		}
		return b.String()
	case schema.Object:
		members := slices.SortedFunc(slices.Values(v.Members), func(a, b schema.Member) int { return cmp.Compare(a.Name, b.Name) })
		var b strings.Builder
		b.WriteByte('{')
		for _, m := range members {
			writeKey(&b, m.Name)
			writeKey(&b, valueKey(m.Value))
		}
		return b.String()
	}
	return v.JSON()
}

// writeKey writes a key within a key so that no two lists of keys look alike.
func writeKey(b *strings.Builder, key string) {
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(key, `\`, `\\`), ",", `\,`))
	b.WriteByte(',')
}

// list shows values as JSON, cut to what a line holds.
func list(values []*schema.Value) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > 4*maxText {
			b.WriteString("…")
			break
		}
		b.WriteString(v.JSON())
	}
	return b.String()
}

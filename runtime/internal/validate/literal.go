package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A literal is a value that the schema spells out.
type literal struct {
	value *schema.Value
	key   string
}

func newLiteral(v *schema.Value) *literal { return &literal{v, string(appendKey(nil, v))} }

// An enumeration is a set of literals, found by key.
type enumeration struct {
	literals []*literal
	keys     map[string]struct{}
	kinds    [schema.Object + 1]bool // kinds that occur
}

func newEnumeration(values []*schema.Value) *enumeration {
	e := &enumeration{keys: make(map[string]struct{}, len(values))}
	for _, v := range values {
		l := newLiteral(v)
		e.literals = append(e.literals, l)
		e.keys[l.key] = struct{}{}
		e.kinds[v.Kind] = true
	}
	return e
}

// appendKey appends a text that two values have in common exactly when they are
// equal as JSON: 1.0 is 1, the order of members does not count.
func appendKey(b []byte, v *schema.Value) []byte {
	switch v.Kind {
	case schema.Null:
		return append(b, 'n')
	case schema.Bool:
		return strconv.AppendBool(b, v.Bool)
	case schema.Number:
		return parseDecimal(v.Text).appendKey(append(b, '#'))
	case schema.String:
		return appendKeyString(b, v.Text)
	case schema.Array:
		b = append(b, '[')
		for _, item := range v.Items {
			b = append(appendKey(b, item), ',')
		}
		return append(b, ']')
	}
	members := slices.Clone(v.Members)
	slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Name, b.Name) })
	b = append(b, '{')
	for _, m := range members {
		b = append(appendKey(appendKeyString(b, m.Name), m.Value), ',')
	}
	return append(b, '}')
}

// appendKeyString puts the length first: no text can then be taken for another.
func appendKeyString(b []byte, s string) []byte {
	b = strconv.AppendInt(append(b, '"'), int64(len(s)), 10)
	return append(append(b, ':'), s...)
}

// weight is the size of a value in steps, for work that reads all of it.
func weight(v *schema.Value) int {
	n := 1 + len(v.Text)/256
	for _, item := range v.Items {
		n += weight(item)
	}
	for _, m := range v.Members {
		n += len(m.Name)/256 + weight(m.Value)
	}
	return n
}

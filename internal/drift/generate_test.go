package drift_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/mutate"
)

// A maker makes values that are likely to be valid by a schema, and now and then
// takes over what the schema on the other side says, to find what it refuses.
type maker struct {
	r     *rand.Rand
	root  any
	extra bool // undeclared keys wherever they are valid; else only where Go types have a place for them
}

// deref follows a local reference.
func deref(root, s any) any {
	for range 20 {
		o, ok := s.(object)
		if !ok {
			return s
		}
		ref, ok := o["$ref"].(string)
		if !ok {
			return s
		}
		target := root
		for token := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
			if token == "" {
				continue
			}
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
			switch t := target.(type) {
			case object:
				target = t[token]
			case []any:
				i, err := strconv.Atoi(token)
				if err != nil || i >= len(t) {
					return nil
				}
				target = t[i]
			default:
				return nil
			}
		}
		s = target
	}
	return s
}

// merged puts what holds at s, apart from unions, into one object, choosing one
// branch of each union.
func (m maker) merged(s any, depth int) object {
	out := object{}
	o, ok := deref(m.root, s).(object)
	if !ok {
		return out
	}
	maps.Copy(out, o)
	add := func(part any) {
		for k, v := range m.merged(part, depth+1) {
			switch old := out[k].(type) {
			case object:
				if n, ok := v.(object); ok && k == "properties" {
					both := maps.Clone(old)
					maps.Copy(both, n)
					out[k] = both
					continue
				}
				out[k] = v
			case []any:
				if n, ok := v.([]any); ok && k == "required" {
					out[k] = slices.Concat(old, n)
					continue
				}
				out[k] = v
			default:
				out[k] = v
			}
		}
	}
	if depth > 6 {
		return out
	}
	if ref, ok := s.(object); ok && len(ref) > 1 {
		for k, v := range ref {
			if k != "$ref" {
				out[k] = v
			}
		}
	}
	for _, k := range []string{"allOf", "anyOf", "oneOf"} {
		l, _ := o[k].([]any)
		delete(out, k)
		switch {
		case len(l) == 0:
		case k == "allOf":
			for _, part := range l {
				add(part)
			}
		default:
			add(l[m.r.IntN(len(l))])
		}
	}
	return out
}

func (m maker) value(s, other any, depth int) any {
	if other != nil && m.r.IntN(4) == 0 {
		x := m.value(other, nil, depth)
		if m.extra || !hasObject(x) {
			return x
		}
	}
	o := m.merged(s, 0)
	if l, ok := o["enum"].([]any); ok && len(l) > 0 && m.r.IntN(10) > 0 {
		return l[m.r.IntN(len(l))]
	}
	if c, ok := o["const"]; ok && m.r.IntN(10) > 0 {
		return c
	}
	typ, _ := o["type"].(string)
	if l, ok := o["type"].([]any); ok && len(l) > 0 {
		typ, _ = l[m.r.IntN(len(l))].(string)
	}
	if typ == "" {
		switch {
		case o["properties"] != nil || o["required"] != nil:
			typ = "object"
		case o["items"] != nil:
			typ = "array"
		default:
			typ = []string{"string", "integer", "boolean", "object", "array", "null", "number"}[m.r.IntN(7)]
		}
	}
	switch typ {
	case "null":
		return nil
	case "boolean":
		return m.r.IntN(2) == 0
	case "integer":
		return m.number(o)
	case "number":
		if m.r.IntN(3) > 0 {
			return m.number(o) + 0.5
		}
		return m.number(o)
	case "array":
		return m.list(o, m.merged(other, 0), depth)
	case "object":
		return m.object(o, m.merged(other, 0), depth)
	}
	return m.text(o)
}

func (m maker) number(o object) float64 {
	around := []float64{0, 1, 2, 3, 4, 5, 12, 60, 100, 1e6, -1, -7, 1e25}
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
		if n, ok := o[k].(float64); ok {
			around = append(around, n, n, n+1, n-1)
		}
	}
	return around[m.r.IntN(len(around))]
}

func (m maker) text(o object) string {
	texts := []string{"", "a", "b", "ab", "zNew", "abc", "aaaaaaaaaaaa", "2024-01-01", "extra", "https://example.com"}
	if n, ok := o["minLength"].(float64); ok && n < 200 {
		texts = append(texts, strings.Repeat("a", int(n)), strings.Repeat("b", int(n)))
	}
	return texts[m.r.IntN(len(texts))]
}

func (m maker) list(o, other object, depth int) any {
	out := []any{}
	n := m.r.IntN(4)
	if low, ok := o["minItems"].(float64); ok && n < int(low) && low < 10 {
		n = int(low)
	}
	prefix, _ := o["prefixItems"].([]any)
	for i := range n {
		item := o["items"]
		if i < len(prefix) {
			item = prefix[i]
		}
		if depth > 5 {
			break
		}
		out = append(out, m.value(item, other["items"], depth+1))
	}
	return out
}

func (m maker) object(o, other object, depth int) any {
	out := object{}
	need := mutate.Required(o)
	for _, name := range mutate.Names(o) {
		if slices.Contains(need, name) && m.r.IntN(20) > 0 || depth < 5 && m.r.IntN(3) == 0 {
			out[name] = m.value(mutate.Properties(o)[name], mutate.Properties(other)[name], depth+1)
		}
	}
	for _, name := range need {
		if _, ok := out[name]; !ok && mutate.Properties(o)[name] == nil {
			out[name] = m.value(object{}, mutate.Properties(other)[name], depth+1)
		}
	}
	rest := o["additionalProperties"]
	_, patterned := o["patternProperties"].(object)
	stated := rest != nil && rest != false || patterned
	if depth < 5 && (stated || m.extra && rest != false || !stated && rest != false && depth > 0 && len(mutate.Names(o)) == 0) && m.r.IntN(2) == 0 {
		candidates := append(mutate.Names(other), "zz", "zNew", "other")
		name := candidates[m.r.IntN(len(candidates))]
		if _, ok := out[name]; !ok {
			s := rest
			if patterned && strings.HasPrefix(name, "z") {
				s = o["patternProperties"].(object)["^z"]
			}
			out[name] = m.value(s, mutate.Properties(other)[name], depth+1)
		}
	}
	return out
}

// hasObject reports whether x is or holds an object, which may have keys that
// callers do not know.
func hasObject(x any) bool {
	switch x := x.(type) {
	case object:
		return true
	case []any:
		return slices.ContainsFunc(x, hasObject)
	}
	return false
}

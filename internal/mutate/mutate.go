// Package mutate makes small changes to schemas, as servers do from one release
// to the next.
//
// In: a decoded JSON Schema and a source of randomness. Out: the schema changed
// in place, and the name of the change. Only tests import it.
package mutate

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Mutator makes small changes to decoded schemas. Equal sources make equal ones.
type Mutator struct{ Rand *rand.Rand }

type object = map[string]any

// Clone copies decoded JSON.
func Clone(v any) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for k, x := range v {
			out[k] = Clone(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Clone(x)
		}
		return out
	}
	return v
}

// subschemas lists every object that is a schema, in a fixed order.
func subschemas(s any) []object {
	var out []object
	var walk func(s any)
	walk = func(s any) {
		o, ok := s.(object)
		if !ok {
			return
		}
		out = append(out, o)
		for _, k := range slices.Sorted(maps.Keys(o)) {
			switch k {
			case "properties", "$defs", "definitions", "patternProperties":
				if m, ok := o[k].(object); ok {
					for _, name := range slices.Sorted(maps.Keys(m)) {
						walk(m[name])
					}
				}
			case "anyOf", "oneOf", "allOf", "prefixItems":
				if l, ok := o[k].([]any); ok {
					for _, x := range l {
						walk(x)
					}
				}
			case "items", "additionalProperties":
				walk(o[k])
			}
		}
	}
	walk(s)
	return out
}

func (m Mutator) pick(list []string) string { return list[m.Rand.IntN(len(list))] }

// Properties returns the declared properties of a schema, nil when there are none.
func Properties(s map[string]any) map[string]any {
	p, _ := s["properties"].(object)
	return p
}

// Names returns the declared properties' names, sorted.
func Names(s map[string]any) []string { return slices.Sorted(maps.Keys(Properties(s))) }

// Required returns the names that a schema requires.
func Required(s map[string]any) []string {
	l, _ := s["required"].([]any)
	var out []string
	for _, x := range l {
		if name, ok := x.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

func setRequired(s object, list []string) {
	delete(s, "required")
	if len(list) > 0 {
		var out []any
		for _, name := range list {
			out = append(out, name)
		}
		s["required"] = out
	}
}

// simple returns a small schema.
func (m Mutator) simple() any {
	all := []any{
		object{"type": "string"}, object{"type": "integer"}, object{"type": "boolean"}, object{"type": "number"},
		object{"type": []any{"string", "null"}}, object{"enum": []any{"a", "b"}}, object{},
		object{"type": "array", "items": object{"type": "string"}},
		object{"type": "object", "properties": object{"id": object{"type": "string"}}, "required": []any{"id"}},
		object{"type": "object", "properties": object{"kind": object{"const": "extra"}}, "required": []any{"kind"}},
		object{"type": "object", "additionalProperties": object{"type": "integer"}},
		object{"type": "null"}, object{"type": "string", "minLength": 2.0},
	}
	return Clone(all[m.Rand.IntN(len(all))])
}

// Mutate changes one place of s, in place, and returns what it did; "" when
// nothing was to be changed there.
func (m Mutator) Mutate(s map[string]any) string {
	all := subschemas(s)
	at := all[m.Rand.IntN(len(all))]
	if m.Rand.IntN(3) == 0 {
		at = all[0]
	}
	kind := m.pick(mutations)
	if !m.apply(kind, at, s) {
		return ""
	}
	return kind
}

var mutations = []string{
	"drop property", "add property", "add required", "drop required", "require", "drop value", "add value", "list values", "unlist values",
	"bound", "unbound", "null", "not null", "null by anyOf", "extra", "drop branch", "add branch", "wrap anyOf", "wrap oneOf",
	"type", "more types", "pattern", "multiple", "items", "tuple", "unique", "hoist", "allOf", "not", "condition", "dependent", "pattern properties", "names", "const",
	"split", "range",
}

func (m Mutator) apply(kind string, s, root object) bool {
	typ, _ := s["type"].(string)
	list := func(k string) []any { l, _ := s[k].([]any); return l }
	replace := func(by object) {
		clear(s)
		maps.Copy(s, by)
	}
	switch kind {
	case "drop property":
		if len(Names(s)) == 0 {
			return false
		}
		name := m.pick(Names(s))
		delete(Properties(s), name)
		setRequired(s, slices.DeleteFunc(Required(s), func(r string) bool { return r == name }))
	case "add property", "add required":
		if Properties(s) == nil {
			if typ != "object" {
				return false
			}
			s["properties"] = object{}
		}
		name := m.pick([]string{"zNew", "id", "kind", "extra"})
		if Properties(s)[name] != nil {
			return false
		}
		Properties(s)[name] = m.simple()
		if kind == "add required" {
			setRequired(s, append(Required(s), name))
		}
	case "drop required":
		if len(Required(s)) == 0 {
			return false
		}
		setRequired(s, Required(s)[1:])
	case "require":
		if len(Names(s)) == 0 {
			return false
		}
		name := m.pick(Names(s))
		if slices.Contains(Required(s), name) {
			return false
		}
		setRequired(s, append(Required(s), name))
	case "drop value":
		if l := list("enum"); len(l) > 1 {
			i := m.Rand.IntN(len(l))
			s["enum"] = append(slices.Clone(l[:i]), l[i+1:]...)
			return true
		}
		return false
	case "add value":
		l := list("enum")
		if l == nil {
			return false
		}
		s["enum"] = append(slices.Clone(l), "zNew")
	case "list values":
		if typ != "string" || s["enum"] != nil {
			return false
		}
		s["enum"] = []any{"a", "b"}
	case "unlist values":
		if s["enum"] == nil && s["const"] == nil {
			return false
		}
		delete(s, "enum")
		delete(s, "const")
	case "bound":
		k := map[string][]string{
			"integer": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}, "number": {"minimum", "maximum", "exclusiveMinimum"},
			"string": {"minLength", "maxLength"}, "array": {"minItems", "maxItems"}, "object": {"minProperties", "maxProperties"},
		}[typ]
		if k == nil {
			return false
		}
		s[m.pick(k)] = float64(m.Rand.IntN(5))
	case "range":
		if typ != "integer" {
			return false
		}
		s["maximum"] = []float64{1e3, 1e30, 1.8e19}[m.Rand.IntN(3)]
		s["minimum"] = []float64{0, -1e30}[m.Rand.IntN(2)]
	case "unbound":
		n := len(s)
		for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"} {
			delete(s, k)
		}
		return len(s) < n
	case "null":
		if typ == "" || typ == "null" {
			return false
		}
		s["type"] = []any{typ, "null"}
	case "not null":
		l := list("type")
		if len(l) < 2 {
			return false
		}
		s["type"] = l[0]
	case "null by anyOf", "wrap anyOf", "wrap oneOf":
		if typ == "" && s["$ref"] == nil {
			return false
		}
		was := Clone(s).(object)
		for _, k := range []string{"$schema", "$defs", "definitions"} {
			delete(was, k)
		}
		for k := range was {
			delete(s, k)
		}
		switch kind {
		case "null by anyOf":
			s["anyOf"] = []any{was, object{"type": "null"}}
		case "wrap anyOf":
			s["anyOf"] = []any{was, m.simple()}
		default:
			s["oneOf"] = []any{m.simple(), was}
		}
	case "extra":
		choices := []any{false, true, object{"type": "string"}, nil}
		if typ != "object" && Properties(s) == nil {
			return false
		}
		if c := choices[m.Rand.IntN(4)]; c == false && s["allOf"] != nil {
			return false // nothing at all would be valid
		} else if c == nil {
			delete(s, "additionalProperties")
		} else {
			s["additionalProperties"] = Clone(c)
		}
	case "drop branch", "add branch":
		for _, k := range []string{"anyOf", "oneOf"} {
			l := list(k)
			switch {
			case l == nil:
			case kind == "add branch":
				s[k] = append(slices.Clone(l), m.simple())
				return true
			case len(l) > 1:
				s[k] = slices.Clone(l[1:])
				return true
			}
		}
		return false
	case "type":
		by := map[string][]string{"string": {"integer", "boolean"}, "integer": {"number", "string"}, "number": {"integer", "string"}, "boolean": {"string"}, "array": {"string"}, "object": {"array", "string"}}[typ]
		if by == nil {
			return false
		}
		s["type"] = m.pick(by)
	case "more types":
		if typ == "" {
			return false
		}
		s["type"] = []any{typ, m.pick([]string{"integer", "array", "object"})}
		if l := list("type"); l[0] == l[1] {
			s["type"] = l[:1]
		}
	case "pattern":
		if typ != "string" {
			return false
		}
		s["pattern"] = m.pick([]string{"^a", "b$"})
	case "multiple":
		if typ != "integer" && typ != "number" {
			return false
		}
		s["multipleOf"] = float64(1 + m.Rand.IntN(4))
	case "items":
		if typ != "array" {
			return false
		}
		s["items"] = m.simple()
	case "tuple":
		if typ != "array" || root["$schema"] != nil {
			return false
		}
		s["prefixItems"] = []any{m.simple(), m.simple()}
		if m.Rand.IntN(2) == 0 {
			s["minItems"] = float64(m.Rand.IntN(3))
		}
		if m.Rand.IntN(2) == 0 {
			s["items"] = false
		}
	case "unique":
		if typ != "array" {
			return false
		}
		s["uniqueItems"] = true
	case "hoist":
		if len(s) == 0 || s["$defs"] != nil || s["definitions"] != nil || s["$ref"] != nil {
			return false
		}
		was := Clone(s).(object)
		clear(s)
		s["$ref"] = "#/$defs/zHoisted"
		defs, _ := root["$defs"].(object)
		if defs == nil {
			defs = object{}
			root["$defs"] = defs
		}
		if defs["zHoisted"] != nil {
			replace(was)
			return false
		}
		if dialect := was["$schema"]; dialect != nil {
			delete(was, "$schema")
			root["$schema"] = dialect
		}
		defs["zHoisted"] = was
	case "allOf":
		if s["additionalProperties"] == false { // nothing at all would be valid
			return false
		}
		s["allOf"] = []any{m.simple()}
	case "split":
		if Properties(s) == nil || s["additionalProperties"] != nil || s["allOf"] != nil {
			return false
		}
		s["allOf"] = []any{object{"properties": s["properties"]}}
		delete(s, "properties")
	case "not":
		s["not"] = m.simple()
	case "condition":
		s["if"], s["then"] = m.simple(), m.simple()
	case "dependent":
		if len(Names(s)) < 2 || root["$schema"] != nil {
			return false
		}
		s["dependentRequired"] = object{Names(s)[0]: []any{Names(s)[1]}}
	case "pattern properties":
		if typ != "object" {
			return false
		}
		s["patternProperties"] = object{"^z": m.simple()}
	case "names":
		if typ != "object" {
			return false
		}
		s["propertyNames"] = object{"maxLength": 8.0}
	case "const":
		if typ != "string" {
			return false
		}
		s["const"] = "a"
	}
	return true
}

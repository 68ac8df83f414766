package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A maker makes a value for a schema, guided by bytes: mostly one that fits. It
// knows JSON Schema from its specification, and shares no code with gen/lower.
type maker struct {
	guide []byte
	doc   *schema.Document
}

// pick returns a number below n; 0 when the guide is used up.
func (m *maker) pick(n int) int {
	if len(m.guide) == 0 || n == 0 {
		return 0
	}
	b := m.guide[0]
	m.guide = m.guide[1:]
	return int(b) % n
}

const maxMade = 8 // levels of nesting

var (
	texts    = []string{"", "a", "BER", "x y", "2026-11-30T21:00:00Z", "AA==", "\u2028\\\"", "é🙂", "null", "open"}
	literals = []string{"0", "1", "-1", "1.0", "1e2", "20", "0.5", "-0.0", "9007199254740993", "18446744073709551615",
		"-9223372036854775809", "123456789012345678901234567890", "1e400", "0.1", "3.0e0", "1e-7"}
	strangers = []string{"zz", "extra", "Extra", "Name", "NAME", "x-a", "n-a", "", "kind", "a,b"}
)

func made(kind schema.Kind, text string) *schema.Value { return &schema.Value{Kind: kind, Text: text} }

// anything returns a value of any kind.
func (m *maker) anything(depth int) *schema.Value {
	kinds := 6
	if depth > maxMade {
		kinds = 4
	}
	switch m.pick(kinds) {
	case 0:
		return made(schema.String, texts[m.pick(len(texts))])
	case 1:
		return made(schema.Number, literals[m.pick(len(literals))])
	case 2:
		return &schema.Value{Kind: schema.Bool, Bool: m.pick(2) == 1}
	case 3:
		return made(schema.Null, "")
	case 4:
		v := made(schema.Array, "")
		for range m.pick(3) {
			v.Items = append(v.Items, m.anything(depth+1))
		}
		return v
	}
	v := made(schema.Object, "")
	for range m.pick(3) {
		v = with(v, strangers[m.pick(len(strangers))], m.anything(depth+1))
	}
	return v
}

// with returns the object with one more member, unless it has it already.
func with(object *schema.Value, name string, value *schema.Value) *schema.Value {
	if object.Get(name) != nil {
		return object
	}
	return &schema.Value{Kind: schema.Object, Members: append(slices.Clone(object.Members), schema.Member{Name: name, Value: value})}
}

// value makes a value for n, which some time is one that does not fit.
func (m *maker) value(n schema.Node, depth int) *schema.Value {
	if n.Value == nil || n.Value.Kind != schema.Object || depth > maxMade || m.pick(32) == 31 {
		return m.anything(depth)
	}
	if c := n.Value.Get("const"); c != nil {
		return c
	}
	if e := n.Value.Get("enum"); isKind(e, schema.Array) && len(e.Items) > 0 {
		return e.Items[m.pick(len(e.Items))]
	}
	if ref := n.Value.Get("$ref"); isKind(ref, schema.String) {
		if target, err := m.doc.Resolve(n, ref.Text); err == nil {
			return m.value(target, depth+1)
		}
	}
	var parts []schema.Node
	parts = append(parts, children(n, "allOf")...)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := children(n, keyword); len(branches) > 0 {
			parts = append(parts, branches[m.pick(len(branches))])
		}
	}
	own := n.Value.Get("type") != nil || n.Value.Get("properties") != nil || len(parts) == 0
	var out *schema.Value
	if own {
		out = m.own(n, depth)
	}
	for _, part := range parts {
		v := m.value(part, depth+1)
		if out == nil || out.Kind != schema.Object || v.Kind != schema.Object {
			if out == nil || len(parts) == 1 && part.Value.Get("type") != nil {
				out = v
			}
			continue
		}
		for _, member := range v.Members {
			out = with(out, member.Name, member.Value)
		}
	}
	return out
}

// own makes a value for the keywords that stand in n itself.
func (m *maker) own(n schema.Node, depth int) *schema.Value {
	kind := "object"
	switch t := n.Value.Get("type"); {
	case isKind(t, schema.String):
		kind = t.Text
	case isKind(t, schema.Array) && len(t.Items) > 0:
		kind = t.Items[m.pick(len(t.Items))].Text
	case n.Value.Get("properties") == nil:
		return m.anything(depth)
	}
	switch kind {
	case "null":
		return made(schema.Null, "")
	case "boolean":
		return &schema.Value{Kind: schema.Bool, Bool: m.pick(2) == 1}
	case "string":
		return made(schema.String, texts[m.pick(len(texts))])
	case "integer", "number":
		return made(schema.Number, literals[m.pick(len(literals))])
	case "array":
		return m.array(n, depth)
	}
	return m.object(n, depth)
}

func (m *maker) array(n schema.Node, depth int) *schema.Value {
	out := made(schema.Array, "")
	prefix, rest := children(n, "prefixItems"), n.Child("items")
	if isKind(rest.Value, schema.Array) {
		prefix, rest = children(n, "items"), n.Child("additionalItems")
	}
	length := m.pick(4)
	if least := n.Value.Get("minItems"); least != nil {
		if i, err := strconv.Atoi(least.Text); err == nil {
			length = max(length, min(i, 10))
		}
	}
	for i := range length {
		at := rest
		if i < len(prefix) {
			at = prefix[i]
		}
		out.Items = append(out.Items, m.value(at, depth+1))
	}
	return out
}

func (m *maker) object(n schema.Node, depth int) *schema.Value {
	out := made(schema.Object, "")
	required := map[string]bool{}
	if list := n.Value.Get("required"); isKind(list, schema.Array) {
		for _, name := range list.Items {
			required[name.Text] = true
		}
	}
	props := n.Child("properties")
	if isKind(props.Value, schema.Object) {
		for _, p := range props.Value.Members {
			if required[p.Name] || m.pick(2) == 1 {
				out = with(out, p.Name, m.value(props.Child(p.Name), depth+1))
			}
			delete(required, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(required)) {
		out = with(out, name, m.anything(depth+1))
	}
	for range m.pick(3) {
		name := strangers[m.pick(len(strangers))]
		at := n.Child("additionalProperties")
		if patterns := n.Child("patternProperties"); isKind(patterns.Value, schema.Object) {
			if i := m.pick(len(patterns.Value.Members) + 1); i > 0 {
				at = patterns.Child(patterns.Value.Members[i-1].Name)
			}
		}
		if depth == 0 && at.Value == nil {
			continue // unknown keys below are enough
		}
		out = with(out, name, m.value(at, depth+1))
	}
	return out
}

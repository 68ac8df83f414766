package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A property is one declared key of an object.
type property struct {
	name     string
	conj     conj          // every schema that its value must satisfy
	at       schema.Node   // where it is declared first
	places   []schema.Node // every place that declares it
	closed   bool          // some part of the schema forbids it
	required bool
}

// props returns the declared properties of v, then the required ones that
// nobody declared.
func (v *view) props() []property {
	if !v.known.propsDone {
		v.known.propsDone = true
		v.known.props = v.readProps()
	}
	return v.known.props
}

func (v *view) readProps() []property {
	size := 0
	for _, n := range v.base {
		if holder := n.Value.Get("properties"); holder != nil {
			size += len(holder.Members)
		}
	}
	props, index := make([]property, 0, size), make(map[string]int, size)
	// Most properties are declared once: one array holds the place of each.
	elems, places := make([]elem, 0, size), make([]schema.Node, 0, size)
	for _, n := range v.base {
		holder := n.Child("properties")
		if holder.Value == nil {
			continue
		}
		if holder.Value.Kind != schema.Object {
			v.s.malformed(holder, "properties takes an object of schemas")
			continue
		}
		for _, m := range holder.Value.Members {
			at := holder.Child(m.Name)
			i, ok := index[m.Name]
			if !ok {
				i = len(props)
				index[m.Name] = i
				elems, places = append(elems, elem{node: at}), append(places, at)
				props = append(props, property{name: m.Name, at: at, conj: elems[i : i+1 : i+1], places: places[i : i+1 : i+1]})
				continue
			}
			p := &props[i]
			p.conj = append(p.conj, elem{node: at})
			p.places = append(p.places, at)
		}
	}
	for _, n := range v.base {
		v.restrictOthers(n, props)
	}
	for _, name := range v.required() {
		i, ok := index[name.Value.Text]
		if !ok {
			i = len(props)
			index[name.Value.Text] = i
			props = append(props, property{name: name.Value.Text, at: name})
		}
		props[i].required = true
	}
	return props
}

// restrictOthers applies n's additionalProperties to the properties that only other
// schemas of v declare. Each one it applies to is a step: thousands of schemas that
// speak of thousands of properties are millions.
func (v *view) restrictOthers(n schema.Node, props []property) {
	rest := n.Child("additionalProperties")
	if rest.Value == nil || n.Value.Get("patternProperties") != nil || len(v.base) == 1 {
		return
	}
	if rest.Value.Kind == schema.Bool && rest.Value.Bool {
		return
	}
	own := n.Value.Get("properties")
	for i := range props {
		p := &props[i]
		switch {
		case p.closed || own.Get(p.name) != nil:
		case rest.Value.Kind == schema.Bool:
			p.closed = true
		case !v.s.step():
			return
		default:
			p.conj = append(p.conj, elem{node: rest})
		}
	}
}

// required returns the entries of every required list of v, in order and once.
func (v *view) required() []schema.Node {
	var out []schema.Node
	seen := make(map[string]bool)
	for _, n := range v.base {
		for _, name := range v.s.names(n.Child("required")) {
			if !seen[name.Value.Text] {
				seen[name.Value.Text] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// undeclared returns what v says of a key that it does not declare. It reports
// false when v allows no such key. What only some such keys have to be, by their
// pattern, is left out.
func (v *view) undeclared() (conj, bool) {
	if v.closed() {
		return nil, false
	}
	var c conj
	for _, n := range v.base {
		rest := n.Child("additionalProperties")
		if rest.Value != nil && n.Value.Get("patternProperties") == nil {
			c = append(c, elem{node: rest})
		}
	}
	return c, true
}

// closed reports whether some part of v allows no undeclared key.
func (v *view) closed() bool {
	return slices.ContainsFunc(v.nodes, func(n schema.Node) bool {
		rest := n.Value.Get("additionalProperties")
		return rest != nil && rest.Kind == schema.Bool && !rest.Bool && n.Value.Get("patternProperties") == nil
	})
}

package lower

import (
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// children returns the members or elements of n.
func children(n schema.Node) []schema.Node {
	var out []schema.Node
	switch {
	case n.Value == nil:
	case n.Value.Kind == schema.Array:
		for i := range n.Value.Items {
			out = append(out, n.Child(strconv.Itoa(i)))
		}
	case n.Value.Kind == schema.Object:
		for _, m := range n.Value.Members {
			out = append(out, n.Child(m.Name))
		}
	}
	return out
}

func (s *side) malformed(n schema.Node, message string) {
	s.say(diag.Warning, CodeMalformedKeyword, n.Pointer, message)
}

// An enumeration is the values that a view lists.
type enumeration struct {
	values []*schema.Value
	docs   []string     // the server's words per value, mostly ""
	fixed  bool         // by const
	clash  schema.Kinds // of the values listed, when none is in every list
}

// enum returns the values that every enum and const of v lists, nil when there
// is none. Values that contradict each other are a diagnostic, and no enum.
func (v *view) enum() *enumeration {
	if v.enumMemo != nil {
		if v.enumMemo.values == nil {
			return nil
		}
		return v.enumMemo
	}
	e := &enumeration{}
	v.enumMemo = e
	listed := false
	for _, n := range v.nodes {
		if c := n.Child("const"); c.Value != nil {
			e.restrict([]*schema.Value{c.Value}, listed)
			e.fixed, listed = true, true
		}
		list := n.Child("enum")
		if list.Value == nil {
			continue
		}
		if list.Value.Kind != schema.Array {
			v.s.malformed(list, "enum takes a list of values")
			continue
		}
		if len(list.Value.Items) == 0 {
			v.s.say(diag.Warning, CodeIncompatible, v.place.Pointer, "enum lists no value at all")
			v.broken = true
			continue
		}
		e.restrict(list.Value.Items, listed)
		listed = true
	}
	if !listed {
		return nil
	}
	allowed := v.typeKinds()
	e.values = slices.DeleteFunc(e.values, func(x *schema.Value) bool { return schema.KindsOf(x)&allowed == 0 })
	if len(e.values) == 0 {
		e.values = nil
		v.s.say(diag.Warning, CodeIncompatible, v.place.Pointer, "no value is in every enum and const that must hold")
		return nil
	}
	return e
}

// restrict keeps of e's values those in list; the first list is taken whole.
func (e *enumeration) restrict(list []*schema.Value, listed bool) {
	var in, kept valueSet
	for _, x := range list {
		e.clash |= schema.KindsOf(x)
		in.add(x)
	}
	if !listed {
		e.values = in.list
		return
	}
	for _, x := range e.values {
		if in.has(x) {
			kept.add(x)
		}
	}
	e.values = kept.list
}

// A valueSet is a list of JSON values, no two of them equal.
type valueSet struct {
	list  []*schema.Value
	known map[string]bool // by valueKey
}

// valueKey is the same for equal strings, numbers, booleans and nulls. Of lists
// and objects it tells the kind alone: has compares those one by one.
func valueKey(x *schema.Value) string {
	switch x.Kind {
	case schema.String:
		return `"` + x.Text
	case schema.Number:
		return numberOrText(x)
	case schema.Array, schema.Object:
		return x.Kind.String()
	}
	return x.JSON()
}

func (s *valueSet) has(x *schema.Value) bool {
	if !s.known[valueKey(x)] {
		return false
	}
	if x.Kind != schema.Array && x.Kind != schema.Object {
		return true
	}
	return slices.ContainsFunc(s.list, func(y *schema.Value) bool { return x.Kind == y.Kind && schema.Equal(x, y) })
}

// add appends x, unless it is there.
func (s *valueSet) add(x *schema.Value) bool {
	if s.has(x) {
		return false
	}
	if s.known == nil {
		s.known = make(map[string]bool)
	}
	s.known[valueKey(x)] = true
	s.list = append(s.list, x)
	return true
}

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
	if v.propsDone {
		return v.propsMemo
	}
	v.propsDone = true
	index := make(map[string]int)
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
				i = len(v.propsMemo)
				index[m.Name] = i
				v.propsMemo = append(v.propsMemo, property{name: m.Name, at: at})
			}
			p := &v.propsMemo[i]
			p.conj = append(p.conj, elem{node: at})
			p.places = append(p.places, at)
		}
	}
	for _, n := range v.base {
		v.restrictOthers(n)
	}
	for _, name := range v.required() {
		i, ok := index[name.Value.Text]
		if !ok {
			i = len(v.propsMemo)
			index[name.Value.Text] = i
			v.propsMemo = append(v.propsMemo, property{name: name.Value.Text, at: name})
		}
		v.propsMemo[i].required = true
	}
	return v.propsMemo
}

// restrictOthers applies n's additionalProperties to the properties that other
// schemas of v declare.
func (v *view) restrictOthers(n schema.Node) {
	rest := n.Child("additionalProperties")
	if rest.Value == nil || n.Value.Get("patternProperties") != nil || len(v.base) == 1 {
		return
	}
	own := n.Value.Get("properties")
	for i := range v.propsMemo {
		p := &v.propsMemo[i]
		switch {
		case own.Get(p.name) != nil:
		case rest.Value.Kind == schema.Bool:
			p.closed = p.closed || !rest.Value.Bool
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

// names returns the elements of a keyword that holds a list of names.
func (s *side) names(n schema.Node) []schema.Node {
	if n.Value == nil {
		return nil
	}
	if n.Value.Kind != schema.Array {
		s.malformed(n, "required takes a list of names")
		return nil
	}
	return slices.DeleteFunc(children(n), func(name schema.Node) bool {
		if name.Value.Kind == schema.String {
			return false
		}
		s.malformed(n, "required takes a list of names")
		return true
	})
}

// closed reports whether some part of v allows no undeclared key.
func (v *view) closed() bool {
	return slices.ContainsFunc(v.nodes, func(n schema.Node) bool {
		rest := n.Value.Get("additionalProperties")
		return rest != nil && rest.Kind == schema.Bool && !rest.Bool && n.Value.Get("patternProperties") == nil
	})
}

// count reads a keyword that holds a count, like minItems; -1 without one.
func (s *side) count(n schema.Node, keyword string) int {
	if n.Value.Get(keyword) == nil {
		return -1
	}
	c := n.Child(keyword)
	if schema.KindsOf(c.Value) == schema.Integers {
		text, _ := schema.Decimal(c.Value.Text)
		if i, err := strconv.Atoi(text); err == nil && i >= 0 {
			return i
		}
		if text != "" && text[0] != '-' {
			return 1 << 30 // more than any list holds
		}
	}
	s.malformed(c, keyword+" takes a count")
	return -1
}

// length returns the bounds that two keywords, like minItems and maxItems, put on
// v: at least low, and at most high, which is -1 when there is none.
func (v *view) length(minimum, maximum string) (low, high int) {
	high = -1
	for _, n := range slices.Concat(v.chain, v.nodes) {
		low = max(low, v.s.count(n, minimum))
		if h := v.s.count(n, maximum); h >= 0 && (high < 0 || h < high) {
			high = h
		}
	}
	return low, high
}

// firstText returns the first string that nodes hold under keyword.
func firstText(nodes []schema.Node, keyword string) string {
	for _, n := range nodes {
		if t := n.Value.Get(keyword); t != nil && t.Kind == schema.String && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

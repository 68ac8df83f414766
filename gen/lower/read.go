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

// known reports whether dialect d knows a keyword that lowering reads. One that
// it does not know says nothing, whatever it says in another.
func known(d schema.Dialect, keyword string) bool {
	switch keyword {
	case "const":
		return d >= schema.Draft6
	case "$dynamicRef":
		return d >= schema.Draft2020
	case "$recursiveRef":
		return d == schema.Draft2019
	case "prefixItems", "additionalItems", "if", "then", "else", "dependentSchemas":
		return d.Position(keyword) != schema.NoSchema
	}
	return true
}

// child returns what n holds under a keyword, if its dialect knows that.
func child(n schema.Node, keyword string) schema.Node {
	if !known(n.Dialect(), keyword) {
		return schema.Node{}
	}
	return n.Child(keyword)
}

// list returns the elements of a keyword that holds an array of schemas.
func (s *side) list(n schema.Node) []schema.Node {
	if n.Value == nil {
		return nil
	}
	if n.Value.Kind != schema.Array || len(n.Value.Items) == 0 {
		s.malformed(n, "the keyword takes a list of schemas")
		return nil
	}
	return children(n)
}

// members returns the schemas of a keyword that holds an object of them.
func (s *side) members(n schema.Node) []schema.Node {
	if n.Value != nil && n.Value.Kind != schema.Object {
		s.malformed(n, "the keyword takes an object of schemas")
		return nil
	}
	return children(n)
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
		if text[0] != '-' {
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
	for _, n := range v.holding() {
		low = max(low, v.s.count(n, minimum))
		if h := v.s.count(n, maximum); h >= 0 && (high < 0 || h < high) {
			high = h
		}
	}
	return low, high
}

// first returns the first value of one kind that nodes hold under keyword, nil
// without one.
func first(nodes []schema.Node, keyword string, kind schema.Kind) *schema.Value {
	for _, n := range nodes {
		if v := n.Value.Get(keyword); v != nil && v.Kind == kind {
			return v
		}
	}
	return nil
}

// firstText returns the first string, other than "", that nodes hold under keyword.
func firstText(nodes []schema.Node, keyword string) string {
	for _, n := range nodes {
		if t := n.Value.Get(keyword); t != nil && t.Kind == schema.String && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

func (s *side) malformed(n schema.Node, message string) {
	s.say(diag.Warning, CodeMalformedKeyword, n.Pointer, message)
}

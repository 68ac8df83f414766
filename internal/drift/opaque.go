package drift

import (
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// restrictions compares what is not understood about two shapes: it is fine as
// long as the new one has nothing that the old one has not.
func (c *comparer) restrictions(o, n *shape) {
	if len(o.opaque) == 0 && len(n.opaque) == 0 {
		return
	}
	added := func(a, b []opaque) []opaque {
		return slices.DeleteFunc(slices.Clone(b), func(x opaque) bool {
			return slices.ContainsFunc(a, func(y opaque) bool { return c.sameOpaque(y, x) })
		})
	}
	var news, olds []opaque
	news = added(o.opaque, n.opaque)
	c.swapped(func() { olds = added(n.opaque, o.opaque) })
	if c.relation == read {
		if len(news)+len(olds) > 0 {
			c.found(resultConstraintChanged, n.pointer(), names(olds), names(news))
		}
		return
	}
	// What these hold of depends on the keywords beside them.
	if slices.ContainsFunc(n.opaque, dependent) && (len(news)+len(olds) > 0 || !sameText(o, n)) {
		c.found(argumentUnknownKeyword, n.pointer(), names(o.opaque), names(n.opaque))
		return
	}
	for _, x := range news {
		c.found(argumentUnknownKeyword, schema.JoinPointer(n.v.root+x.node.Pointer, x.keyword), names(olds), x.keyword)
	}
	if len(news) == 0 && len(olds) > 0 {
		c.found(argumentKeywordRemoved, n.pointer(), names(olds), "")
	}
}

// dependent reports whether the meaning of a keyword depends on its neighbours:
// unevaluated ones on all, contains on its bounds.
func dependent(x opaque) bool {
	return strings.HasPrefix(x.keyword, "unevaluated") || strings.HasSuffix(x.keyword, "ontains")
}

// sameText reports whether two shapes are surely the same by how they are written.
func sameText(o, n *shape) bool {
	a, b := schema.Canonical(o.v.place.Value), schema.Canonical(n.v.place.Value)
	return string(a) == string(b) && !strings.Contains(string(a), `Ref"`) && !strings.Contains(string(a), `"$ref"`)
}

// sameOpaque reports whether two keywords mean the same.
func (c *comparer) sameOpaque(o, n opaque) bool {
	if o.keyword != n.keyword {
		return false
	}
	if o.keyword == "" {
		return valueKey(o.node.Value) == valueKey(n.node.Value)
	}
	a, b := o.node.Child(o.keyword), n.node.Child(n.keyword)
	if !isSchemas(o.keyword) || !readable(o.keyword, a.Value) || !readable(o.keyword, b.Value) {
		return valueKey(a.Value) == valueKey(b.Value)
	}
	if o.keyword == "dependentSchemas" || o.keyword == "anyOf" || o.keyword == "oneOf" {
		as, bs := children(a), children(b)
		if len(as) != len(bs) || valueKey(a.Value) != valueKey(b.Value) {
			return false
		}
		for i, x := range as {
			if y := b.Child(lastToken(x.Pointer)); !c.sameSchema(x, y) {
				return false
			}
			_ = i
		}
		return true
	}
	return c.sameSchema(a, b)
}

// isSchemas reports whether a keyword that is compared as a whole holds schemas.
func isSchemas(name string) bool {
	switch name {
	case "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
		"dependentSchemas", "anyOf", "oneOf":
		return true
	}
	return false
}

// sameSchema reports whether two schemas surely mean the same.
func (c *comparer) sameSchema(o, n schema.Node) bool {
	if n.Value == nil || !isSchema(o.Value) || !isSchema(n.Value) {
		return false
	}
	return c.holds(same, subset, func() {
		c.pair(c.view(c.old, o, o), c.view(c.now, n, n), position{})
	})
}

func names(list []opaque) string {
	var out []string
	for _, x := range list {
		name := x.keyword
		if name == "$ref" {
			name += " " + x.node.Value.Get("$ref").JSON()
		}
		out = append(out, name)
	}
	return join(out)
}

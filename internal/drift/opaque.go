package drift

import (
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// restrictions compares what is not understood about two shapes: it is fine as
// long as the new one has nothing that the old one has not.
func (c *comparer) restrictions(o, n *shape, at position) {
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
	news = slices.DeleteFunc(news, func(x opaque) bool { return c.holdsAnyway(o, x, at) })
	for _, x := range news {
		c.found(argumentUnknownKeyword, schema.JoinPointer(n.v.root+x.node.Pointer, x.keyword), names(olds), x.keyword)
	}
	if len(news) == 0 && len(olds) > 0 {
		c.found(argumentKeywordRemoved, n.pointer(), names(olds), "")
	}
}

// holdsAnyway reports whether surely all values of o pass the keyword x of the
// new side.
func (c *comparer) holdsAnyway(o *shape, x opaque, at position) bool {
	branch := func(name string) (*view, bool) {
		n := x.node.Child(name)
		return c.view(c.now, n, n), n.Value != nil && isSchema(n.Value)
	}
	switch x.keyword {
	case "not":
		v, ok := branch("not")
		return ok && c.disjoint(o, v)
	case "if":
		return true // restricts nothing by itself
	case "then":
		v, ok := branch("if")
		return x.node.Value.Get("if") == nil || ok && c.disjoint(o, v)
	case "else":
		return x.node.Value.Get("if") == nil
	case "propertyNames":
		v, ok := branch("propertyNames")
		return ok && c.namesFit(o, v, at)
	case "dependentRequired":
		o.declared()
		for _, m := range x.node.Value.Get("dependentRequired").Members {
			if slices.ContainsFunc(m.Value.Items, func(name *schema.Value) bool { return !o.needs[name.Text] }) {
				return false
			}
		}
		return true
	}
	return false
}

// namesFit reports whether surely all keys of o are valid by v.
func (c *comparer) namesFit(o *shape, v *view, at position) bool {
	shapes, ok := c.shapesOf(c.now, v)
	texts := ofClass(shapes, schema.Strings)
	if !ok || len(texts) == 0 {
		return false
	}
	if len(texts) == 1 && len(texts[0].opaque) == 0 && texts[0].values() == nil && !texts[0].bounded() {
		return true
	}
	if c.relation != sent || c.extra(o).stated || len(o.declared()) == 0 && !at.root {
		return false
	}
	return !slices.ContainsFunc(o.declared(), func(name string) bool {
		key := &schema.Value{Kind: schema.String, Text: name}
		return !slices.ContainsFunc(texts, func(t *shape) bool { return c.admits(t, key, t) })
	})
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
		return schema.Key(o.node.Value) == schema.Key(n.node.Value)
	}
	a, b := o.node.Child(o.keyword), n.node.Child(n.keyword)
	if !isSchemas(o.keyword) || !readable(o.keyword, a.Value) || !readable(o.keyword, b.Value) {
		return schema.Key(a.Value) == schema.Key(b.Value)
	}
	if o.keyword == "dependentSchemas" || o.keyword == "anyOf" || o.keyword == "oneOf" {
		as, bs := children(a), children(b)
		if len(as) != len(bs) || schema.Key(a.Value) != schema.Key(b.Value) {
			return false
		}
		for _, x := range as {
			if y := b.Child(lastToken(x.Pointer)); !c.sameSchema(x, y) {
				return false
			}
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

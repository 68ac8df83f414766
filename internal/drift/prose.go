package drift

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// prose compares what two views say to people, and what restricts nothing.
func (c *comparer) prose(o, n *view) {
	c.proseOf(n.pointer(), nodesOf(o), nodesOf(n))
}

// nodesOf lists the schemas that speak about v: its own, then those of branches.
func nodesOf(v *view) []schema.Node {
	nodes := slices.Clone(v.flat.nodes)
	if v.place.Value != nil && v.place.Value.Kind == schema.Object && !slices.ContainsFunc(nodes, func(n schema.Node) bool { return n.Value == v.place.Value }) {
		nodes = append([]schema.Node{v.place}, nodes...)
	}
	for _, u := range v.flat.unions {
		nodes = append(nodes, u.branches...)
	}
	return nodes
}

func (c *comparer) proseOf(pointer string, old, now []schema.Node) {
	a, b := said(old, "description"), said(now, "description")
	if valueText(a) != valueText(b) {
		before, after := differing(valueText(a), valueText(b))
		c.found(descriptionChanged, pointer, before, after)
	} else if a, b := said(old, "title"), said(now, "title"); valueText(a) != valueText(b) {
		c.found(descriptionChanged, pointer, valueText(a), valueText(b))
	}
	if a, b := said(old, "default"), said(now, "default"); differ(a, b) {
		c.found(defaultChanged, pointer, jsonOf(a), jsonOf(b))
	}
	for _, name := range loose(old, now) {
		if a, b := said(old, name), said(now, name); differ(a, b) {
			c.found(keywordChanged, pointer, name+" "+jsonOf(a), name+" "+jsonOf(b))
		}
	}
}

// loose lists the keywords that restrict nothing and are not compared otherwise.
func loose(lists ...[]schema.Node) []string {
	var out []string
	for _, nodes := range lists {
		for _, n := range nodes {
			if n.Value.Kind != schema.Object {
				continue
			}
			for _, m := range n.Value.Members {
				if _, ok := restricts(n.Dialect(), m.Name); !ok && !silent[m.Name] {
					out = append(out, m.Name)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// said returns what the first of nodes that has it says under name.
func said(nodes []schema.Node, name string) *schema.Value {
	for _, n := range nodes {
		if v := n.Value.Get(name); v != nil {
			return v
		}
	}
	return nil
}

func differ(a, b *schema.Value) bool {
	if a == nil || b == nil {
		return a != b
	}
	return schema.Key(a) != schema.Key(b)
}

func valueText(v *schema.Value) string {
	if v == nil || v.Kind != schema.String {
		return ""
	}
	return v.Text
}

func jsonOf(v *schema.Value) string {
	if v == nil {
		return ""
	}
	return list([]*schema.Value{v})
}

package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A shape is one way to satisfy a view: no union is left open in it, and it is of
// one class of kinds. The shapes of a view together are all its values, so views
// that are written differently and mean the same have equal shapes.
type shape struct {
	v      *view
	side   *schemaSide
	class  schema.Kinds
	kinds  schema.Kinds // of class
	nodes  []schema.Node
	opaque []opaque // those that restrict this class
	picks  []pick   // the branches that were chosen

	listed *[]*schema.Value // see values
	set    *schema.Set      // see lists
	names  []string         // see declared
	known  map[string]bool
	needs  map[string]bool
}

// A pick is a branch of a union that was chosen for a shape.
type pick struct {
	union
	branch int
}

// shapesOf returns the shapes of v. It reports false when there are too many.
func (c *comparer) shapesOf(s *schemaSide, v *view) ([]*shape, bool) {
	if v.done {
		return v.shapes, !v.crowded
	}
	v.done = true
	type leaf struct {
		flat
		picks []pick
	}
	seen := map[string]bool{}
	var expand func(l leaf, depth int) bool
	expand = func(l leaf, depth int) bool {
		if !c.step() || depth > maxShapes {
			return false
		}
		if len(l.unions) == 0 {
			for _, sh := range c.split(s, v, l.flat, l.picks) {
				if key := sh.key(c); !seen[key] {
					seen[key] = true
					v.shapes = append(v.shapes, sh)
				}
			}
			return len(v.shapes) <= maxShapes
		}
		u := l.unions[0]
		for i, branch := range u.branches {
			next := leaf{l.with(), append(slices.Clone(l.picks), pick{u, i})}
			next.unions = next.unions[1:]
			if c.leadsBack(s, next.flat, branch) {
				next.opaque = append(next.opaque, opaque{u.keyword, useGeneral, u.at})
			}
			c.flatten(s, &next.flat, branch, map[*schema.Value]bool{})
			if !expand(next, depth+1) {
				return false
			}
		}
		return true
	}
	if !expand(leaf{flat: v.flat.with()}, 0) {
		v.shapes, v.crowded = nil, true
	}
	return v.shapes, !v.crowded
}

// leadsBack reports whether branch is, through references alone, a schema that
// holds here already.
func (c *comparer) leadsBack(s *schemaSide, f flat, branch schema.Node) bool {
	for range maxShapes {
		if slices.ContainsFunc(f.nodes, func(n schema.Node) bool { return n.Value == branch.Value }) {
			return true
		}
		ref := branch.Value.Get("$ref")
		if ref == nil || ref.Kind != schema.String {
			return false
		}
		target, err := s.doc.Resolve(branch, ref.Text)
		if err != nil {
			return false
		}
		branch = target
	}
	return true
}

// split returns the shapes of f, one for each class of kinds that is allowed.
func (c *comparer) split(s *schemaSide, v *view, f flat, picks []pick) []*shape {
	allowed := schema.AllKinds
	for _, n := range f.nodes {
		k, _ := typeKinds(n.Value)
		allowed &= k
	}
	if f.never {
		return nil
	}
	var out []*shape
	for _, class := range classes {
		sh := &shape{v: v, side: s, class: class, kinds: allowed & class, nodes: f.nodes, picks: picks}
		for _, o := range f.opaque {
			if o.use == useGeneral || o.use == classUse(class) {
				sh.opaque = append(sh.opaque, o)
			}
		}
		if values := sh.values(); values != nil {
			var k schema.Kinds
			for _, x := range values {
				k |= schema.KindsOf(x)
			}
			sh.kinds &= k
		}
		if sh.kinds != 0 && (class != schema.Objects || sh.attainable()) {
			out = append(out, sh)
		}
	}
	return out
}

// attainable reports whether an object may have the keys that it must have.
func (s *shape) attainable() bool {
	_, needs := s.keys()
	for name := range needs {
		for _, n := range s.nodes {
			declared := n.Value.Get("properties").Get(name)
			rest := n.Value.Get("additionalProperties")
			if declared == nil && n.Value.Get("patternProperties") == nil {
				declared = rest
			}
			if declared != nil && declared.Kind == schema.Bool && !declared.Bool {
				return false
			}
		}
	}
	return true
}

// key is equal for shapes that differ only in what says nothing about their class.
func (s *shape) key(c *comparer) string {
	var ids []string
	for _, n := range s.nodes {
		if slices.ContainsFunc(n.Value.Members, func(m schema.Member) bool { return s.heeds(n, m.Name) }) {
			ids = append(ids, strconv.Itoa(c.id(n.Value)))
		}
	}
	slices.Sort(ids)
	parts := append([]string{strconv.Itoa(int(s.kinds))}, slices.Compact(ids)...)
	for _, o := range s.opaque {
		parts = append(parts, "!"+o.keyword+strconv.Itoa(c.id(o.node.Value)))
	}
	for _, p := range s.picks {
		if p.keyword == "oneOf" { // two branches are not one, even when they are equal
			parts = append(parts, "?"+strconv.Itoa(c.id(p.at.Value))+"."+strconv.Itoa(p.branch))
		}
	}
	return strings.Join(parts, ",")
}

// lists reports whether x is among the values of s, which must list some.
func (s *shape) lists(x *schema.Value) bool {
	if s.set == nil {
		s.set = schema.SetOf(s.values())
	}
	return s.set.Has(x)
}

// heeds reports whether the keyword called name of n restricts values of s's
// class, apart from their kind.
func (s *shape) heeds(n schema.Node, name string) bool {
	k, ok := restricts(n.Dialect(), name)
	return ok && (k.use == classUse(s.class) && k.use != useGeneral || name == "enum" || name == "const")
}

// values returns the values that enum and const leave of s's class, without
// doubles; nil when nothing is listed.
func (s *shape) values() []*schema.Value {
	if s.listed != nil {
		return *s.listed
	}
	var out []*schema.Value
	listed := false
	keep := func(list []*schema.Value) {
		in := schema.SetOf(slices.DeleteFunc(slices.Clone(list), func(x *schema.Value) bool { return schema.KindsOf(x)&s.kinds == 0 }))
		if !listed {
			listed, out = true, in.Values()
			return
		}
		out = slices.DeleteFunc(out, func(x *schema.Value) bool { return !in.Has(x) })
	}
	for _, n := range s.nodes {
		if e := n.Value.Get("enum"); e != nil && readable("enum", e) {
			keep(e.Items)
		}
		if v := n.Value.Get("const"); v != nil && n.Dialect() >= schema.Draft6 {
			keep([]*schema.Value{v})
		}
	}
	if s.class == schema.Bools && len(out) == 2 || s.class == schema.Nulls && len(out) == 1 {
		out, listed = nil, false // all there are
	}
	if listed && out == nil {
		out = []*schema.Value{}
	}
	s.listed = &out
	return out
}

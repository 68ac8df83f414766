package drift

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// class compares the shapes of one class of kinds, one or more on each side.
func (c *comparer) class(o, n *view, olds, nows []*shape, at position) {
	if len(olds) == 1 && len(nows) == 1 {
		c.shape(olds[0], nows[0], at)
		return
	}
	if a, b := allValues(olds), allValues(nows); a != nil && b != nil {
		c.listed(n, schema.SetOf(a), schema.SetOf(b))
		return
	}
	// Equal ones first, in whatever order they stand; then those that say of
	// themselves that they belong together; then those that fit, used or not.
	olds, nows = c.match(olds, nows, func(a, b *shape) bool {
		return c.holds(same, c.relation, func() { c.shape(a, b, at) })
	}, nil)
	olds, nows = c.match(olds, nows, c.sameLabel, func(a, b *shape) { c.variant(a, b, at) })
	from, to := c.inclusion(olds, nows)
	if len(from) == 1 && len(to) == 1 {
		c.variant(olds[0], nows[0], at)
		return
	}
	all, _ := c.shapesOf(c.old, o)
	if c.relation != read {
		all, _ = c.shapesOf(c.now, n)
	}
	into := ofClass(all, shapeClass(from, to))
	for _, s := range from {
		// Listed values may fit different shapes each.
		if !c.fitsAny(s, into, at) {
			c.found(c.choose(argumentVariantRemoved, resultVariantAdded), s.pointer(), "", s.describe())
		} else {
			c.found(c.choose(argumentVariantWidened, resultConstraintChanged), s.pointer(), "", s.describe())
		}
	}
	for _, s := range to {
		c.found(c.choose(argumentVariantAdded, resultVariantRemoved), s.pointer(), s.describe(), "")
	}
}

func shapeClass(lists ...[]*shape) schema.Kinds {
	for _, l := range lists {
		if len(l) > 0 {
			return l[0].class
		}
	}
	return 0
}

// match pairs shapes that belong together, calls do for each pair, and returns
// those that are left.
func (c *comparer) match(olds, nows []*shape, belong func(o, n *shape) bool, do func(o, n *shape)) (restOld, restNow []*shape) {
	restNow = slices.Clone(nows)
	for _, o := range olds {
		i := slices.IndexFunc(restNow, func(n *shape) bool { return c.step() && belong(o, n) })
		if i < 0 {
			restOld = append(restOld, o)
			continue
		}
		n := restNow[i]
		restNow = slices.Delete(restNow, i, i+1)
		if do != nil {
			do(o, n)
		}
	}
	return restOld, restNow
}

// variant compares two variants of a union that belong together.
func (c *comparer) variant(o, n *shape, at position) {
	if c.goal == report {
		c.proseOf(n.pointer(), o.branches(), n.branches())
	}
	c.shape(o, n, at)
	if c.relation != read || o.class != schema.Objects {
		return
	}
	// A reader picks the variant by its keys: one that got a key of another may
	// be taken for that one.
	siblings, _ := c.shapesOf(c.old, o.v)
	for _, name := range n.declared() {
		if o.declares(name) {
			continue
		}
		for _, other := range ofClass(siblings, schema.Objects) {
			if other != o && other.declares(name) {
				c.found(resultVariantAmbiguous, n.pointer(), "", schema.JoinPointer("", name))
				return
			}
		}
	}
}

// fitsAny reports whether all of s is in one of shapes, or all its listed values
// are in one or another.
func (c *comparer) fitsAny(s *shape, shapes []*shape, at position) bool {
	if values := s.values(); values != nil {
		return !slices.ContainsFunc(values, func(x *schema.Value) bool {
			return !slices.ContainsFunc(shapes, func(t *shape) bool { return c.admits(t, x, s) })
		})
	}
	return slices.ContainsFunc(shapes, func(t *shape) bool {
		return c.holds(fits, c.relation, func() {
			if c.relation == read {
				c.variant(t, s, at)
			} else {
				c.shape(s, t, at)
			}
		})
	})
}

// sameLabel reports whether two objects carry the same constant under some key,
// and no different one.
func (c *comparer) sameLabel(o, n *shape) bool {
	if o.class != schema.Objects || n.class != schema.Objects {
		return false
	}
	agree := false
	for _, name := range o.declared() {
		a, b := c.constant(o, name), c.constant(n, name)
		switch {
		case a == nil || b == nil:
		case schema.Key(a) != schema.Key(b):
			return false
		default:
			agree = true
		}
	}
	return agree
}

// constant returns the one value that the property called name may have.
func (c *comparer) constant(s *shape, name string) *schema.Value {
	p := c.property(s, name)
	if !p.declared {
		return nil
	}
	shapes, ok := c.shapesOf(s.side, p.view)
	if !ok || len(shapes) != 1 {
		return nil
	}
	if values := shapes[0].values(); len(values) == 1 {
		return values[0]
	}
	return nil
}

// allValues returns the values of all shapes, nil when one lists none.
func allValues(shapes []*shape) []*schema.Value {
	var out []*schema.Value
	for _, s := range shapes {
		values := s.values()
		if values == nil || len(s.opaque) > 0 || s.bounded() {
			return nil
		}
		out = append(out, values...)
	}
	return out
}

// pointer returns the place of s in the tool object: of its branch, if it is one.
func (s *shape) pointer() string {
	if len(s.picks) == 0 {
		return s.v.pointer()
	}
	p := s.picks[len(s.picks)-1]
	return s.v.root + p.branches[p.branch].Pointer
}

// branches returns the branches that were chosen, outermost first.
func (s *shape) branches() []schema.Node {
	var out []schema.Node
	for _, p := range s.picks {
		out = append(out, p.branches[p.branch])
	}
	return out
}

// describe says in short what s is.
func (s *shape) describe() string {
	if values := s.values(); values != nil {
		return list(values)
	}
	text := s.kinds.String()
	if names := s.declared(); len(names) > 0 {
		text += " with"
		for i, name := range names {
			if i == 5 {
				return text + " …"
			}
			text += " " + name
		}
	}
	return text
}

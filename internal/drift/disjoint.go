package drift

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// maxDisjoint bounds how deep objects are looked into for what tells them apart.
const maxDisjoint = 3

// disjoint reports whether surely no value of o fits v, a view of the new side.
func (c *comparer) disjoint(o *shape, v *view) bool {
	shapes, ok := c.shapesOf(c.now, v)
	return ok && c.step() && !slices.ContainsFunc(shapes, func(n *shape) bool { return !c.apart(o, n, maxDisjoint) })
}

// apart reports whether surely no value fits both o, of the old side, and n.
func (c *comparer) apart(o, n *shape, depth int) bool {
	if o.kinds&n.kinds == 0 {
		return true
	}
	old, now := o.values(), n.values()
	switch {
	case old != nil && now != nil:
		return !slices.ContainsFunc(old, n.lists)
	case old != nil && !n.bounded() && len(n.opaque) == 0:
		return len(old) == 0
	case o.class == schema.Numbers:
		oldLow, oldHigh, _ := limits(o.nodes, false)
		nowLow, nowHigh, _ := limits(n.nodes, false)
		return above(oldLow, nowHigh) || above(nowLow, oldHigh)
	case o.class != schema.Objects || depth == 0:
		return false
	}
	return c.keysApart(o, n, depth)
}

// above reports whether a range from low on begins behind one that ends at high.
func above(low, high limit) bool {
	if low.value == nil || high.value == nil {
		return false
	}
	d := low.value.Cmp(high.value)
	return d > 0 || d == 0 && (low.open || high.open)
}

// keysApart reports whether some key that one of the objects must have tells
// them apart.
func (c *comparer) keysApart(o, n *shape, depth int) bool {
	extra := c.extra(o)
	if len(extra.patterns) > 0 || len(c.extra(n).patterns) > 0 {
		return false
	}
	for _, name := range append(slices.Clone(o.declared()), n.declared()...) {
		was, is := c.property(o, name), c.property(n, name)
		if !was.required && !is.required || !c.step() {
			continue
		}
		// A caller sends no key that it has no place for.
		unsent := c.relation == sent && !was.declared && !extra.stated && len(o.declared()) > 0
		if was.required && !is.possible || is.required && (!was.possible || unsent) {
			return true
		}
		olds, ok := c.shapesOf(o.side, was.view)
		nows, ok2 := c.shapesOf(n.side, is.view)
		if !ok || !ok2 {
			continue
		}
		if !slices.ContainsFunc(olds, func(a *shape) bool {
			return slices.ContainsFunc(nows, func(b *shape) bool { return !c.apart(a, b, depth-1) })
		}) {
			return true
		}
	}
	return false
}

// fitOne reports whether each of values surely fits at most one of the branches.
func (c *comparer) fitOne(values []*schema.Value, branches []*view) bool {
	for _, x := range values {
		open := 0
		for _, b := range branches {
			if c.mayFit(b, x) {
				open++
			}
		}
		if open > 1 {
			return false
		}
	}
	return true
}

// mayFit reports whether x may be valid by v.
func (c *comparer) mayFit(v *view, x *schema.Value) bool {
	shapes, ok := c.shapesOf(c.now, v)
	return !ok || slices.ContainsFunc(shapes, func(s *shape) bool {
		if schema.KindsOf(x)&s.kinds == 0 {
			return false
		}
		return s.values() == nil || s.lists(x)
	})
}

package drift

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// readObject compares objects for those who read them: every declared field must
// stay, and what a Go type does not hold is dropped without harm.
func (c *comparer) readObject(o, n *shape) {
	for _, name := range o.declared() {
		if c.step() {
			c.readKey(o, n, name)
		}
	}
	old, now := c.extra(o), c.extra(n)
	// Where any other key may hold anything, so may the map that readers have.
	typed := old.stated && (old.closed || !old.view.flat.free())
	for _, name := range n.declared() {
		if o.declares(name) || !c.step() {
			continue
		}
		is := c.property(n, name)
		switch {
		case !is.possible:
		case typed && !c.holds(fits, read, func() { c.pair(c.property(o, name).view, is.view, position{}) }):
			c.found(resultExtraClash, is.view.pointer(), c.describe(o, c.property(o, name).view), c.describe(n, is.view))
		default:
			c.found(resultFieldAdded, is.view.pointer(), "", c.describe(n, is.view))
		}
	}
	if typed {
		c.readExtra(o, n, old, now)
	} else if now.order != nil || old.order != nil {
		if !slices.Equal(old.order, now.order) {
			c.found(resultConstraintChanged, n.pointer(), "", "")
		}
	}
	switch {
	case old.closed && !now.closed:
		c.found(resultExtraOpened, n.pointer(), "", "")
	case now.closed && !old.closed:
		c.found(resultExtraClosed, n.pointer(), "", "")
	}
	c.between(o, n, "minProperties", "maxProperties")
}

// readKey compares a field that readers have.
func (c *comparer) readKey(o, n *shape, name string) {
	was, is := c.property(o, name), c.property(n, name)
	switch {
	case !was.possible:
		if is.declared && is.possible {
			c.found(resultFieldAdded, is.view.pointer(), "", name)
		}
		return // there is no field for it
	case !is.declared || !is.possible:
		c.found(resultFieldRemoved, was.view.pointer(), c.describe(o, was.view), "")
		return
	case was.required && !is.required:
		c.found(resultFieldNowOptional, is.view.pointer(), "", "")
	case is.required && !was.required:
		c.found(resultFieldNowRequired, is.view.pointer(), "", "")
	}
	c.pair(was.view, is.view, position{optional: !was.required})
}

// readExtra compares the values of undeclared keys, which readers have in a map
// of one type.
func (c *comparer) readExtra(o, n *shape, old, now extra) {
	if slices.Equal(old.order, now.order) {
		for _, p := range old.order {
			c.pair(c.view(c.old, old.patterns[p][0], old.patterns[p]...), c.view(c.now, now.patterns[p][0], now.patterns[p]...), position{})
		}
		if !now.closed && !old.closed {
			c.pair(old.view, now.view, position{})
			return
		}
		if len(old.order) == 0 || now.closed {
			return
		}
	}
	var all []schema.Node // what the type of the map was made of
	for _, p := range old.order {
		all = append(all, old.patterns[p]...)
	}
	to := []*view{}
	for _, node := range all {
		to = append(to, c.view(c.old, node, node))
	}
	if !old.closed {
		to = append(to, old.view)
	}
	from := []*view{}
	for _, p := range now.order {
		from = append(from, c.view(c.now, now.patterns[p][0], now.patterns[p]...))
	}
	if !now.closed {
		from = append(from, now.view)
	}
	for _, f := range from {
		for _, t := range to {
			if !c.holds(fits, read, func() { c.pair(t, f, position{}) }) {
				c.found(resultExtraClash, f.pointer(), c.describe(o, t), c.describe(n, f))
				return
			}
		}
	}
	if !slices.Equal(old.order, now.order) {
		c.found(resultConstraintChanged, n.pointer(), "", "")
	}
}

package drift

import "github.com/mcpbind/mcpbind/internal/schema"

// exclusivity makes sure that the values of the old side fit at most one branch
// of each oneOf of the new one. That is given when branches have nothing in
// common, or when they are parts of what excluded each other before.
func (c *comparer) exclusivity(n *view, olds, nows []*shape) {
	done := make(map[*schema.Value]bool)
	for _, s := range nows {
		for _, p := range s.picks {
			if p.keyword != "oneOf" || done[p.at.Value] {
				continue
			}
			done[p.at.Value] = true
			for _, o := range olds {
				if !c.fitsOne(o, p.union) {
					c.found(argumentVariantAmbiguous, n.root+p.at.Pointer+"/oneOf", "", o.describe())
					break
				}
			}
		}
	}
}

// fitsOne reports whether no value of o surely fits two branches of u.
func (c *comparer) fitsOne(o *shape, u union) bool {
	var open []*view // the branches that values of o may fit
	for _, b := range u.branches {
		v := c.view(c.now, b, b)
		if !c.disjoint(o, v) {
			open = append(open, v)
		}
	}
	if values := o.values(); values != nil {
		return c.fitOne(values, open)
	}
	if len(open) < 2 {
		return c.step()
	}
	for keep := range open {
		excluded := true
		for i, v := range open {
			if i != keep && !c.excludedBefore(o, v) {
				excluded = false
				break
			}
		}
		if excluded {
			return true
		}
	}
	return false
}

// excludedBefore reports whether a branch of the new side is part of one that o
// was told apart from.
func (c *comparer) excludedBefore(o *shape, branch *view) bool {
	for _, p := range o.picks {
		if p.keyword != "oneOf" {
			continue
		}
		for i, b := range p.branches {
			if i == p.branch {
				continue
			}
			within := c.holds(fits, subset, func() {
				c.swapped(func() { c.pair(branch, c.view(c.now, b, b), position{}) })
			})
			if within {
				return true
			}
		}
	}
	return false
}

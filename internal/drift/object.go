package drift

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A property is what a shape says about one key.
type property struct {
	view     *view
	declared bool // under properties or required
	required bool
	possible bool // some object may have it
}

// keys lists the declared keys of s in order, and the required ones among them.
func (s *shape) keys() (order []string, required map[string]bool) {
	known := make(map[string]bool)
	required = make(map[string]bool)
	for _, n := range s.nodes {
		if p := n.Value.Get("properties"); p != nil && readable("properties", p) {
			for _, m := range p.Members {
				if !known[m.Name] {
					known[m.Name] = true
					order = append(order, m.Name)
				}
			}
		}
	}
	for _, n := range s.nodes {
		if r := n.Value.Get("required"); r != nil && readable("required", r) {
			for _, name := range r.Items {
				required[name.Text] = true
				if !known[name.Text] {
					known[name.Text] = true
					order = append(order, name.Text)
				}
			}
		}
	}
	return order, required
}

// declared lists the declared keys of s.
func (s *shape) declared() []string {
	if s.class != schema.Objects {
		return nil
	}
	if s.names == nil {
		s.names, s.needs = s.keys()
		s.known = make(map[string]bool, len(s.names))
		for _, name := range s.names {
			s.known[name] = true
		}
	}
	return s.names
}

func (s *shape) declares(name string) bool {
	s.declared()
	return s.known[name]
}

// wide reports whether s is the side that must include the other.
func (c *comparer) wide(s *shape) bool { return (c.relation == read) == (s.side == c.old) }

// property returns what s says about the key called name. Which keys a pattern
// matches is not looked into: the side that must include the other is taken to
// ask everything of the key, the other side nothing.
func (c *comparer) property(s *shape, name string) property {
	p := property{declared: s.declares(name), possible: true}
	p.required = s.needs[name]
	var nodes []schema.Node
	for _, n := range s.nodes {
		if holder := n.Child("properties"); holder.Value != nil && readable("properties", holder.Value) {
			if child := holder.Child(name); child.Value != nil {
				nodes = append(nodes, child)
				p.possible = p.possible && (child.Value.Kind != schema.Bool || child.Value.Bool)
				continue
			}
		}
		patterned := false
		if patterns := n.Child("patternProperties"); patterns.Value != nil && readable("patternProperties", patterns.Value) {
			patterned = len(patterns.Value.Members) > 0
			if c.wide(s) {
				nodes = append(nodes, children(patterns)...)
			}
		}
		rest := n.Child("additionalProperties")
		if rest.Value == nil || !isSchema(rest.Value) || patterned && !c.wide(s) {
			continue
		}
		if rest.Value.Kind == schema.Bool && !rest.Value.Bool {
			p.possible = false
			continue
		}
		nodes = append(nodes, rest)
	}
	place := schema.Node{Pointer: schema.JoinPointer(s.v.place.Pointer+"/properties", name)}
	if p.declared && len(nodes) > 0 {
		place = nodes[0]
	}
	p.view = c.view(s.side, place, nodes...)
	return p
}

// An extra is what a shape says about keys that it does not declare.
type extra struct {
	view     *view
	patterns map[string][]schema.Node
	order    []string // of patterns
	closed   bool     // there are none, but for what patterns match
	stated   bool     // the schema speaks of them: Go types have a place for them
}

func (c *comparer) extra(s *shape) extra {
	e := extra{patterns: make(map[string][]schema.Node)}
	var nodes []schema.Node
	for _, n := range s.nodes {
		if patterns := n.Child("patternProperties"); patterns.Value != nil && readable("patternProperties", patterns.Value) {
			for _, p := range children(patterns) {
				name := lastToken(p.Pointer)
				if e.patterns[name] == nil {
					e.order = append(e.order, name)
				}
				e.patterns[name] = append(e.patterns[name], p)
				e.stated = true
			}
		}
		rest := n.Child("additionalProperties")
		switch {
		case rest.Value == nil || !isSchema(rest.Value):
		case rest.Value.Kind == schema.Bool && !rest.Value.Bool:
			e.closed = true
		default:
			e.stated = true
			nodes = append(nodes, rest)
		}
	}
	e.stated = e.stated && (!e.closed || len(e.patterns) > 0)
	place := schema.Node{Pointer: s.v.place.Pointer + "/additionalProperties"}
	if len(nodes) > 0 {
		place = nodes[0]
	}
	slices.Sort(e.order)
	e.view = c.view(s.side, place, nodes...)
	return e
}

func lastToken(pointer string) string {
	last := ""
	for token := range schema.SplitPointer(pointer) {
		last = token
	}
	return last
}

// object compares two objects.
func (c *comparer) object(o, n *shape, at position) {
	if c.relation == read {
		c.readObject(o, n)
		return
	}
	old, now := c.extra(o), c.extra(n)
	// What callers may send beside the declared keys.
	mayExtra := !old.closed || len(old.patterns) > 0
	if c.relation == sent {
		mayExtra = old.stated || len(o.declared()) == 0 && !at.root && !old.closed
	}
	for _, name := range o.declared() {
		if c.step() {
			c.sentKey(o, n, name)
		}
	}
	for _, name := range n.declared() {
		if !o.declares(name) && c.step() {
			c.newKey(o, n, name, mayExtra)
		}
	}
	if at.root && c.relation == sent {
		c.neighbours(o, n)
	}
	c.patterns(o, n, old, now)
	switch {
	case mayExtra && now.closed && len(now.patterns) == 0:
		c.found(argumentExtraRefused, n.pointer(), "", "")
	case mayExtra && now.closed && !old.closed:
		c.found(argumentExtraRefused, n.pointer(), "", "")
	case mayExtra && !now.closed && !old.closed:
		c.pair(old.view, now.view, position{})
	case now.closed && !old.closed:
		c.found(argumentExtraClosed, n.pointer(), "", "")
	case old.closed && !now.closed:
		c.found(argumentExtraAccepted, n.pointer(), "", "")
	}
	c.size(o, n, mayExtra)
}

// size compares how many keys there are. Those that are required, and those that
// are not to be had, bound the number as well.
func (c *comparer) size(o, n *shape, mayExtra bool) {
	oldLow, oldHigh := o.counts("minProperties", "maxProperties")
	nowLow, nowHigh := n.counts("minProperties", "maxProperties")
	if nowLow != oldLow && nowLow <= len(o.needs) {
		oldLow = max(oldLow, nowLow)
	}
	if most := len(o.declared()); !mayExtra && nowHigh != oldHigh && (oldHigh < 0 || oldHigh > most) && nowHigh >= most {
		oldHigh = nowHigh
	}
	c.ends(n, "minProperties", "maxProperties", oldLow, oldHigh, nowLow, nowHigh)
}

// sentKey compares a key that callers know.
func (c *comparer) sentKey(o, n *shape, name string) {
	was, is := c.property(o, name), c.property(n, name)
	switch {
	case !was.possible:
		if was.required != is.required || is.possible && is.declared {
			c.found(argumentAdded, is.view.pointer(), "", name)
		}
		return
	case !is.possible:
		c.found(argumentRemoved, was.view.pointer(), c.describe(o, was.view), "")
		return
	case !is.declared:
		c.found(argumentUndeclared, was.view.pointer(), c.describe(o, was.view), "")
	case is.required && !was.required:
		c.found(argumentNowRequired, is.view.pointer(), "", "")
	case was.required && !is.required:
		c.found(argumentNowOptional, is.view.pointer(), "", "")
	}
	c.pair(was.view, is.view, position{})
}

// newKey looks at a key that callers do not know.
func (c *comparer) newKey(o, n *shape, name string, mayExtra bool) {
	is := c.property(n, name)
	was := c.property(o, name)
	switch {
	case is.required:
		c.found(argumentRequiredAdded, is.view.pointer(), "", c.describe(n, is.view))
	case mayExtra && was.possible && (!is.possible || !c.holds(fits, c.relation, func() { c.pair(was.view, is.view, position{}) })):
		c.found(argumentExtraClash, is.view.pointer(), c.describe(o, was.view), c.describe(n, is.view))
	case is.possible:
		c.found(argumentAdded, is.view.pointer(), "", c.describe(n, is.view))
	}
}

// neighbours looks at the keys of the other variants of the arguments: their
// fields stand in one struct, so callers may send any of them together.
func (c *comparer) neighbours(o, n *shape) {
	variants, _ := c.shapesOf(c.old, o.v)
	for _, other := range ofClass(variants, schema.Objects) {
		for _, name := range other.declared() {
			if o.declares(name) || !c.property(o, name).possible || !c.step() {
				continue
			}
			// What its field can hold is more than what the other variant allows.
			is := c.property(n, name)
			if !is.possible || !c.holds(fits, sent, func() { c.pair(c.property(o, name).view, is.view, position{}) }) {
				c.found(argumentExtraClash, n.pointer(), name, c.describe(n, is.view))
				return
			}
		}
	}
}

// patterns compares patternProperties. A pattern holds by itself, whatever else
// is declared: the same one with a wider schema is fine.
func (c *comparer) patterns(o, n *shape, old, now extra) {
	for _, p := range now.order {
		pointer := n.v.root + now.patterns[p][0].Pointer
		if old.patterns[p] == nil {
			c.found(argumentUnknownKeyword, pointer, "", "patternProperties "+p)
			continue
		}
		c.pair(c.view(c.old, old.patterns[p][0], old.patterns[p]...), c.view(c.now, now.patterns[p][0], now.patterns[p]...), position{})
	}
	for _, p := range old.order {
		if now.patterns[p] != nil {
			continue
		}
		// The keys that it matched are extra keys now.
		code := argumentKeywordRemoved
		if now.closed || !now.view.flat.free() {
			code = argumentUnknownKeyword
		}
		c.found(code, o.v.root+old.patterns[p][0].Pointer, "patternProperties "+p, "")
	}
}

// describe says in short what a view allows.
func (c *comparer) describe(s *shape, v *view) string {
	if c.goal != report {
		return ""
	}
	shapes, _ := c.shapesOf(s.side, v)
	if len(shapes) == 1 {
		return shapes[0].describe()
	}
	return kindsOf(shapes).String()
}

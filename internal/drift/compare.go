package drift

import (
	"encoding/json"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A relation is what must hold between two schemas for nobody to break.
type relation uint8

const (
	// sent: what callers of the old one send is valid by the new one. A caller
	// sends no key that the old one does not speak of.
	sent relation = iota
	// read: what is valid by the new one can be read by types made of the old one.
	read
	// subset: every value that is valid by the old one is valid by the new one.
	subset
)

// A goal is why two schemas are compared.
type goal uint8

const (
	report goal = iota // every change is wanted
	same               // is there no change at all?
	fits               // is there no change that breaks?
)

// A comparer compares two schemas. Each pair of views is compared once for each
// goal and relation: a pair that is met again is taken to be in order. That is
// sound, for whatever a value holds in recursion is smaller than the value.
type comparer struct {
	options  Options
	old, now *schemaSide

	ids   map[*schema.Value]int
	views map[string]*view
	steps int
	over  bool // out of steps
	depth int

	goal     goal
	relation relation
	failed   bool // the goal is not reached
	seen     map[pairKey]bool
	trail    []pairKey // of seen, in order, for taking back what was assumed in vain
	out      []Change
}

type pairKey struct {
	old, now string
	optional bool
	goal     goal
	relation relation
}

// A position says what is known about the place of a pair apart from schemas.
type position struct {
	root     bool
	optional bool // an object's member that may be absent, so null reads as absent
}

func newComparer(old, now *schema.Document, root string, o Options, r relation) *comparer {
	return &comparer{
		options: o, relation: r,
		old: &schemaSide{old, root}, now: &schemaSide{now, root},
		ids: make(map[*schema.Value]int), views: make(map[string]*view), seen: make(map[pairKey]bool),
	}
}

func compareArguments(before, after Tool, o Options) []Change {
	const root = "/inputSchema"
	old, now, out, ok := documents(before.InputSchema, after.InputSchema, root)
	if !ok {
		return out
	}
	anything, _ := schema.NewDocument(&schema.Value{Kind: schema.Bool, Bool: true})
	if old == nil {
		old = anything
	}
	if now == nil {
		now = anything
	}
	return newComparer(old, now, root, o, sent).compare()
}

func compareResults(before, after Tool, o Options) []Change {
	const root = "/outputSchema"
	old, now, out, ok := documents(before.OutputSchema, after.OutputSchema, root)
	switch {
	case !ok:
		return out
	case old == nil && now == nil:
		return nil
	case old == nil:
		return []Change{newChange(resultSchemaAdded, root, "", "")}
	case now == nil:
		return []Change{newChange(resultSchemaRemoved, root, "", "")}
	}
	out = newComparer(old, now, root, o, read).compare()
	if !o.ValidatedResults {
		return out
	}
	// Validity asks the other way round: what is valid now must be valid by the
	// old schema.
	for _, c := range newComparer(now, old, root, o, subset).compare() {
		if c.Grade() == Call {
			invalid := newChange(resultInvalid, c.Pointer, c.After, c.Before)
			invalid.Unknown = c.Unknown
			out = append(out, invalid)
		}
	}
	return out
}

// documents reads two schemas. Not ok: one of them cannot be read, and changes
// hold what there is to say.
func documents(before, after json.RawMessage, root string) (old, now *schema.Document, changes []Change, ok bool) {
	old, oldErr := document(before)
	now, nowErr := document(after)
	if oldErr == nil && nowErr == nil {
		return old, now, nil, true
	}
	if string(before) != string(after) {
		c := newChange(schemaUnreadable, root, "", "")
		if oldErr != nil {
			c.Before = short(oldErr.Error())
		}
		if nowErr != nil {
			c.After = short(nowErr.Error())
		}
		changes = append(changes, c)
	}
	return nil, nil, changes, false
}

// compare compares the roots.
func (c *comparer) compare() []Change {
	if schema.SameText(c.old.doc.Root, c.now.doc.Root) {
		return nil // the common case, and one that no budget may spoil
	}
	o := c.view(c.old, c.old.doc.RootNode(), c.old.doc.RootNode())
	n := c.view(c.now, c.now.doc.RootNode(), c.now.doc.RootNode())
	c.pair(o, n, position{root: true})
	if c.over {
		return []Change{newChange(schemaTooComplex, c.old.root, "", "")}
	}
	return c.out
}

// step counts work, and reports false when there was too much of it or the
// answer is known.
func (c *comparer) step() bool {
	c.steps++
	c.over = c.over || c.steps > maxSteps
	return !c.over && !c.failed
}

// holds reports whether f, which compares, reaches goal g by relation r. What was
// assumed on the way is kept only when it does.
func (c *comparer) holds(g goal, r relation, f func()) bool {
	savedGoal, savedRelation, savedFailed := c.goal, c.relation, c.failed
	mark := len(c.trail)
	c.goal, c.relation, c.failed = g, r, false
	f()
	ok := !c.failed && !c.over
	if !ok {
		for _, key := range c.trail[mark:] {
			delete(c.seen, key)
		}
		c.trail = c.trail[:mark]
	}
	c.goal, c.relation, c.failed = savedGoal, savedRelation, savedFailed
	return ok
}

// swapped runs f with the two sides in each other's place.
func (c *comparer) swapped(f func()) {
	c.old, c.now = c.now, c.old
	f()
	c.old, c.now = c.now, c.old
}

// found notes a change between the places of o and n, or takes it for the answer.
func (c *comparer) found(code Code, pointer, before, after string) {
	switch c.goal {
	case same:
		c.failed = c.failed || rules[code].Grade != Doc
	case fits:
		c.failed = c.failed || rules[code].Grade == Call
	default:
		c.out = append(c.out, newChange(code, pointer, before, after))
	}
}

// choose returns the first code for arguments and the second for results. While
// a question is answered by subset, those for arguments have the right grades.
func (c *comparer) choose(argument, result Code) Code {
	if c.relation == read {
		return result
	}
	return argument
}

// inclusion returns the shapes of which the relation asks that the first be within the
// second.
func (c *comparer) inclusion(o, n []*shape) (from, to []*shape) {
	if c.relation == read {
		return n, o
	}
	return o, n
}

// pair compares two views.
func (c *comparer) pair(o, n *view, at position) {
	key := pairKey{o.key, n.key, at.optional, c.goal, c.relation}
	if c.seen[key] || !c.step() {
		return
	}
	c.seen[key] = true
	c.trail = append(c.trail, key)
	if c.depth++; c.depth > maxDepth {
		c.over = true
	}
	defer func() { c.depth-- }()

	if c.goal == report {
		c.prose(o, n)
	}
	olds, ok := c.shapesOf(c.old, o)
	nows, ok2 := c.shapesOf(c.now, n)
	if c.over {
		return
	}
	if !ok || !ok2 {
		if string(schema.Canonical(o.place.Value)) != string(schema.Canonical(n.place.Value)) {
			c.found(schemaTooComplex, n.pointer(), "", "")
		}
		return
	}
	if !c.kinds(o, n, olds, nows, at) {
		return
	}
	for _, class := range classes {
		co, cn := ofClass(olds, class), ofClass(nows, class)
		if len(co) > 0 && len(cn) > 0 && c.step() {
			c.class(o, n, co, cn, at)
		}
	}
	if c.relation != read {
		c.exclusivity(n, olds, nows)
	}
}

func ofClass(shapes []*shape, class schema.Kinds) []*shape {
	var out []*shape
	for _, s := range shapes {
		if s.class == class {
			out = append(out, s)
		}
	}
	return out
}

// kinds compares which kinds of JSON are allowed. It reports false when nothing
// else is left to compare.
func (c *comparer) kinds(o, n *view, olds, nows []*shape, at position) bool {
	ko, kn := kindsOf(olds), kindsOf(nows)
	lost, gained := ko&^kn, kn&^ko
	if c.relation == read {
		if at.optional {
			gained &^= schema.Nulls
			if lost|gained == 0 && ko != kn {
				c.found(resultConstraintChanged, n.pointer(), ko.String(), kn.String())
			}
		}
		switch {
		case gained != 0:
			c.found(resultTypeWidened, n.pointer(), ko.String(), kn.String())
			return !n.flat.free()
		case lost != 0:
			c.found(resultTypeNarrowed, n.pointer(), ko.String(), kn.String())
			return !o.flat.free()
		}
		return !o.flat.free() || !n.flat.free()
	}
	switch {
	case lost != 0:
		c.found(argumentTypeNarrowed, n.pointer(), ko.String(), kn.String())
		return !o.flat.free()
	case gained != 0:
		c.found(argumentTypeWidened, n.pointer(), ko.String(), kn.String())
		return !n.flat.free()
	}
	return !o.flat.free() || !n.flat.free()
}

func kindsOf(shapes []*shape) schema.Kinds {
	var k schema.Kinds
	for _, s := range shapes {
		k |= s.kinds
	}
	return k
}

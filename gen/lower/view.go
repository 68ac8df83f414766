package lower

import (
	"errors"
	"slices"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A view is the effective schema at one place: everything that must hold there,
// with $ref and allOf followed. Two views with one key are the same schema.
type view struct {
	s     *side
	conj  conj          // settled: pure references followed, what says nothing dropped
	used  []use         // decided unions within nodes
	place schema.Node   // where the schema stands, before references were followed
	all   []schema.Node // the places of every elem, before references were followed
	chain []schema.Node // pure references passed on the way, outermost first: they document, but have no shape
	key   string

	nodes []schema.Node // all schemas that hold, outer ones first
	base  []schema.Node // the same, referenced and allOf schemas before the one that names them
	alts  bool          // conj holds an elem with alts

	broken bool  // a part could not be read, so less is known than the schema says
	met    []use // decided unions that are all there is in the last elem

	known  *knowledge // shared by all views of this key
	ways   []leaf     // see leaves; nil: not looked for yet
	listed bool       // enum has been read
}

// view returns the view of c, in which the unions of used are decided.
func (s *side) view(c conj, used []use) *view {
	sole, ok := c.sole()
	if !ok || sole.Value == nil || len(used) > 0 {
		return s.newView(c, used)
	}
	v := s.views[sole.Value]
	if v == nil {
		v = s.newView(c, nil)
		s.views[sole.Value] = v
	}
	return v
}

func (s *side) newView(c conj, used []use) *view {
	v := &view{s: s}
	if len(c) > 0 {
		v.place = c[len(c)-1].node
	}
	seen := make(map[string]bool, len(c))
	for _, e := range c {
		v.all = append(v.all, e.node)
		v.met = nil
		if e.alts == nil {
			var ok bool
			if e.node, ok = v.settle(e.node, used); !ok {
				continue
			}
		} else {
			v.alts = true
		}
		if key := s.keyOf(conj{e}); !seen[key] {
			seen[key] = true
			v.conj = append(v.conj, e)
		}
	}
	v.key = s.keyOf(v.conj)
	v.gather()
	for _, u := range used {
		if slices.ContainsFunc(v.nodes, func(n schema.Node) bool { return n.Value == u.at }) {
			v.used = append(v.used, u)
		}
	}
	if len(v.used) > 0 {
		v.key += "-" + s.keyOfUses(v.used)
		v.known = s.knowledge(v.key)
	}
	return v
}

// settle follows n while it only passes on another schema. It reports false
// when nothing is left that says anything about the shape.
func (v *view) settle(n schema.Node, used []use) (schema.Node, bool) {
	var passed []*schema.Value
	for {
		if n.Value == nil {
			return n, false
		}
		if n.Value.Kind == schema.Bool {
			return n, !n.Value.Bool
		}
		if n.Value.Kind != schema.Object {
			v.s.malformed(n, "a schema is an object or a boolean")
			v.broken = true
			return n, false
		}
		if slices.Contains(passed, n.Value) {
			v.s.say(diag.Warning, CodeRefCycle, n.Pointer, "references lead back to themselves")
			v.broken = true
			return n, false
		}
		passed = append(passed, n.Value)
		v.s.step()
		p := v.s.passes(n, used)
		v.broken = v.broken || p.broken
		v.met = append(v.met, p.met...)
		if !p.silent && p.target.Value == nil {
			return n, true
		}
		v.chain = append(append(v.chain, n), p.aside...)
		if p.silent {
			return n, false
		}
		n = p.target
	}
}

// passing says what a schema does beside delegating to another one.
type passing struct {
	target schema.Node   // the one schema it passes on; Value nil: it has a shape of its own
	aside  []schema.Node // of its allOf: they document, but say nothing about the shape
	silent bool          // it says nothing about the shape
	broken bool          // a reference could not be followed
	met    []use         // decided unions that are all there was
}

// passes looks at n: does it only pass on one other schema?
func (s *side) passes(n schema.Node, used []use) passing {
	var p passing
	if n.Value.Get("$ref") != nil && n.Dialect().RefAlone() {
		target, ok := s.deref(n)
		return passing{target: target, silent: !ok, broken: !ok}
	}
	var targets []schema.Node
	own, typed := 0, false
	for _, m := range n.Value.Members {
		switch m.Name {
		case "$ref":
			if target, ok := s.deref(n); ok {
				targets = append(targets, target)
			} else {
				p.broken = true
			}
		case "allOf":
			for _, part := range s.list(n.Child("allOf")) {
				if s.tells(part) {
					targets = append(targets, part)
				} else if part.Value.Kind == schema.Object {
					p.aside = append(p.aside, part)
				}
			}
		case "anyOf", "oneOf":
			switch {
			case isUsed(used, n.Value, m.Name):
				p.met = append(p.met, use{n.Value, m.Name})
			case len(m.Value.Items) > 1: // not made into nodes: there may be thousands
				own++
			default:
				targets = append(targets, s.list(n.Child(m.Name))...)
			}
		case "type":
			typed = true
		case "$dynamicRef", "$recursiveRef":
			if !known(n.Dialect(), m.Name) {
				continue
			}
			s.say(diag.Note, CodeDynamicRef, n.Pointer, m.Name+" gives no type")
			p.broken = true
		default:
			if s.shapes(n, m) {
				own++
			}
		}
	}
	switch {
	case own > 0 || len(targets) > 1:
	case len(targets) == 1:
		if !typed || s.statedKinds(targets[0], 8)&^s.typeKinds(n) == 0 {
			p.target = targets[0]
		}
	case !typed || s.typeKinds(n) == schema.AllKinds:
		p.silent = true
	}
	if !p.silent {
		p.met = nil
	}
	return p
}

// shapes reports whether m, a keyword of n other than those that hold or refer to
// schemas of the same value, can decide about the Go type.
func (s *side) shapes(n schema.Node, m schema.Member) bool {
	switch m.Name {
	case "enum", "const", "properties", "patternProperties", "additionalProperties", "required",
		"items", "prefixItems", "additionalItems", "minItems", "maxItems",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return known(n.Dialect(), m.Name)
	case "format":
		return m.Value.Kind == schema.String && s.p.in.Options.Formats[m.Value.Text] != "" &&
			s.p.in.Options.Formats[m.Value.Text] != "string"
	}
	return false
}

// tells reports whether n, a member of allOf, says anything about the shape.
func (s *side) tells(n schema.Node) bool {
	if n.Value.Kind != schema.Object {
		return n.Value.Kind != schema.Bool || !n.Value.Bool
	}
	return slices.ContainsFunc(n.Value.Members, func(m schema.Member) bool {
		switch m.Name {
		case "$ref", "allOf", "anyOf", "oneOf", "type":
			return true
		}
		return s.shapes(n, m)
	})
}

// holding returns the schemas that bound the values of v: those that document it,
// without what stands beside a $ref in dialects where that says nothing.
func (v *view) holding() []schema.Node {
	chain := slices.DeleteFunc(slices.Clone(v.chain), func(n schema.Node) bool {
		return n.Value.Get("$ref") != nil && n.Dialect().RefAlone()
	})
	return append(chain, v.nodes...)
}

// deref follows the $ref of n one step.
func (s *side) deref(n schema.Node) (schema.Node, bool) {
	ref := n.Child("$ref")
	if ref.Value.Kind != schema.String {
		s.malformed(ref, "$ref takes a string")
		return schema.Node{}, false
	}
	target, err := s.doc.Resolve(n, ref.Value.Text)
	switch {
	case errors.Is(err, schema.ErrRemote):
		s.say(diag.Warning, CodeRemoteRef, ref.Pointer, err.Error())
		return schema.Node{}, false
	case err != nil:
		s.say(diag.Warning, CodeBrokenRef, ref.Pointer, err.Error())
		return schema.Node{}, false
	}
	return target, true
}

// gather collects the nodes that hold: those of conj, and what they name by
// $ref, allOf and unions of one branch.
func (v *view) gather() {
	v.known = v.s.knowledge(v.key)
	if !v.known.gathered {
		v.known.gathered = true
		g := gathering{v.s, v.known, make(map[*schema.Value]bool)}
		for _, e := range v.conj {
			if e.alts == nil {
				g.visit(e.node)
			}
		}
	}
	v.nodes, v.base = v.known.nodes, v.known.base
	v.chain = append(v.chain, v.known.chain...)
	v.broken = v.broken || v.known.broken
}

// A gathering is one walk of gather.
type gathering struct {
	s       *side
	k       *knowledge
	visited map[*schema.Value]bool // true while the walk is below
}

func (g gathering) visit(n schema.Node) {
	if !g.enter(n) {
		return
	}
	defer func() { g.visited[n.Value] = false }()
	refers := n.Value.Get("$ref") != nil
	alone := refers && n.Dialect().RefAlone()
	if alone {
		g.k.chain = append(g.k.chain, n)
	} else {
		g.k.nodes = append(g.k.nodes, n)
	}
	if refers {
		if target, ok := g.s.deref(n); ok {
			g.visit(target)
		} else {
			g.k.broken = true
		}
	}
	if alone {
		return // what stands beside $ref says nothing
	}
	for _, m := range g.s.list(n.Child("allOf")) {
		g.visit(m)
	}
	for _, keyword := range unionKeywords {
		if list := n.Child(keyword); list.Value != nil && len(list.Value.Items) == 1 {
			g.visit(g.s.list(list)[0])
		}
	}
	g.k.base = append(g.k.base, n)
}

// enter reports whether n is to be visited: once, and within bounds.
func (g gathering) enter(n schema.Node) bool {
	if n.Value == nil {
		return false
	}
	below, visited := g.visited[n.Value]
	switch {
	case below:
		g.s.say(diag.Warning, CodeRefCycle, n.Pointer, "allOf or $ref leads back to itself")
		return false
	case visited || !g.s.step():
		return false
	case n.Value.Kind != schema.Object && n.Value.Kind != schema.Bool:
		g.s.malformed(n, "a schema is an object or a boolean")
		return false
	}
	g.visited[n.Value] = true
	return true
}

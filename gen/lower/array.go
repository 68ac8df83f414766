package lower

import (
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A listing is what a view says about its positions: those of a tuple, and the
// rest, which is all of them in a plain list.
type listing struct {
	prefix []conj
	rest   conj
	stated bool // some schema stands for the rest
	closed bool // no rest is allowed
}

// A stretch is what one schema says about positions.
type stretch struct {
	prefix []schema.Node
	rest   schema.Node // Value nil when nothing is said
}

// stretch reads prefixItems and items. Up to 2019-09 a tuple is an array under
// items, and its rest is additionalItems; servers write such arrays later too.
func (s *side) stretch(n schema.Node) stretch {
	prefix, items := child(n, "prefixItems"), n.Child("items")
	switch list := items.Value != nil && items.Value.Kind == schema.Array; {
	case list && prefix.Value == nil:
		return stretch{children(items), child(n, "additionalItems")}
	case list:
		items = schema.Node{}
	}
	return stretch{s.list(prefix), items}
}

// listing puts together what every part of v says about positions.
func (v *view) listing() listing {
	var all []stretch
	longest := 0
	for _, n := range v.base {
		own := v.s.stretch(n)
		longest = max(longest, len(own.prefix))
		if len(own.prefix) > 0 || own.rest.Value != nil {
			all = append(all, own)
		}
	}
	_, high := v.length("minItems", "maxItems")
	if high >= 0 && high < longest {
		longest = high
	}
	l := listing{prefix: make([]conj, longest), closed: high >= 0 && high <= longest && longest > 0}
	for _, own := range all {
		for i := range longest {
			switch {
			case i < len(own.prefix):
				l.prefix[i] = append(l.prefix[i], elem{node: own.prefix[i]})
			case own.rest.Value != nil:
				l.prefix[i] = append(l.prefix[i], elem{node: own.rest})
			}
		}
		if own.rest.Value != nil {
			l.stated = true
			l.closed = l.closed || isFalse(own.rest.Value)
			l.rest = append(l.rest, elem{node: own.rest})
		}
	}
	return l
}

// array makes a list or a tuple. Several lists collapse to one list of the
// union of their items.
func (s *side) array(v *view, p part, sh *shape) typ {
	sh.nilable = true
	if len(p.leaves) > 1 {
		return s.listOfAny(s.collapse(p.leaves))
	}
	l := p.leaves[0].listing()
	if len(l.prefix) > 0 {
		return s.tuple(v, p.leaves[0].view, l, sh)
	}
	if l.closed {
		l.rest = nil // only the empty list: its items can be anything
	}
	return s.listOf(l.rest)
}

// listOfAny is a list whose items satisfy any of choices; none means that some
// list said nothing about its items.
func (s *side) listOfAny(choices []conj) typ {
	switch len(choices) {
	case 0:
		return s.listOf(nil)
	case 1:
		return s.listOf(choices[0])
	}
	at := choices[0][0].node
	at.Value = nil
	return s.listOf(conj{{node: at, alts: choices}})
}

func (s *side) listOf(items conj) typ {
	if len(items) == 0 {
		return typ{t: model.Slice{Elem: s.untyped(false).t}, nilable: true}
	}
	item := s.lower(s.view(items, nil))
	return typ{t: model.Slice{Elem: item.item()}, nilable: true, raw: item.raw}
}

// collapse collects what the lists of a union say about their items.
func (s *side) collapse(leaves []leaf) []conj {
	var items []conj
	seen := make(map[string]bool)
	for _, one := range leaves {
		l := one.listing()
		all := slices.Clone(l.prefix)
		if !l.closed {
			all = append(all, l.rest)
		}
		for _, c := range all {
			view := s.view(c, nil)
			if len(view.conj) == 0 {
				return nil
			}
			if !seen[view.key] {
				seen[view.key] = true
				items = append(items, c)
			}
		}
	}
	return items
}

// tuple declares a struct that encodes as an array.
func (s *side) tuple(v, l *view, list listing, sh *shape) typ {
	if !s.afford(v, len(list.prefix)) {
		return typ{t: model.Slice{Elem: s.untyped(true).item()}, nilable: true, raw: true}
	}
	decl := &model.Struct{Tuple: true}
	t := typ{t: model.Ref{Decl: decl}}
	sh.typ = typ{t: t.t, null: sh.null}
	in := s.declare(decl, v)
	sh.info = in
	low, _ := l.length("minItems", "maxItems")
	for i, c := range list.prefix {
		f := s.member(in, c, i < low)
		f.Role, f.Name = model.RoleItem, "V"+strconv.Itoa(i)
		decl.Fields = append(decl.Fields, f)
	}
	if !list.closed {
		rest := s.listOf(list.rest)
		f := &model.Field{Name: "Rest", Role: model.RoleRest, Type: rest.t, Optional: true, Pointer: s.root + v.place.Pointer}
		s.p.fields[f] = &fieldInfo{s: s, of: in, typ: rest, open: !list.stated}
		decl.Fields = append(decl.Fields, f)
	}
	return t
}

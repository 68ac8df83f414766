package lower

import (
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A listing is what a view says about its positions: those of a tuple, and the
// rest, which is all of them in a plain list.
type listing struct {
	prefix []conj
	rest   conj
	low    int  // so many positions are always there
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
	low, high := v.length("minItems", "maxItems")
	if high >= 0 && high < longest {
		longest = high
	}
	l := listing{prefix: make([]conj, longest), low: low, closed: high >= 0 && high <= longest && longest > 0}
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

// array makes a list or a tuple.
func (s *side) array(v *view, p part, sh *shape) typ {
	sh.nilable = true
	if len(p.leaves) > 1 {
		return s.arrays(v, p.leaves, sh)
	}
	l := p.leaves[0].listing()
	if len(l.prefix) > 0 {
		return s.tuple(v, l, sh)
	}
	if l.closed {
		l.rest = nil // only the empty list: its items can be anything
	}
	return s.listOf(l.rest)
}

// arrays makes one type of several arrays: a list of the union of their items.
// Where those can be anything, but each is a tuple, what is known of positions
// would be lost: then it is a tuple of the union at each position.
func (s *side) arrays(v *view, leaves []leaf, sh *shape) typ {
	all := make([]listing, len(leaves))
	tuples := true
	for i, l := range leaves {
		all[i] = l.listing()
		tuples = tuples && len(all[i].prefix) > 0
	}
	items := choice{s: s}
	for _, l := range all {
		for _, c := range l.prefix {
			items.add(s.alternative(c))
		}
		if !l.closed {
			items.add(s.alternative(l.rest))
		}
	}
	if tuples && items.open() {
		return s.tuple(v, s.join(all), sh)
	}
	items.at.Pointer = ofItems(items.at.Pointer)
	return s.listOf(items.any())
}

// ofItems returns the place of a list's items where pointer is that of the first
// position.
func ofItems(pointer string) string {
	list, position := strings.CutSuffix(pointer, "/prefixItems/0")
	if !position {
		list, position = strings.CutSuffix(pointer, "/items/0")
	}
	if !position {
		return pointer
	}
	return list + "/items"
}

// join returns what holds of positions where any of all does.
func (s *side) join(all []listing) listing {
	out := listing{low: all[0].low, closed: true}
	longest := 0
	for _, l := range all {
		longest = max(longest, len(l.prefix))
		out.low = min(out.low, l.low)
		out.stated = out.stated || l.stated
		out.closed = out.closed && l.closed
	}
	// at joins what is said of one position, and beyond all of them of the rest.
	at := func(i int) conj {
		c := choice{s: s}
		for _, l := range all {
			switch {
			case i < len(l.prefix):
				c.add(s.alternative(l.prefix[i]))
			case !l.closed:
				c.add(s.alternative(l.rest))
			}
		}
		return c.any()
	}
	for i := range longest {
		out.prefix = append(out.prefix, at(i))
	}
	out.rest = at(longest)
	return out
}

func (s *side) listOf(items conj) typ {
	if len(items) == 0 {
		return typ{t: model.Slice{Elem: s.untyped(false).t}, nilable: true}
	}
	item := s.lower(s.view(items, nil))
	return typ{t: model.Slice{Elem: item.item()}, nilable: true, raw: item.raw}
}

// tuple declares a struct that encodes as an array.
func (s *side) tuple(v *view, list listing, sh *shape) typ {
	if !s.afford(v, len(list.prefix)) {
		return typ{t: model.Slice{Elem: s.untyped(true).item()}, nilable: true, raw: true}
	}
	decl := &model.Struct{Tuple: true}
	t := typ{t: model.Ref{Decl: decl}}
	sh.typ = typ{t: t.t, null: sh.null}
	in := s.declare(decl, v)
	sh.info = in
	for i, c := range list.prefix {
		f := s.member(in, c, i < list.low)
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

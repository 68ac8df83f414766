package lower

import (
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A part is what the leaves of a view say about one class of kinds. Scalars and
// lists are collected; every object is a part of its own.
type part struct {
	class  schema.Kinds
	leaves []leaf
}

// parts sorts leaves by class, in order of first appearance. open says that
// some leaf allows any kind at all.
func (v *view) parts(leaves []leaf) (parts []part, null, open bool) {
	index := make(map[schema.Kinds]int)
	for _, l := range leaves {
		k := l.kinds()
		null = null || k&schema.Nulls != 0
		if k == schema.AllKinds && l.enum() == nil {
			open = true
			if !l.declaresKeys() {
				continue
			}
			k = schema.Objects
		}
		for _, class := range classes {
			if k&class == 0 {
				continue
			}
			i, ok := index[class]
			if !ok || class == schema.Objects {
				i = len(parts)
				index[class] = i
				parts = append(parts, part{class: class})
			}
			parts[i].leaves = append(parts[i].leaves, l)
		}
	}
	return parts, null, open
}

// declaresKeys reports whether v declares properties.
func (v *view) declaresKeys() bool {
	for _, p := range v.props() {
		if len(p.places) > 0 {
			return true
		}
	}
	return false
}

// classify makes the type of v. Of sh it sets what references from within v
// need: null, alias, or the type itself.
func (s *side) classify(v *view, sh *shape) typ {
	if one, null := v.only(); one != nil {
		null = null && !one.open() // what is open has null among anything else
		sh.null = null
		t := s.shapeOf(one, sh).now()
		t.null = t.null || null
		return t
	}
	leaves, ok := v.leaves()
	if !ok {
		if !s.over {
			s.say(diag.Warning, CodeTooComplex, v.place.Pointer, "the union has too many variants")
		}
		return s.untyped(true)
	}
	parts, null, open := v.parts(leaves)
	sh.null = null && !open
	objects := 0
	for _, p := range parts {
		if p.class == schema.Objects {
			objects++
		}
	}
	switch {
	case open && objects == 0:
		if v.alts && len(parts) > 0 {
			s.say(diag.Note, CodeOpenAlternative, v.place.Pointer, "what is said here holds in one alternative, and another allows anything")
			return s.untyped(true)
		}
		return s.untyped(v.broken)
	case len(parts) == 1 && !open:
		t := s.part(v, parts[0], sh)
		t.null = t.null || null
		return t
	case len(parts) > 0:
		t := s.union(v, parts, open && objects > 1, sh)
		t.null = null && !open
		return t
	case null:
		// Only null: a pointer to a struct without fields holds that and nothing else.
		return typ{t: model.Empty, null: true}
	default:
		return s.never(v)
	}
}

// only returns the one schema that v's first union leaves beside null, nil where
// there is no such union, or several. The type is that schema's own, unions
// within it included: a definition stays itself where it may be null.
func (v *view) only() (one *view, null bool) {
	choices, _ := leaf{view: v}.choices()
	for _, c := range choices {
		switch {
		case c.kinds() == schema.Nulls:
			null = true
		case one != nil:
			return nil, false
		default:
			one = c.view
		}
	}
	return one, null
}

// open reports whether v allows values of any kind.
func (v *view) open() bool {
	leaves, fit := v.leaves()
	_, _, open := v.parts(leaves)
	return open || !fit
}

// never makes the type of a schema that no value satisfies.
func (s *side) never(v *view) typ {
	if sole, ok := v.conj.sole(); ok && isFalse(sole.Value) {
		return s.untyped(false)
	}
	s.say(diag.Warning, CodeIncompatible, v.place.Pointer, "no value has all the types that must hold")
	return s.untyped(true)
}

// part makes the type of v from its only part.
func (s *side) part(v *view, p part, sh *shape) typ {
	if len(p.leaves) == 1 && p.leaves[0].key != v.key && s.soleClass(p.leaves[0], p.class) {
		return s.shapeOf(p.leaves[0].view, sh).now()
	}
	return s.ofClass(v, p, sh)
}

// soleClass reports whether l allows kinds of class only, null aside.
func (s *side) soleClass(l leaf, class schema.Kinds) bool {
	return l.kinds()&^schema.Nulls&^class == 0
}

// ofClass makes the type of v for the values of one class.
func (s *side) ofClass(v *view, p part, sh *shape) typ {
	switch p.class {
	case schema.Strings, schema.Numbers, schema.Bools:
		return s.scalar(v, p, sh)
	case schema.Arrays:
		return s.array(v, p, sh)
	default:
		return s.object(v, p.leaves[0].view, sh)
	}
}

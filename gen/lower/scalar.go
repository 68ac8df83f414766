package lower

import (
	"math/big"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// scalar makes the type of strings, numbers or booleans. Several leaves of one
// kind collapse: to one enum when all list their values, else to their kind.
func (s *side) scalar(v *view, p part, sh *shape) typ {
	if e, listed := s.enumOf(p); listed && p.class != schema.Bools {
		return s.enum(v, p, e, sh)
	}
	switch p.class {
	case schema.Bools:
		return typ{t: model.Bool}
	case schema.Strings:
		return typ{t: s.text(p)}
	default:
		return typ{t: s.number(p)}
	}
}

// text chooses between string and what go.formats asks for.
func (s *side) text(p part) model.Type {
	for _, l := range p.leaves {
		if s.p.in.Options.Formats[firstText(l.nodes, "format")] != "time" {
			return model.String
		}
	}
	return model.Time
}

// number chooses the type of numbers: of integers by their bounds.
func (s *side) number(p part) model.Type {
	if s.p.in.Options.Numbers == NumbersExact {
		return model.Number
	}
	for _, l := range p.leaves {
		if l.kinds()&schema.Fractions != 0 {
			return model.Float64
		}
	}
	widest := sizeInt
	for i, l := range p.leaves {
		low, high := l.bounds()
		if z := integerSize(low.value, high.value); i == 0 {
			widest = z
		} else {
			widest = wider(widest, z)
		}
	}
	return widest.model()
}

// wider returns a size that holds the integers of both.
func wider(a, b size) size {
	if a == b {
		return a
	}
	return sizeNumber
}

func (z size) model() model.Type {
	switch z {
	case sizeInt:
		return model.Int
	case sizeUint64:
		return model.Uint64
	default:
		return model.Number
	}
}

// enumOf collects the values that the leaves of p list. It reports false when
// some leaf lists none.
func (s *side) enumOf(p part) (enumeration, bool) {
	var all enumeration
	var seen schema.Set
	for _, l := range p.leaves {
		e := l.enum()
		if e == nil {
			return enumeration{}, false
		}
		doc := ""
		if len(p.leaves) > 1 && len(e.values) == 1 {
			doc = prose([]schema.Node{l.branch})
		}
		for _, x := range e.values {
			if schema.KindsOf(x)&p.class != 0 && seen.Add(x) {
				all.docs = append(all.docs, doc)
			}
		}
	}
	all.values = seen.Values()
	return all, len(all.values) > 0
}

// enum declares the named type of listed strings or numbers.
func (s *side) enum(v *view, p part, e enumeration, sh *shape) typ {
	decl := &model.Enum{Base: s.enumBase(p, e)}
	if !s.afford(v, len(e.values)) {
		return typ{t: decl.Base}
	}
	for i, x := range e.values {
		decl.Values = append(decl.Values, model.EnumValue{JSON: numberOrText(x), Doc: e.docs[i]})
	}
	t := typ{t: model.Ref{Decl: decl}}
	sh.info = s.declare(decl, v)
	return t
}

// numberOrText returns a value as JSON, numbers in their one exact spelling.
func numberOrText(x *schema.Value) string {
	if x.Kind == schema.Number {
		if d, ok := schema.Decimal(x.Text); ok {
			return d
		}
	}
	return x.JSON()
}

// enumBase chooses the type under an enum: wide enough for the listed values
// and, since a server may add to them, for the type it states.
func (s *side) enumBase(p part, e enumeration) model.Type {
	if p.class == schema.Strings {
		return model.String
	}
	if s.p.in.Options.Numbers == NumbersExact {
		return model.Number
	}
	integers := true
	var low, high *big.Rat
	for _, x := range e.values {
		r := schema.Rational(x.Text)
		if r == nil {
			return model.Number
		}
		integers = integers && r.IsInt()
		if low == nil || r.Cmp(low) < 0 {
			low = r
		}
		if high == nil || r.Cmp(high) > 0 {
			high = r
		}
	}
	for _, l := range p.leaves {
		if k := l.typeKinds(); k != schema.AllKinds && k&schema.Fractions != 0 {
			integers = false
		}
	}
	if !integers {
		return model.Float64
	}
	return integerSize(low, high).model()
}

package lower

import (
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// union declares the union of parts, two or more, or one and anything else. open
// says that anything else is allowed although a key may tell objects apart.
func (s *side) union(v *view, parts []part, open bool, sh *shape) typ {
	decl := &model.Union{Open: open}
	t := typ{t: model.Ref{Decl: decl}, nilable: true}
	sh.typ = typ{t: t.t, nilable: true, null: sh.null}
	in := s.declare(decl, v)
	sh.info = in
	labels := s.labelsOf(parts)
	in.labels = labels
	for i, p := range parts {
		// The place is known before the variant is made: names of types within
		// it are made of the places of the branches.
		for _, l := range p.leaves {
			if _, known := s.labels[l.branch.Pointer]; !known && l.branch.Value != nil {
				s.labels[l.branch.Pointer] = &labels[i]
			}
		}
		variant := s.variant(v, p, &labels[i], in)
		if variant != nil && !slices.Contains(decl.Variants, variant) {
			decl.Variants = append(decl.Variants, variant)
		}
	}
	raw := &model.Named{Underlying: model.RawMessage, Raw: true}
	s.declareVariant(raw, v, in, &label{owner: "raw", word: "Raw"})
	decl.Variants = append(decl.Variants, raw)
	return t
}

// variant makes the declared type of one part of a union, nil when nothing
// better than the raw variant is to be had.
func (s *side) variant(v *view, p part, l *label, in *info) model.Decl {
	target := v
	if len(p.leaves) == 1 {
		target = p.leaves[0].view
	}
	t := s.variantShape(target, p).now()
	if t.bare {
		return nil
	}
	if ref, ok := t.t.(model.Ref); ok {
		if made := s.p.infos[ref.Decl]; p.holds(made.at()) {
			made.asVariant(in, l)
		}
		return ref.Decl
	}
	named := &model.Named{Underlying: t.t}
	if t.t == model.Time {
		named.Underlying = model.String // a defined type would lose time.Time's own JSON
	}
	s.declareVariant(named, target, in, l)
	s.p.infos[named].class = p.class
	return named
}

// variantShape makes the shape of p. Where v itself is just p, that is v's own
// shape, which may stand elsewhere too; else it is one beside v's own.
func (s *side) variantShape(v *view, p part) *shape {
	key := v.key + "#" + p.class.String()
	if len(p.leaves) == 1 && s.soleClass(p.leaves[0], p.class) {
		if _, bound := s.binding(v); !bound {
			return s.shapeOf(v, nil)
		}
		s.say(diag.Warning, CodeVariantBinding, v.place.Pointer, "a variant of a union cannot be bound to a type")
	}
	sh := s.made(key)
	if sh == nil {
		sh = &shape{}
		s.memo[key] = sh
		s.finish(key, sh, s.ofClass(v, p, sh))
		if sh.info != nil {
			sh.info.def = "" // a part of the definition, not the definition
		}
	}
	return sh
}

// holds reports whether n stands in the part's own branch. A type that a branch
// only refers to is called after where it stands, whichever union is met first.
func (p part) holds(n schema.Node) bool {
	if len(p.leaves) != 1 || p.leaves[0].branch.Value == nil {
		return true
	}
	branch := p.leaves[0].branch.Pointer
	return n.Pointer == branch || strings.HasPrefix(n.Pointer, branch+"/") || strings.HasPrefix(branch, n.Pointer+"/")
}

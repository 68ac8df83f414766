package lower

import (
	"fmt"

	"github.com/mcpbind/mcpbind/gen/diag"
)

// Bounds on what is declared, which is what naming, printing and checking cost.
// The largest server of the corpus needs a tenth.
const (
	maxMembers = 10_000 // values or items of one type
	maxWeight  = 60_000 // of all types of one package
	toolWeight = 20     // or so much for each of its tools, if that is more: many honest tools are no attack
	typeWeight = 3      // of a type; each member weighs 1

	// Of structs, whose fields cost the most: the fields of one, and those of all
	// that are wide.
	maxFields     = 5_000
	wideFields    = 200
	maxWideFields = 10_000

	// simpleWeight is what one direction of a tool may weigh all the same, so that
	// a bad tool does not cost the others their types.
	simpleWeight = 100

	// maxSimple is how many bytes of schema are still read once the types of a
	// package weigh too much.
	maxSimple = 4 << 10
)

// afford reports whether a type with so many members may be declared for v.
func (s *side) afford(v *view, members int) bool {
	switch weight := s.p.weight + typeWeight + members; {
	case members > maxMembers:
		s.say(diag.Warning, CodeTooComplex, v.place.Pointer, fmt.Sprintf("%d members are more than %d", members, maxMembers))
	case weight > s.p.maxWeight() && s.weight+typeWeight+members > simpleWeight:
		s.p.full = true
		s.p.sayFull(s.tool, s.root)
	default:
		s.p.weight = weight
		s.weight += typeWeight + members
		return true
	}
	return false
}

// affordFields reports whether a struct may have a field for each of n
// properties.
func (s *side) affordFields(v *view, n int) bool {
	switch {
	case n <= wideFields:
		return true
	case n > maxFields || s.p.wide+n > maxWideFields:
		s.say(diag.Warning, CodeTooComplex, v.place.Pointer,
			fmt.Sprintf("an object of %d properties is more than a type can have here; all of them are in Extra", n))
		return false
	}
	s.p.wide += n
	return true
}

func (p *lowering) maxWeight() int { return max(maxWeight, toolWeight*len(p.in.Tools)) }

func (p *lowering) sayFull(t *tool, pointer string) {
	p.say(diag.Warning, CodeTooComplex, t.wire, pointer, fmt.Sprintf("the types of this server have more than %d members", p.maxWeight()))
}

package lower

import (
	"fmt"

	"github.com/mcpbind/mcpbind/gen/diag"
)

// Bounds on what is declared, which is what naming, printing and checking cost.
// The largest server of the corpus needs a tenth.
const (
	maxMembers = 10_000 // properties, values or items of one type
	maxWeight  = 60_000 // of all types of one package
	toolWeight = 20     // or so much for each of its tools, if that is more: many honest tools are no attack
	typeWeight = 3      // of a type; each member weighs 1

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

func (p *lowering) maxWeight() int { return max(maxWeight, toolWeight*len(p.in.Tools)) }

func (p *lowering) sayFull(t *tool, pointer string) {
	p.say(diag.Warning, CodeTooComplex, t.wire, pointer, fmt.Sprintf("the types of this server have more than %d members", p.maxWeight()))
}

package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// An elem is one schema that must hold: a node of the document, or, where
// lowering itself made a choice (the items of collapsed lists), any one of alts.
// For the latter node holds only the place that the choice stands for.
type elem struct {
	node schema.Node
	alts []conj
}

// A conj is a conjunction: every elem of it must hold.
type conj []elem

// A use is a union that has been decided: one of its branches stands beside it
// in the same conj, so the keyword itself says nothing more.
type use struct {
	at      *schema.Value
	keyword string
}

func single(n schema.Node) conj { return conj{{node: n}} }

// sole returns the one schema that c is; false when it is several, or a choice.
func (c conj) sole() (schema.Node, bool) {
	if len(c) != 1 || c[0].alts != nil {
		return schema.Node{}, false
	}
	return c[0].node, true
}

// id numbers the values of a document in order of first sight.
func (s *side) id(v *schema.Value) string {
	n, ok := s.ids[v]
	if !ok {
		n = len(s.ids)
		s.ids[v] = n
	}
	return strconv.Itoa(n)
}

// keyOf names a conj: equal keys mean the same schemas.
func (s *side) keyOf(c conj) string {
	parts := make([]string, 0, len(c))
	for _, e := range c {
		if e.alts == nil {
			parts = append(parts, s.id(e.node.Value))
			continue
		}
		alts := make([]string, len(e.alts))
		for i, a := range e.alts {
			alts[i] = s.keyOf(a)
		}
		parts = append(parts, "("+strings.Join(alts, "|")+")")
	}
	return strings.Join(parts, "&")
}

func (s *side) keyOfUses(used []use) string {
	parts := make([]string, len(used))
	for i, u := range used {
		parts[i] = s.id(u.at) + u.keyword
	}
	slices.Sort(parts)
	return strings.Join(parts, ",")
}

func isUsed(used []use, v *schema.Value, keyword string) bool {
	return slices.Contains(used, use{v, keyword})
}

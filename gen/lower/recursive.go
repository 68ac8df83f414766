package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// recursive reports whether v is a list or a map that leads back to itself through
// lists, maps and unions alone, and so has a name, wherever it is met first. Where a
// struct stands between, the name of that is enough, and for one that is no
// definition that of a definition.
func (s *side) recursive(v *view) bool {
	leaves, ok := v.leaves()
	if !ok {
		return false
	}
	parts, _, open := v.parts(leaves)
	if open || len(parts) != 1 {
		return false
	}
	inline := v.def() == ""
	if p := parts[0]; len(p.leaves) == 1 && p.leaves[0].key != v.key && p.leaves[0].def() != "" {
		return false // that, or null
	}
	seen := make(map[string]bool)
	next := s.elements(leaves)
	for len(next) > 0 {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		switch {
		case at.key == v.key:
			return true
		case seen[at.key] || inline && at.def() != "":
			continue
		case !s.step():
			return false
		}
		seen[at.key] = true
		leaves, _ := at.leaves()
		if slices.ContainsFunc(leaves, func(l leaf) bool { return l.key == v.key }) {
			return true
		}
		next = append(next, s.elements(leaves)...)
	}
	return false
}

// elements returns what leaves hold as lists or as maps.
func (s *side) elements(leaves []leaf) []*view {
	var out []*view
	for _, l := range leaves {
		kinds := l.kinds()
		if kinds == schema.AllKinds {
			continue
		}
		if kinds&schema.Arrays != 0 {
			if list := l.listing(); len(list.prefix) == 0 && len(list.rest) > 0 {
				out = append(out, s.view(list.rest, nil))
			}
		}
		if kinds&schema.Objects == 0 || len(l.props()) > 0 || l.closed() {
			continue
		}
		choices, _ := s.others(l.view)
		for _, c := range choices {
			if len(c) > 0 {
				out = append(out, s.view(c, nil))
			}
		}
	}
	return out
}

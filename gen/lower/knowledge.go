package lower

import "github.com/mcpbind/mcpbind/internal/schema"

// A knowledge is what all views of one key have in common, each part found out
// when it is first asked for: definitions that refer to each other are looked at
// from many places.
type knowledge struct {
	gathered bool
	nodes    []schema.Node // as in a view
	base     []schema.Node
	chain    []schema.Node // references that stand alone within nodes
	broken   bool          // a part of nodes could not be read

	kinds     schema.Kinds
	kindsDone bool
	enum      *enumeration
	props     []property
	propsDone bool
	tag       *tag
	words     *vocabulary

	plain   bool // it has no union: its only leaf is the view itself
	ways    []leaf
	fits    bool // there are not too many of ways
	expands bool // ways, fits and plain are known
}

// knowledge returns what is known under a key of views.
func (s *side) knowledge(key string) *knowledge {
	k := s.known[key]
	if k == nil {
		k = &knowledge{}
		s.known[key] = k
	}
	return k
}

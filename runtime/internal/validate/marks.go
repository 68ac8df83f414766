package validate

import "github.com/mcpbind/mcpbind/internal/schema"

// marks says which members or items of one value have been evaluated. The nil
// *marks keeps no record: most schemas have no use for one.
type marks struct {
	seen       []bool
	everything bool
	doubtful   bool // some are here that may not belong
}

func newMarks(v *schema.Value) *marks {
	return &marks{seen: make([]bool, len(v.Members)+len(v.Items))}
}

func (m *marks) mark(i int) {
	if m != nil {
		m.seen[i] = true
	}
}

func (m *marks) markAll() {
	if m != nil {
		m.everything = true
	}
}

// doubt notes that marks may have come from a schema that does not hold.
func (m *marks) doubt() {
	if m != nil {
		m.doubtful = true
	}
}

// doubtAll marks everything where nobody knows what has been evaluated.
func (m *marks) doubtAll() {
	m.markAll()
	m.doubt()
}

func (m *marks) merge(o *marks) {
	m.everything = m.everything || o.everything
	m.doubtful = m.doubtful || o.doubtful
	for i, seen := range o.seen {
		m.seen[i] = m.seen[i] || seen
	}
}

// tracks reports whether n needs marks for v.
func (n *node) tracks(v *schema.Value) bool {
	return v.Kind == schema.Object && n.object != nil && n.object.unevaluated != nil ||
		v.Kind == schema.Array && n.array != nil && n.array.unevaluated != nil
}

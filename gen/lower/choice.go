package lower

import "github.com/mcpbind/mcpbind/internal/schema"

// A choice collects the alternatives that lowering itself puts together: what the
// items of several lists, or one key in several objects, may be.
type choice struct {
	s    *side
	seen map[string]bool
	alts []conj
	at   schema.Node // the place of the whole: that of the first alternative that says anything
}

// An alternative is one of a choice. It may say nothing: then any value will do.
type alternative struct {
	conj   conj
	key    string
	silent bool
}

func (s *side) alternative(c conj) alternative {
	v := s.view(c, nil)
	return alternative{c, v.key, len(v.conj) == 0}
}

// add adds a, unless the same schema is there. Where there was too much before it,
// any value will do.
func (c *choice) add(a alternative) {
	if !c.s.step() {
		a = alternative{silent: true}
	}
	if c.seen[a.key] {
		return
	}
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	c.seen[a.key] = true
	c.alts = append(c.alts, a.conj)
	if !a.silent {
		c.standAt(a.conj)
	}
}

// standAt gives c the place of one, unless it has one.
func (c *choice) standAt(one conj) {
	if c.at.Pointer == "" {
		c.at = one[0].node
		c.at.Value = nil
	}
}

// open reports whether some alternative says nothing.
func (c *choice) open() bool { return c.seen[""] }

// any returns the schema of which one alternative holds.
func (c *choice) any() conj {
	switch len(c.alts) {
	case 0:
		return nil
	case 1:
		return c.alts[0]
	}
	return conj{{node: c.at, alts: c.alts}}
}

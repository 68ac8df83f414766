package lower

import (
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A tag is the constant or listed values of a view, which may tell variants
// apart.
type tag struct {
	values []string // as JSON
	fixed  bool     // one value, by const
	id     int      // the same for the same values
}

func (v *view) tag() *tag {
	if v.known.tag == nil {
		v.known.tag = v.readTag()
	}
	return v.known.tag
}

func (v *view) readTag() *tag {
	leaves, ok := v.leaves()
	if !ok {
		return &noTag
	}
	t := &tag{}
	var seen schema.Set
	for _, l := range leaves {
		e := l.enum()
		if e == nil {
			return &noTag
		}
		for _, x := range e.values {
			if seen.Add(x) {
				t.values = append(t.values, numberOrText(x))
			}
		}
		t.fixed = e.fixed
	}
	t.fixed = t.fixed && len(t.values) == 1 && len(leaves) == 1
	text := strings.Join(t.values, ",")
	id, ok := v.s.texts[text]
	if !ok {
		id = len(v.s.texts)
		v.s.texts[text] = id
	}
	t.id = id
	return t
}

var noTag tag

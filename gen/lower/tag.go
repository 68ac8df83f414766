package lower

import (
	"cmp"
	"slices"
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
	var seen valueSet
	for _, l := range leaves {
		e := l.enum()
		if e == nil {
			return &noTag
		}
		for _, x := range e.values {
			if seen.add(x) {
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

// A tagTable holds the tags that the properties of a union's objects have.
type tagTable struct {
	s        *side
	own      [][]string        // per part: the values that tell it apart
	like     [][]string        // per part: the value of a property that others may share
	values   []map[string]*tag // per part, by key; nil where the part is no object
	keys     []string          // to look at
	listed   map[string]bool   // in keys
	count    map[keyTag]int    // of parts
	declared map[string]int    // parts that have a property, by its name
}

type keyTag struct {
	key string
	id  int
}

// propsPerStep is how many properties are looked at for their tags in one step.
const propsPerStep = 8

// tags finds, for each object among parts, the property that tells it apart.
func (s *side) tags(parts []part) *tagTable {
	n := len(parts)
	t := &tagTable{
		s: s, own: make([][]string, n), like: make([][]string, n), values: make([]map[string]*tag, n),
		listed: make(map[string]bool), count: make(map[keyTag]int), declared: make(map[string]int),
	}
	for i, p := range parts {
		if p.class != schema.Objects {
			continue
		}
		v := p.leaves[0].view
		for _, p := range v.props() {
			t.declared[p.name]++
		}
		t.values[i] = make(map[string]*tag)
		t.like[i] = t.read(i, "", v)
	}
	t.assign()
	t.keys, t.listed = nil, make(map[string]bool)
	for i, p := range parts { // what is left may be told apart one level below
		if p.class != schema.Objects || t.own[i] != nil {
			continue
		}
		for _, prop := range p.leaves[0].props() {
			if len(prop.conj) == 0 {
				continue
			}
			if v := s.view(prop.conj, nil); v.kinds() == schema.Objects {
				t.read(i, prop.name+"/", v)
			}
		}
	}
	t.assign()
	return t
}

// read enters the constant and enumerated properties of part i, and returns the
// first with one value.
func (t *tagTable) read(i int, prefix string, v *view) (like []string) {
	for n, prop := range v.props() {
		if n%propsPerStep == 0 && !t.s.step() {
			break
		}
		if len(prop.conj) == 0 {
			continue
		}
		tag := t.s.view(prop.conj, nil).tag()
		if len(tag.values) == 0 {
			continue
		}
		if len(tag.values) == 1 && like == nil {
			like = tag.values
		}
		key := prefix + prop.name
		if before := t.values[i][key]; before != nil { // of a/b, of b in a
			t.count[keyTag{key, before.id}]--
		}
		t.values[i][key] = tag
		t.count[keyTag{key, tag.id}]++
		if !t.listed[key] {
			t.listed[key] = true
			t.keys = append(t.keys, key)
		}
	}
	return like
}

// unique returns the tag of part i under key if no other part has the same.
func (t *tagTable) unique(key string, i int) []string {
	if tag := t.values[i][key]; tag != nil && t.count[keyTag{key, tag.id}] == 1 {
		return tag.values
	}
	return nil
}

// assign gives each part without a tag the values of a key that no other part
// shares: of the key that tells most parts apart, if it serves, else of the next.
func (t *tagTable) assign() {
	serves := make(map[string]int)
	for _, key := range t.keys {
		for i := range t.values {
			if t.own[i] == nil && t.unique(key, i) != nil {
				serves[key]++
			}
		}
	}
	slices.SortStableFunc(t.keys, func(a, b string) int { return cmp.Compare(serves[b], serves[a]) })
	for i := range t.values {
		for _, key := range t.keys {
			if t.own[i] != nil {
				break
			}
			t.own[i] = t.unique(key, i)
		}
	}
}

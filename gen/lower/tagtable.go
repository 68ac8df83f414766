package lower

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A tagKey is the name of a property, of an object or of an object in one of its
// properties.
type tagKey struct{ in, name string }

// A tagged is a property that has a tag.
type tagged struct {
	key int // of the tagKey, as the side numbers them
	tag *tag
}

// A vocabulary is what the properties of a view may tell it by. All unions that
// the view is a variant of share it, and do not change it.
type vocabulary struct {
	names  []int // of the properties, numbered by the side
	quoted []string
	kinds  []string // quoted, with the kind behind; see keysAndKinds
	tagged []tagged
	like   []string // the values of the first tag with one value
}

// vocabulary returns what v may be told by. It is a few steps for each caller, as
// each looks through it.
func (v *view) vocabulary() *vocabulary {
	w := v.known.words
	if w == nil {
		w = &vocabulary{}
		for _, p := range v.props() {
			w.names = append(w.names, v.s.tagKey(tagKey{name: p.name}))
			w.quoted = append(w.quoted, strconv.Quote(p.name))
		}
		w.tagged, w.like = v.tagged("")
		v.known.words = w
	}
	return w
}

// tagged returns the properties of v that have tags. v is itself in a property
// called in, or a variant when that is "".
func (v *view) tagged(in string) (out []tagged, like []string) {
	for _, p := range v.props() {
		if len(p.conj) == 0 {
			continue
		}
		tag := v.s.view(p.conj, nil).tag()
		if len(tag.values) == 0 {
			continue
		}
		if len(tag.values) == 1 && like == nil {
			like = tag.values
		}
		out = append(out, tagged{v.s.tagKey(tagKey{in, p.name}), tag})
	}
	return out, like
}

// tagKey returns the number of k.
func (s *side) tagKey(k tagKey) int {
	n, ok := s.keys[k]
	if !ok {
		n = len(s.keys)
		s.keys[k] = n
	}
	return n
}

// A tagTable says what may tell the objects of a union apart. The objects are
// numbered as the parts of the union are.
type tagTable struct {
	own      [][]string    // the values that only this object has
	like     [][]string    // the value of a property that others may share
	tagged   [][]tagged    // whatever was looked at
	words    []*vocabulary // nil for what is no object
	declared map[int]int   // objects that have a property, by its number; see ownKey
}

// propsPerStep is how many properties are looked at for their tags in one step.
const propsPerStep = 8

// tags finds, for each object among parts, the property that tells it apart.
func (s *side) tags(parts []part) *tagTable {
	n := len(parts)
	t := &tagTable{own: make([][]string, n), like: make([][]string, n), tagged: make([][]tagged, n), words: make([]*vocabulary, n)}
	for i, p := range parts {
		if p.class != schema.Objects {
			continue
		}
		t.words[i] = p.leaves[0].vocabulary()
		if s.lookThrough(p.leaves[0].view) {
			t.tagged[i], t.like[i] = t.words[i].tagged, t.words[i].like
		}
	}
	t.assign(t.tagged)
	t.below(s, parts)
	return t
}

// ownKey returns the index of the first property that only object i declares, or -1.
func (t *tagTable) ownKey(i int) int {
	declared := t.declarations()
	return slices.IndexFunc(t.words[i].names, func(name int) bool { return declared[name] == 1 })
}

// someKeys returns the quoted properties of object i that not all objects declare.
func (t *tagTable) someKeys(i int) []string {
	objects := 0
	for _, w := range t.words {
		if w != nil {
			objects++
		}
	}
	var out []string
	for n, name := range t.words[i].names {
		if t.declarations()[name] < objects {
			out = append(out, t.words[i].quoted[n])
		}
	}
	return out
}

// declarations returns how many objects declare each property.
func (t *tagTable) declarations() map[int]int {
	if t.declared == nil {
		t.declared = make(map[int]int)
		for _, w := range t.words {
			if w == nil {
				continue
			}
			for _, name := range w.names {
				t.declared[name]++
			}
		}
	}
	return t.declared
}

// below tells what is left apart one level below.
func (t *tagTable) below(s *side, parts []part) {
	deep := make([][]tagged, len(parts))
	for i, p := range parts {
		if p.class != schema.Objects || t.own[i] != nil {
			continue
		}
		for _, prop := range p.leaves[0].props() {
			if len(prop.conj) == 0 {
				continue
			}
			if v := s.view(prop.conj, nil); v.kinds() == schema.Objects && s.lookThrough(v) {
				more, _ := v.tagged(prop.name)
				deep[i] = append(deep[i], more...)
			}
		}
	}
	t.assign(deep)
	for i, more := range deep {
		t.tagged[i] = append(slices.Clip(t.tagged[i]), more...)
	}
}

// lookThrough takes the steps that the properties of v are worth.
func (s *side) lookThrough(v *view) bool {
	for range (len(v.props()) + propsPerStep - 1) / propsPerStep {
		if !s.step() {
			return false
		}
	}
	return true
}

// assign gives each object without values of its own those of a key that no other
// object shares: of the key that tells most objects apart, if it serves, else of
// the next.
func (t *tagTable) assign(objects [][]tagged) {
	has := func(list []tagged) bool { return len(list) > 0 }
	first := slices.IndexFunc(objects, has)
	switch {
	case first < 0:
		return
	case !slices.ContainsFunc(objects[first+1:], has): // nothing is shared, so the first key serves
		if t.own[first] == nil {
			t.own[first] = objects[first][0].tag.values
		}
		return
	}
	c := take(objects)
	standings := t.standings(objects, c)
	for i, list := range objects {
		if t.own[i] != nil {
			continue
		}
		var best standing
		for _, g := range list {
			if at := standings[g.key]; c.alone(g) && (t.own[i] == nil || at.before(best)) {
				t.own[i], best = g.tag.values, at
			}
		}
	}
}

// A census counts the objects that have the same values under the same key.
type census map[shared]int

type shared struct{ key, values int }

func take(objects [][]tagged) census {
	size := 0
	for _, list := range objects {
		size += len(list)
	}
	c := make(census, size)
	for _, list := range objects {
		for _, g := range list {
			c[shared{g.key, g.tag.id}]++
		}
	}
	return c
}

// alone reports whether no other object has g.
func (c census) alone(g tagged) bool { return c[shared{g.key, g.tag.id}] == 1 }

// A standing orders keys: by the number of objects that they tell apart, then as
// they come.
type standing struct{ serves, place int }

func (r standing) before(other standing) bool {
	return cmp.Or(cmp.Compare(other.serves, r.serves), cmp.Compare(r.place, other.place)) < 0
}

// standings returns those of all keys, for the objects without values of their own.
func (t *tagTable) standings(objects [][]tagged, c census) map[int]standing {
	standings := make(map[int]standing, len(c))
	for i, list := range objects {
		for _, g := range list {
			r, seen := standings[g.key]
			if !seen {
				r.place = len(standings)
			}
			if t.own[i] == nil && c.alone(g) {
				r.serves++
			}
			standings[g.key] = r
		}
	}
	return standings
}

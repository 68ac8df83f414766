package codec

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
)

// How the variant of a union is chosen, in this order:
//
//  1. The JSON kind leaves those that may hold it.
//  2. Of objects, a constant or enum value that only one variant has, under a
//     key that at least two declare, tells the variant. That is final.
//  3. Of other objects, those remain whose required keys are all present and
//     whose constants and enums fit, best first: fewest keys that the variant
//     would drop, then fewest that go to its Extra, then the union's order. An
//     only object variant needs no such test.
//  4. The first that decodes; else the raw variant.

// A discriminator is a key whose value tells variants apart.
type discriminator struct {
	key    string
	values *literalSet
	told   []told // by the index of the value
}

// told is the variant that a value tells. Its zero value: several have that value.
type told struct {
	variant  *variant
	constant bool // by a constant, which decoding will check again
}

// index sorts the variants by kind and finds the discriminators. It runs when
// the plans of all variants are whole.
func (u *unionCoder) index() error {
	for _, v := range u.variants {
		v.index()
		for k := range kindsOf(v.plan).all() {
			u.byKind[k] = append(u.byKind[k], v)
		}
	}
	for _, v := range u.byKind[kindObject] {
		if v.object == nil {
			continue
		}
		for _, f := range v.object.fields {
			if f.allowed == nil || slices.ContainsFunc(u.tells, func(t discriminator) bool { return t.key == f.key }) {
				continue
			}
			tells, err := u.discriminator(f.key)
			if err != nil {
				return err
			}
			if tells != nil {
				u.tells = append(u.tells, *tells)
			}
		}
	}
	return nil
}

// discriminator returns what the values under key tell, nil when less than two
// variants declare it.
func (u *unionCoder) discriminator(key string) (*discriminator, error) {
	var texts []json.RawMessage
	var owners []told
	declaring := 0
	for _, v := range u.byKind[kindObject] {
		f := v.field(key)
		if f == nil {
			continue
		}
		declaring++
		for _, text := range f.allowed.texts {
			texts = append(texts, json.RawMessage(text))
			owners = append(owners, told{v, f.constant})
		}
	}
	if declaring < 2 {
		return nil, nil
	}
	values, err := newLiteralSet(texts)
	if err != nil {
		return nil, err
	}
	t := &discriminator{key: key, values: values, told: slices.Clone(owners)}
	for i, text := range texts {
		// find returns the last of equal values.
		if last := values.find(text); owners[i].variant != owners[last].variant {
			t.told[last] = told{}
		}
	}
	return t, nil
}

// tell returns what the value raw tells.
func (t *discriminator) tell(raw []byte) told {
	if i := t.values.find(raw); i >= 0 {
		return t.told[i]
	}
	return told{}
}

// index prepares a variant for looking at objects.
func (v *variant) index() {
	v.object, _ = v.plan.coder.(*objectCoder)
	if v.object == nil {
		return
	}
	v.takes = make([]kindSet, len(v.object.fields))
	for i, f := range v.object.fields {
		if !f.constant {
			v.takes[i] = kindsOf(f.plan)
		}
	}
	if v.object.extra != nil {
		v.takesExtra = kindsOf(v.object.entries.elem)
	}
}

// field returns the field with this key and a constant or enum, or nil.
func (v *variant) field(key string) *field {
	if v.object == nil {
		return nil
	}
	i, ok := v.object.byKey[key]
	if !ok || v.object.fields[i].allowed == nil {
		return nil
	}
	return v.object.fields[i]
}

// A kindSet is a set of kinds.
type kindSet uint8

func setOf(kinds ...kind) (s kindSet) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k kind) bool { return s&(1<<k) != 0 }

func (s kindSet) all() iter.Seq[kind] {
	return func(yield func(kind) bool) {
		for k := range numKinds {
			if s.has(k) && !yield(k) {
				return
			}
		}
	}
}

// kindsOf returns the kinds of JSON that p may hold, null aside.
func kindsOf(p *plan) kindSet {
	switch c := p.coder.(type) {
	case boolCoder:
		return setOf(kindBool)
	case stringCoder:
		return setOf(kindString)
	case intCoder, uintCoder, floatCoder, numberCoder:
		return setOf(kindNumber)
	case *listCoder, *tupleCoder:
		return setOf(kindArray)
	case *mapCoder, *objectCoder:
		return setOf(kindObject)
	case convertedCoder:
		return kindsOf(c.target)
	case nullableCoder:
		return kindsOf(c.pointer)
	case *pointerCoder:
		if !c.nested { // which may never end
			return kindsOf(c.elem)
		}
	}
	return setOf(kindBool, kindNumber, kindString, kindArray, kindObject)
}

// A member is one member of an object that was looked at.
type member struct {
	key   []byte
	value int // where it starts
}

// look looks ahead at the object at d's position, collects its members and
// returns the variant that a discriminator tells, or nil. A hasty look ends at
// the first constant that tells.
func (u *unionCoder) look(d *decoder, hasty bool) *variant {
	start := d.pos
	defer func() {
		d.looked(d.pos - start)
		d.pos = start
	}()
	d.members = d.members[:0]
	d.pos++
	for d.peek() != '}' {
		m := member{key: d.key()}
		d.peek()
		m.value = d.pos
		d.pos = d.end(d.pos)
		d.members = append(d.members, m)
		if !hasty {
			continue
		}
		for i := range u.tells {
			if u.tells[i].key == string(m.key) {
				if t := u.tells[i].tell(d.data[m.value:d.pos]); t.constant {
					return t.variant
				}
			}
		}
	}
	return u.toldBy(d)
}

// toldBy returns the variant that the collected members tell, or nil.
func (u *unionCoder) toldBy(d *decoder) *variant {
	for i := range u.tells {
		for _, m := range slices.Backward(d.members) {
			if u.tells[i].key != string(m.key) {
				continue
			}
			if t := u.tells[i].tell(d.data[m.value:d.end(m.value)]); t.variant != nil {
				return t.variant
			}
			break // of duplicates the last counts
		}
	}
	return nil
}

// key moves past the next key and returns it, valid as long as the text.
func (d *decoder) key() []byte {
	raw := d.value()
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return inner
	}
	return unquote(nil, raw)
}

// candidates returns the variants to try, best first, when none is told.
func (u *unionCoder) candidates(d *decoder, k kind) []*variant {
	all := u.byKind[k]
	if k != kindObject || len(all) < 2 {
		return all
	}
	if len(u.tells) == 0 { // else look has looked
		u.look(d, false)
	}
	type ranked struct {
		*variant
		dropped, extra int
	}
	var fit []ranked
	for _, v := range all {
		if dropped, extra, ok := v.fits(d); ok {
			fit = append(fit, ranked{v, dropped, extra})
		}
	}
	if len(fit) == 0 && u.raw == nil {
		return all // looser: the first that decodes is better than none
	}
	slices.SortStableFunc(fit, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.dropped, b.dropped), cmp.Compare(a.extra, b.extra))
	})
	best := make([]*variant, len(fit))
	for i, r := range fit {
		best[i] = r.variant
	}
	return best
}

// States of a field in decoder.seen.
const (
	absent uint8 = iota
	good
	bad // of a kind or value that the field does not take
)

// fits reports whether the collected members make a v, how many of them v would
// drop and how many would go to its Extra.
func (v *variant) fits(d *decoder) (dropped, extra int, ok bool) {
	c := v.object
	if c == nil { // a map, or a type of unknown ways
		return 0, len(d.members), true
	}
	d.seen = slices.Grow(d.seen[:0], len(c.fields))[:len(c.fields)]
	clear(d.seen)
	for _, m := range d.members {
		k := kindOf(d.data[m.value])
		i, known := c.byKey[string(m.key)]
		switch {
		case known && v.mayTake(d, i, m.value):
			d.seen[i] = good
		case known:
			d.seen[i] = bad
		case c.extra == nil:
			dropped++
		case k == kindNull || v.takesExtra.has(k):
			extra++
		default: // Extra would not decode
			return 0, 0, false
		}
	}
	for i, f := range c.fields {
		if d.seen[i] == bad || d.seen[i] == absent && f.required() {
			return 0, 0, false
		}
	}
	return dropped, extra, true
}

// mayTake reports whether field i may hold the value that starts at pos, as far
// as its kind, its constant or its enum tells.
func (v *variant) mayTake(d *decoder, i, pos int) bool {
	f := v.object.fields[i]
	if f.allowed != nil {
		return f.allows(d.data[pos:d.end(pos)])
	}
	k := kindOf(d.data[pos])
	return k == kindNull || v.takes[i].has(k)
}

// looked counts n bytes passed in looking ahead. When unions nest so deeply that
// this outgrows the text, the ends of long values are noted once, so that
// looking ahead stays linear.
func (d *decoder) looked(n int) {
	if d.ahead += n; d.ahead > 8*len(d.data) && d.ends == nil {
		d.ends = longValues(d.data)
	}
}

// longValues maps the start of each value longer than 64 bytes to its end.
func longValues(data []byte) map[int]int {
	const long = 64
	ends := map[int]int{}
	note := func(start, end int) {
		if end-start > long {
			ends[start] = end
		}
	}
	var open []int
	for pos := 0; pos < len(data); pos++ {
		switch data[pos] {
		case '"':
			end := stringEnd(data, pos)
			note(pos, end)
			pos = end - 1
		case '{', '[':
			open = append(open, pos)
		case '}', ']':
			note(open[len(open)-1], pos+1)
			open = open[:len(open)-1]
		}
	}
	return ends
}

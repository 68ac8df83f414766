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
//     key that at least two declare, tells the variant. That is final when every
//     object variant declares the key with its values and the union does not
//     allow anything else; if not, the variant is taken if the value fits it.
//  3. Of other objects, those remain whose required keys are all present and
//     whose constants, enums and kinds fit, one level deep.
//  4. Those are decoded, which tells how well the value fits at every level, and
//     the best is taken: fewest unions inside that are left raw, then fewest keys
//     dropped, then fewest that go to an Extra or a map, then the union's order.
//     What cannot be better than the best so far is not tried, which mostly
//     leaves one.
//  5. A value that fits none is raw. Without a raw variant, the best that decodes
//     is better than none.

// A discriminator is a key whose value tells variants apart.
type discriminator struct {
	key    string
	values *literalSet
	told   []told // by the index of the value
	final  bool   // what it tells needs no test
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
			if k == kindNull {
				continue // of a union null is raw
			}
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
	t := &discriminator{key: key, values: values, told: slices.Clone(owners), final: declaring == len(u.byKind[kindObject]) && !u.open}
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
		if f.vanishes() {
			v.takes[i] &^= setOf(kindNull)
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

// kindsOf returns the kinds of JSON that fit p, as far as the kind tells.
func kindsOf(p *plan) kindSet {
	any := setOf(kindBool, kindNumber, kindString, kindArray, kindObject)
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
		switch {
		case c.elem.typ == emptyType:
			return setOf(kindNull)
		case !c.nested: // else it may never end
			return kindsOf(c.elem) | setOf(kindNull)
		}
	case *unionCoder:
		if c.raw == nil {
			return any
		}
	case foreignCoder, stdCoder:
		if !nilable(p.typ) {
			return any
		}
	}
	return any | setOf(kindNull)
}

// A member is one member of an object that was looked at.
type member struct {
	key   []byte
	value int // where it starts
}

// look looks ahead at the object at d's position, collects its members and
// returns the variant that a discriminator tells, or nil, and whether that is
// final. A hasty look ends at the first constant that tells.
func (u *unionCoder) look(d *decoder, hasty bool) (v *variant, final bool) {
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
					return t.variant, u.tells[i].final
				}
			}
		}
	}
	return u.toldBy(d)
}

// toldBy returns the variant that the collected members tell, or nil, and
// whether that is final.
func (u *unionCoder) toldBy(d *decoder) (v *variant, final bool) {
	for i := range u.tells {
		for _, m := range slices.Backward(d.members) {
			if u.tells[i].key != string(m.key) {
				continue
			}
			if t := u.tells[i].tell(d.data[m.value:d.end(m.value)]); t.variant != nil {
				return t.variant, u.tells[i].final
			}
			break // of duplicates the last counts
		}
	}
	return nil, false
}

// key moves past the next key and returns it, valid as long as the text.
func (d *decoder) key() []byte {
	raw := d.value()
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return inner
	}
	return unquote(nil, raw)
}

// A candidate is a variant to try. Its fit is what one level tells: decoding can
// only find it worse.
type candidate struct {
	*variant
	fit fit
}

// candidates appends the variants to try to list, best first: preferred, if it is
// one of them, then by their fit. Of objects, look must have looked.
func (u *unionCoder) candidates(list []candidate, d *decoder, k kind, preferred *variant) []candidate {
	for _, v := range u.byKind[k] {
		if k != kindObject {
			list = append(list, candidate{variant: v})
		} else if f, ok := v.fits(d); ok {
			list = append(list, candidate{v, f})
		}
	}
	if len(list) == 0 && u.raw == nil {
		for _, v := range u.byKind[k] {
			list = append(list, candidate{variant: v})
		}
	}
	rank := func(c candidate) int {
		if c.variant == preferred {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.fit.compare(b.fit))
	})
	return list
}

// fits reports whether the collected members make a v, one level deep, and how
// well.
func (v *variant) fits(d *decoder) (f fit, ok bool) {
	c := v.object
	if c == nil { // a map, or a type of unknown ways
		if _, ok := v.plan.coder.(*mapCoder); ok {
			f.extra = len(d.members)
		}
		return f, true
	}
	base := len(d.seen)
	d.seen = append(d.seen, c.unseen...)
	defer func() { d.seen = d.seen[:base] }()
	seen := d.seen[base:]
	for _, m := range d.members {
		i, known := c.byKey[string(m.key)]
		switch {
		case known && v.mayTake(d, i, m.value):
			seen[i] = good
		case known:
			seen[i] = bad
		case c.extra == nil:
			f.dropped++
		case v.takesExtra.has(kindOf(d.data[m.value])):
			f.extra++
		default: // Extra would not hold it
			return fit{}, false
		}
	}
	for i, f := range c.fields {
		if seen[i] == bad || seen[i] == absent && f.required() {
			return fit{}, false
		}
	}
	return f, true
}

// mayTake reports whether field i may hold the value that starts at pos, as far
// as its kind, its constant or its enum tells.
func (v *variant) mayTake(d *decoder, i, pos int) bool {
	f := v.object.fields[i]
	if f.allowed != nil {
		return f.allows(d.data[pos:d.end(pos)])
	}
	return v.takes[i].has(kindOf(d.data[pos]))
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

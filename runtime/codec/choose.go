package codec

import (
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
//
// All that takes time in proportion to the text: when too much was tried in vain,
// values that several variants may hold are left raw, which changes none.

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
		if f.required() {
			v.needs = append(v.needs, i)
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

// A candidate is a variant to try. Its fit is what one level tells: decoding can
// only find it worse.
type candidate struct {
	*variant
	fit fit
}

// candidates appends the variants to try to those of unions around it, and returns
// them. Of objects, look must have looked.
func (u *unionCoder) candidates(d *decoder, k kind) []candidate {
	base := len(d.candidates)
	for _, v := range u.byKind[k] {
		if k != kindObject {
			d.candidates = append(d.candidates, candidate{variant: v})
		} else if f, ok := v.fits(d); ok {
			d.candidates = append(d.candidates, candidate{v, f})
		}
	}
	if len(d.candidates) == base && u.raw == nil {
		for _, v := range u.byKind[k] {
			d.candidates = append(d.candidates, candidate{variant: v})
		}
	}
	return d.candidates[base:]
}

// bestFirst moves the best of list to its front: preferred, if it is in there,
// else the first of those that fit best.
func bestFirst(list []candidate, preferred *variant) {
	best := 0
	for i, c := range list {
		if c.variant == preferred {
			best = i
			break
		}
		if c.fit.compare(list[best].fit) < 0 {
			best = i
		}
	}
	c := list[best]
	copy(list[1:], list[:best])
	list[0] = c
}

// fits reports whether the collected members make a v, one level deep, and how
// well.
func (v *variant) fits(d *decoder) (f fit, ok bool) {
	d.tested++
	c := v.object
	if c == nil { // a map, or a type of unknown ways
		if _, ok := v.plan.coder.(*mapCoder); ok {
			f.extra = len(d.members)
		}
		return f, true
	}
	d.tested += len(d.members) / 8
	if len(v.needs) > len(d.members) || len(v.needs) > 0 && !d.hasMember(c.fields[v.needs[0]].key) {
		return fit{}, false
	}
	d.tested += 2*len(d.members) + len(v.needs) + len(c.fields)/16
	base := len(d.seen)
	d.seen = append(d.seen, c.unseen...)
	defer func() { d.seen = d.seen[:base] }()
	seen, unfit := d.seen[base:], 0
	for _, m := range d.members {
		i, known := c.byKey[string(m.key)]
		switch {
		case known:
			if seen[i] == bad { // of duplicates the last counts
				unfit--
			}
			if seen[i] = good; !v.mayTake(d, i, m.value) {
				seen[i] = bad
				unfit++
			}
		case c.extra == nil:
			f.dropped++
		case v.takesExtra.has(kindOf(d.data[m.value])):
			f.extra++
		default: // Extra would not hold it
			return fit{}, false
		}
	}
	missing := slices.ContainsFunc(v.needs, func(i int) bool { return seen[i] == absent })
	return f, unfit == 0 && !missing
}

// hasMember reports whether the collected members have key.
func (d *decoder) hasMember(key string) bool {
	return slices.ContainsFunc(d.members, func(m member) bool { return string(m.key) == key })
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

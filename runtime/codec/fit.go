package codec

import (
	"cmp"
	"reflect"
)

// A fit is how well a value fits the types that it was decoded into, at every
// level. Decoding itself is lenient: it counts here what it let pass, and unions
// choose by that.
type fit struct {
	misfits int // nulls where the type has none, absent required keys, values not listed
	raws    int // unions of which no variant fits, held as raw JSON
	dropped int // keys that nothing holds
	extra   int // keys that no field names: in Extra, or in a map
}

// compare is negative when f is the better fit.
func (f fit) compare(g fit) int {
	return cmp.Or(
		cmp.Compare(f.misfits, g.misfits), cmp.Compare(f.raws, g.raws),
		cmp.Compare(f.dropped, g.dropped), cmp.Compare(f.extra, g.extra),
	)
}

func (f fit) plus(g fit) fit {
	return fit{f.misfits + g.misfits, f.raws + g.raws, f.dropped + g.dropped, f.extra + g.extra}
}

func (f fit) minus(g fit) fit {
	return fit{f.misfits - g.misfits, f.raws - g.raws, f.dropped - g.dropped, f.extra - g.extra}
}

// States of a field in decoder.seen.
const (
	absent uint8 = iota
	good
	bad // its last value does not fit
)

// open makes room in seen for the fields of an object that is judged, and
// returns where it is.
func (d *decoder) open(c *objectCoder) int {
	base := len(d.seen)
	if d.judging > 0 {
		d.seen = append(d.seen, c.unseen...)
	}
	return base
}

// saw notes whether the value of a field of a judged object fits: of duplicate
// keys the last counts.
func (d *decoder) saw(at int, fits bool) {
	if fits {
		d.seen[at] = good
	} else {
		d.seen[at] = bad
	}
}

// close counts the fields of a judged object that do not fit or are missing.
func (d *decoder) close(c *objectCoder, base int) {
	for i, state := range d.seen[base : base+len(c.fields)] {
		if state == bad || state == absent && c.fields[i].required() {
			d.fit.misfits++
		}
	}
	d.seen = d.seen[:base]
}

// A mark is a state of the decoder to go back to.
type mark struct {
	pos, depth, seen, replayed, outcomes int

	made uintptr
	fit  fit
}

func (d *decoder) mark() mark {
	return mark{d.pos, d.depth, len(d.seen), d.replayed, len(d.outcomes), d.made, d.fit}
}

// goBack returns to where something was decoded in vain. What was replayed
// meanwhile cost no work. What was made is garbage, unless outcomes hold it.
func (d *decoder) goBack(m mark) {
	if d.pos > m.pos {
		d.wasted += tryCost + d.pos - m.pos - (d.replayed - m.replayed) + int((d.made-m.made)/madePerByte)
	}
	if len(d.outcomes) > m.outcomes {
		d.kept += d.made - m.made
	}
	d.pos, d.depth, d.seen, d.replayed, d.made, d.fit = m.pos, m.depth, d.seen[:m.seen], m.replayed, m.made, m.fit
}

// What is done in vain counts in bytes of text: patience is free whatever the text's
// length, and tryCost is what each attempt costs besides what it reads.
const (
	patience = 4 << 20
	tryCost  = 32
)

// exhausted reports whether so much was done in vain that no choice is made from
// here on: what several variants may hold is left raw, or without a raw variant
// goes to the first that decodes. Without that, hostile texts could multiply the
// work with every level and every variant.
func (d *decoder) exhausted() bool {
	return d.wasted+d.tested > patience+16*len(d.data) || d.kept > d.room()/4
}

// spent reports whether not even the only variant for a value is tried, when that
// can be left raw.
func (d *decoder) spent() bool { return d.wasted+d.tested > 2*(patience+16*len(d.data)) }

// A place is where a union stands in the text.
type place struct {
	union *unionCoder
	pos   int
}

// An outcome is what decoding a union at a place has come to. It is kept while a
// union around it may have to try other variants, which hold the same there: the
// value that is taken in the end holds each outcome once.
type outcome struct {
	value     reflect.Value // a variant
	err       error
	end       int
	fit       fit
	preferred bool // the variant is one to take whenever the value fits it
}

// outcomeSize is about what an outcome takes besides its value.
const outcomeSize = 256

// replay repeats what was decoded from the current position before.
func (d *decoder) replay(o outcome, v reflect.Value) error {
	if o.err != nil {
		return o.err
	}
	d.replayed += o.end - d.pos
	d.pos = o.end
	d.fit = d.fit.plus(o.fit)
	v.Field(0).Set(o.value)
	return nil
}

// remember keeps the outcome of a union that was decoded from m on, when that
// may be needed again: nothing is before a first variant was tried in vain.
func (d *decoder) remember(u *unionCoder, m mark, v reflect.Value, err error) {
	if d.judging == 0 || d.wasted == 0 || d.exhausted() {
		return
	}
	d.kept += outcomeSize
	if d.outcomes == nil {
		d.outcomes = map[place]outcome{}
	}
	d.outcomes[place{u, m.pos}] = outcome{value: v.Field(0).Elem(), err: err, end: d.pos, fit: d.fit.minus(m.fit)}
}

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
	pos, depth, seen, replayed int
	fit                        fit
}

func (d *decoder) mark() mark { return mark{d.pos, d.depth, len(d.seen), d.replayed, d.fit} }

// goBack returns to where something was decoded in vain. What was replayed
// meanwhile cost no work.
func (d *decoder) goBack(m mark) {
	d.wasted += d.pos - m.pos - (d.replayed - m.replayed)
	d.pos, d.depth, d.seen, d.replayed, d.fit = m.pos, m.depth, d.seen[:m.seen], m.replayed, m.fit
}

// patience is how many bytes may be decoded in vain whatever the text's length.
const patience = 64 << 10

// exhausted reports whether so much was decoded in vain that only first choices
// are tried from here on, and taken if they decode. Without that, hostile texts
// of variants in variants could multiply the work with every level.
func (d *decoder) exhausted() bool { return d.wasted > patience+16*len(d.data) }

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
	if d.judging == 0 || d.wasted == 0 {
		return
	}
	if d.outcomes == nil {
		d.outcomes = map[place]outcome{}
	}
	d.outcomes[place{u, m.pos}] = outcome{value: v.Field(0).Elem(), err: err, end: d.pos, fit: d.fit.minus(m.fit)}
}

package codec

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Variants lists the types that a union may hold, as typed nil pointers:
//
//	codec.Variants{(*ShapeCircle)(nil), (*ShapeSquare)(nil), (*ShapeRaw)(nil)}
//
// A union is a struct with the one field Value, of an interface type that every
// variant implements, and a method Variants that returns this list. The order
// decides between variants that fit a value equally well. A variant over
// json.RawMessage takes what fits no other, null too. When that comes first, the
// union allows anything: no discriminator is final.
type Variants []any

var (
	errNoValue   = errors.New("a union without a Value")
	errNoVariant = errors.New("fits no variant of the union")
)

// unionCoder is for unions. How a variant is chosen: see choose.go.
type unionCoder struct {
	typ      reflect.Type
	variants []*variant // all but raw
	raw      *variant   // nil: what fits no variant is an error
	open     bool       // raw comes first
	byType   map[reflect.Type]*plan

	byKind [numKinds][]*variant // those that may hold a value of a kind
	tells  []discriminator
}

// A variant is one type that a union may hold.
type variant struct {
	plan   *plan
	object *objectCoder // nil when it is no struct that is an object

	takes      []kindSet // the kinds that each field of object may hold
	takesExtra kindSet   // the same for its Extra
	needs      []int     // the required fields of object
}

func (b *builder) union(p *plan, types Variants) error {
	if p.typ.NumField() != 1 || p.typ.Field(0).Name != "Value" || p.typ.Field(0).Type.Kind() != reflect.Interface {
		return fmt.Errorf("%s: a union has the one field Value, of an interface type", p.typ)
	}
	if len(types) == 0 {
		return fmt.Errorf("%s: Variants returns none", p.typ)
	}
	u := &unionCoder{typ: p.typ, byType: map[reflect.Type]*plan{}}
	b.unions = append(b.unions, u)
	iface := p.typ.Field(0).Type
	for i, nilPointer := range types {
		pointer := reflect.TypeOf(nilPointer)
		if pointer == nil || pointer.Kind() != reflect.Pointer || !pointer.Elem().Implements(iface) {
			return fmt.Errorf("%s: variant %v is no pointer to a type that implements %s", p.typ, pointer, iface)
		}
		v, err := b.plan(pointer.Elem())
		if err != nil {
			return fmt.Errorf("%s: %w", p.typ, err)
		}
		u.byType[v.typ] = v
		if isRaw(v) {
			u.raw, u.open = &variant{plan: v}, i == 0
			continue
		}
		u.variants = append(u.variants, &variant{plan: v})
	}
	return p.set(u, u.raw != nil)
}

// isRaw reports whether a variant holds raw JSON.
func isRaw(p *plan) bool {
	if c, ok := p.coder.(convertedCoder); ok {
		p = c.target
	}
	switch p.coder.(type) {
	case rawCoder:
		return true
	case foreignCoder: // its methods are those of json.RawMessage, called by hand
		return isBytes(p.typ)
	default:
		return false
	}
}

// unionValue returns the value that a union holds, without the pointer that a
// caller may have put around it. ok is false when there is none.
func unionValue(v reflect.Value) (value reflect.Value, ok bool) {
	value = v.Field(0)
	if value.IsNil() {
		return value, false
	}
	value = value.Elem()
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return value, false
		}
		value = value.Elem()
	}
	return value, true
}

func (u *unionCoder) encode(e *encoder, v reflect.Value) error {
	value, ok := unionValue(v)
	if !ok {
		return u.noValue()
	}
	p, ok := u.byType[value.Type()]
	if !ok {
		return fmt.Errorf("%s: %s is none of its variants", u.typ, value.Type())
	}
	return p.encode(e, value)
}

func (u *unionCoder) decode(d *decoder, v reflect.Value) error {
	k := kindOf(d.peek())
	switch all := u.byKind[k]; len(all) {
	case 0:
		return u.decodeRaw(d, v, nil)
	case 1:
		return u.decodeOnly(d, v, all[0])
	}
	if len(d.outcomes) > 0 {
		if o, ok := d.outcomes[place{u, d.pos}]; ok {
			return d.replay(o, v)
		}
	}
	m := d.mark()
	err := u.choose(d, v, k)
	d.remember(u, m, v, err)
	return err
}

// decodeOnly decodes a value of a kind that only c may hold.
func (u *unionCoder) decodeOnly(d *decoder, v reflect.Value, c *variant) error {
	if u.raw == nil {
		return d.take(c, v)
	}
	if d.spent() {
		return u.decodeRaw(d, v, nil)
	}
	m := d.mark()
	value, err := d.judge(c)
	if err == nil && d.fit.misfits == m.fit.misfits {
		v.Field(0).Set(value)
		return nil
	}
	d.goBack(m)
	return u.decodeRaw(d, v, err)
}

// decodeRaw decodes a value that fits no variant. failed is why, if it is known.
func (u *unionCoder) decodeRaw(d *decoder, v reflect.Value, failed error) error {
	switch {
	case u.raw != nil:
		d.fit.raws++
		return d.take(u.raw, v)
	case failed != nil:
		return failed
	default:
		return fmt.Errorf("%s: %w", u.typ, errNoVariant)
	}
}

// choose decodes a value of a kind that several variants may hold.
func (u *unionCoder) choose(d *decoder, v reflect.Value, k kind) error {
	var preferred *variant
	if k == kindObject {
		told, final := u.look(d, true)
		if told != nil && !final && !d.spent() {
			m := d.mark()
			if value, err := d.judge(told); err == nil && d.fit.misfits == m.fit.misfits {
				v.Field(0).Set(value)
				return nil
			}
			d.goBack(m)
		}
		if told != nil && !final {
			told, final = u.look(d, false) // of duplicate keys the last may tell another
		}
		if final {
			return u.decodeTold(d, v, told)
		}
		preferred = told
	}
	return u.decodeBest(d, v, k, preferred)
}

// decodeTold decodes the variant that a discriminator told in a hasty look. That
// is final, but for duplicate keys: the last wins, and may tell another variant.
func (u *unionCoder) decodeTold(d *decoder, v reflect.Value, told *variant) error {
	m := d.mark()
	err := d.take(told, v)
	if err == nil || d.exhausted() {
		return err
	}
	d.goBack(m)
	last, final := u.look(d, false)
	switch {
	case last == told:
		return err
	case last != nil && final:
		return d.take(last, v)
	default:
		return u.decodeBest(d, v, kindObject, last)
	}
}

// decodeBest decodes the candidate that the value fits best, else raw.
func (u *unionCoder) decodeBest(d *decoder, v reflect.Value, k kind, preferred *variant) error {
	if u.raw != nil && d.exhausted() {
		return u.decodeRaw(d, v, nil)
	}
	candidates := u.candidates(d, k)
	defer func() { d.candidates = d.candidates[:len(d.candidates)-len(candidates)] }()
	m := d.mark()
	var best outcome
	var failed error
	again := false // best was gone back from
	for i := range candidates {
		bestFirst(candidates[i:], preferred)
		c := candidates[i]
		if best.stands(c) {
			break
		}
		if i > 0 && d.exhausted() { // there may be a better one
			if u.raw != nil {
				best = outcome{}
			}
			break
		}
		again = best.value.IsValid()
		d.goBack(m)
		value, err := d.judge(c.variant)
		o := outcome{value: value, end: d.pos, fit: d.fit.minus(m.fit)}
		switch {
		case err != nil:
			failed = cmp.Or(failed, err)
		case !best.value.IsValid() || o.fit.compare(best.fit) < 0:
			best, again = o, false
			best.preferred = c.variant == preferred
		}
	}
	if !best.value.IsValid() || best.fit.misfits > 0 && u.raw != nil {
		d.goBack(m)
		if len(candidates) != 1 { // one says more than that nothing fits
			failed = nil
		}
		return u.decodeRaw(d, v, failed)
	}
	if again {
		d.goBack(m)
		return d.replay(best, v)
	}
	v.Field(0).Set(best.value)
	return nil
}

// stands reports whether no candidate from c on can be better than o.
func (o outcome) stands(c candidate) bool {
	return o.value.IsValid() && (o.preferred && o.fit.misfits == 0 || o.fit.compare(c.fit) <= 0)
}

// try decodes the next value as c.
func (d *decoder) try(c *variant) (reflect.Value, error) {
	if err := d.hold(c.plan.typ.Size()); err != nil {
		return reflect.Value{}, err
	}
	value := reflect.New(c.plan.typ).Elem()
	return value, c.plan.decode(d, value)
}

// take decodes the next value as c into the union v.
func (d *decoder) take(c *variant, v reflect.Value) error {
	value, err := d.try(c)
	if err == nil {
		v.Field(0).Set(value)
	}
	return err
}

// judge is try, with what the variant lets pass counted in fit.
func (d *decoder) judge(c *variant) (reflect.Value, error) {
	d.judging++
	value, err := d.try(c)
	d.judging--
	return value, err
}

// noValue is the error of a union that holds nothing, with some of what it may hold.
func (u *unionCoder) noValue() error {
	const enough = 5
	var names []string
	for _, v := range u.variants {
		names = append(names, v.plan.typ.String())
	}
	if u.raw != nil {
		names = append(names, u.raw.plan.typ.String())
	}
	if len(names) > enough {
		names = append(names[:enough], "others")
	}
	return fmt.Errorf("%s: %w: set it to a value of %s", u.typ, errNoValue, strings.Join(names, ", "))
}

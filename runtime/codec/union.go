package codec

import (
	"errors"
	"fmt"
	"reflect"
)

// Variants lists the types that a union may hold, as typed nil pointers:
//
//	codec.Variants{(*ShapeCircle)(nil), (*ShapeSquare)(nil), (*ShapeRaw)(nil)}
//
// A union is a struct with the one field Value, of an interface type that every
// variant implements, and a method Variants that returns this list. The order
// decides between variants that fit a value equally well. A variant over
// json.RawMessage takes what no other takes, null too.
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
	for _, nilPointer := range types {
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
			u.raw = &variant{plan: v}
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
		return fmt.Errorf("%s: %w", u.typ, errNoValue)
	}
	p, ok := u.byType[value.Type()]
	if !ok {
		return fmt.Errorf("%s: %s is none of its variants", u.typ, value.Type())
	}
	return p.encode(e, value)
}

func (u *unionCoder) decode(d *decoder, v reflect.Value) error {
	first := d.peek()
	if kindOf(first) == kindObject && len(u.tells) > 0 {
		if told := u.look(d, true); told != nil {
			return u.decodeTold(d, v, told)
		}
	}
	return u.decodeFirst(d, v, u.candidates(d, kindOf(first)))
}

// decodeTold decodes the variant that a discriminator told in a hasty look. That
// is final, but for duplicate keys: the last wins, and may tell another variant.
func (u *unionCoder) decodeTold(d *decoder, v reflect.Value, told *variant) error {
	start, depth := d.pos, d.depth
	err := d.try(told, v)
	if err == nil || d.exhausted() {
		return err
	}
	d.goBack(start, depth)
	last := u.look(d, false)
	switch last {
	case told:
		return err
	case nil:
		return u.decodeFirst(d, v, u.candidates(d, kindObject))
	default:
		return d.try(last, v)
	}
}

// decodeFirst decodes the first candidate that takes the value, else raw.
func (u *unionCoder) decodeFirst(d *decoder, v reflect.Value, candidates []*variant) error {
	start, depth := d.pos, d.depth
	var failed error
	for i, c := range candidates {
		if i > 0 && d.exhausted() {
			break
		}
		err := d.try(c, v)
		if err == nil {
			return nil
		}
		if failed == nil {
			failed = err
		}
		d.goBack(start, depth)
	}
	switch {
	case u.raw != nil:
		return d.try(u.raw, v)
	case len(candidates) == 1:
		return failed // says more than that nothing fits
	default:
		return fmt.Errorf("%s: %w", u.typ, errNoVariant)
	}
}

// try decodes the next value as c into the union v.
func (d *decoder) try(c *variant, v reflect.Value) error {
	value := reflect.New(c.plan.typ).Elem()
	if err := c.plan.decode(d, value); err != nil {
		return err
	}
	v.Field(0).Set(value)
	return nil
}

// goBack returns to where a variant was tried in vain.
func (d *decoder) goBack(pos, depth int) {
	d.wasted += d.pos - pos
	d.pos, d.depth = pos, depth
}

// patience is how many bytes may be decoded in vain whatever the text's length.
const patience = 64 << 10

// exhausted reports whether so much was decoded in vain that only first choices
// are tried from here on. Without that, a text of variants in variants, each
// failing at its end, doubles the work with every level.
func (d *decoder) exhausted() bool { return d.wasted > patience+16*len(d.data) }

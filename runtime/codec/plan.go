package codec

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
)

// A plan is how values of one Go type are coded. Plans are immutable once built
// and live as long as the program.
type plan struct {
	typ   reflect.Type
	coder coder
	null  bool // the coder takes null itself; else null is the zero value
}

// A coder does the work of a plan.
type coder interface {
	// decode reads the next value into v, which is addressable and zero.
	decode(d *decoder, v reflect.Value) error
	// encode appends v, which may not be addressable.
	encode(e *encoder, v reflect.Value) error
}

// decode overwrites v, which is addressable, with the next value.
func (p *plan) decode(d *decoder, v reflect.Value) error {
	v.SetZero()
	if d.peek() == 'n' && !p.null {
		d.pos += len("null")
		if _, ok := p.coder.(*pointerCoder); !ok {
			d.fit.misfits++
		}
		return nil
	}
	return p.coder.decode(d, v)
}

func (p *plan) encode(e *encoder, v reflect.Value) error { return p.coder.encode(e, v) }

// plans caches what planFor returns: reflect.Type to *plan or error.
var plans sync.Map

func planFor(t reflect.Type) (*plan, error) {
	if cached, ok := plans.Load(t); ok {
		if p, ok := cached.(*plan); ok {
			return p, nil
		}
		return nil, cached.(error)
	}
	b := builder{plans: map[reflect.Type]*plan{}}
	p, err := b.plan(t)
	for i := 0; err == nil && i < len(b.unions); i++ {
		err = b.unions[i].index()
	}
	if err != nil {
		plans.Store(t, err)
		return nil, err
	}
	// Published only now: a plan must not be seen before all it refers to is whole.
	for t, p := range b.plans {
		plans.LoadOrStore(t, p)
	}
	return p, nil
}

// A builder builds the plan of a type and of the types in it.
type builder struct {
	plans  map[reflect.Type]*plan // with those still under way, for recursive types
	unions []*unionCoder          // to be indexed when all plans are whole
}

var (
	rawType    = reflect.TypeFor[json.RawMessage]()
	numberType = reflect.TypeFor[json.Number]()
)

func (b *builder) plan(t reflect.Type) (*plan, error) {
	if p, ok := b.plans[t]; ok {
		return p, nil
	}
	if cached, ok := plans.Load(t); ok {
		if p, ok := cached.(*plan); ok {
			return p, nil
		}
	}
	p := &plan{typ: t}
	b.plans[t] = p
	if err := b.build(p); err != nil {
		return nil, err
	}
	return p, nil
}

// set chooses the coder of a plan. takesNull is plan.null.
func (p *plan) set(c coder, takesNull bool) error {
	p.coder, p.null = c, takesNull
	return nil
}

func (b *builder) build(p *plan) error {
	switch t := p.typ; {
	case t == rawType:
		return p.set(rawCoder{}, true)
	case t == numberType:
		return p.set(numberCoder{}, false)
	case isNullable(t):
		return b.nullable(p)
	}
	switch m, delegate := methodsOf(p.typ); m {
	case methodsForeign:
		return p.set(foreignCoder{p.typ}, true)
	case methodsText:
		return p.set(stdCoder{p.typ}, true)
	case methodsDelegate:
		return b.converted(p, delegate)
	case methodsGenerated:
		if isBytes(p.typ) {
			return p.set(rawCoder{}, true)
		}
	}
	return b.structural(p)
}

// structural chooses by what the type is made of, whatever methods it has.
func (b *builder) structural(p *plan) error {
	switch t := p.typ; t.Kind() {
	case reflect.Bool:
		return p.set(boolCoder{}, false)
	case reflect.String:
		return p.set(stringCoder{}, false)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return p.set(intCoder{}, false)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return p.set(uintCoder{}, false)
	case reflect.Float32, reflect.Float64:
		return p.set(floatCoder{}, false)
	case reflect.Pointer:
		return b.pointer(p)
	case reflect.Slice:
		if isBytes(t) {
			return p.set(stdCoder{t}, true)
		}
		return b.list(p)
	case reflect.Array:
		return p.set(stdCoder{t}, true)
	case reflect.Map:
		return b.mapping(p)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return p.set(anyCoder{}, true)
		}
		return p.set(interfaceCoder{t}, true)
	case reflect.Struct:
		return b.structure(p)
	default:
		return fmt.Errorf("%s: a %s has no JSON form", t, t.Kind())
	}
}

func (b *builder) structure(p *plan) error {
	if u, ok := reflect.TypeAssert[interface{ Variants() Variants }](reflect.Zero(p.typ)); ok {
		return b.union(p, u.Variants())
	}
	s, err := parseStruct(p.typ)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", p.typ, err)
	case s.std:
		return p.set(stdCoder{p.typ}, true)
	}
	for _, f := range s.fields {
		if f.constant {
			continue
		}
		if f.plan, err = b.plan(f.typ); err != nil {
			return fmt.Errorf("%s: field %s: %w", p.typ, f.name, err)
		}
		f.any = f.typ.Kind() == reflect.Interface && f.typ.NumMethod() == 0
	}
	if s.tuple {
		return b.tuple(p, s)
	}
	return b.object(p, s)
}

package codec

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// rawCoder is for json.RawMessage and generated types over it.
type rawCoder struct{}

func (rawCoder) decode(d *decoder, v reflect.Value) error {
	v.SetBytes(d.raw())
	return nil
}

func (rawCoder) encode(e *encoder, v reflect.Value) error { return e.raw(v.Bytes()) }

// anyCoder is for any: numbers are json.Number. A null is nil, but for struct
// fields, where objectCoder tells it from an absent key.
type anyCoder struct{}

func (anyCoder) decode(d *decoder, v reflect.Value) error {
	x, err := d.any()
	if err != nil {
		return err
	}
	if x == nil {
		v.SetZero()
		return nil
	}
	v.Set(reflect.ValueOf(x))
	return nil
}

func (anyCoder) encode(e *encoder, v reflect.Value) error {
	if v.IsNil() {
		e.null()
		return nil
	}
	return e.dynamic(v.Interface())
}

// dynamic appends a value that stands in an interface. Unlike everywhere else,
// a type that has no plan is left to encoding/json.
func (e *encoder) dynamic(v any) error {
	if v != nil {
		t := reflect.TypeOf(v)
		if _, err := planFor(t); err != nil {
			return stdCoder{t}.encode(e, reflect.ValueOf(v))
		}
	}
	return e.any(v)
}

func (d *decoder) any() (any, error) {
	switch c := d.peek(); kindOf(c) {
	case kindNull:
		d.pos += len("null")
		return nil, nil
	case kindBool:
		return len(d.value()) == len("true"), nil
	case kindNumber:
		return json.Number(d.value()), nil
	case kindString:
		return string(d.text()), nil
	case kindArray:
		return d.array()
	default:
		return d.object()
	}
}

func (d *decoder) array() (any, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	d.pos++
	list := []any{}
	for d.peek() != ']' {
		x, err := d.any()
		if err != nil {
			return nil, withinItem(len(list), err)
		}
		list = append(list, x)
	}
	d.pos++
	d.leave()
	return list, nil
}

func (d *decoder) object() (any, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	d.pos++
	m := map[string]any{}
	for d.peek() != '}' {
		key := string(d.text())
		x, err := d.any()
		if err != nil {
			return nil, within(key, err)
		}
		m[key] = x
	}
	d.pos++
	d.leave()
	return m, nil
}

func (e *encoder) array(list []any) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, '[')
	for i, x := range list {
		e.next()
		if err := e.dynamic(x); err != nil {
			return withinItem(i, err)
		}
	}
	e.buf = append(e.buf, ']')
	e.leave()
	return nil
}

func (e *encoder) object(m map[string]any) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, '{')
	for _, key := range slices.Sorted(maps.Keys(m)) {
		e.next()
		e.string(key)
		e.buf = append(e.buf, ':')
		if err := e.dynamic(m[key]); err != nil {
			return within(key, err)
		}
	}
	e.buf = append(e.buf, '}')
	e.leave()
	return nil
}

// interfaceCoder is for interfaces with methods outside unions: their values can
// be encoded, but there is no telling what to decode into.
type interfaceCoder struct{ typ reflect.Type }

func (c interfaceCoder) decode(*decoder, reflect.Value) error {
	return fmt.Errorf("cannot decode into the interface %s", c.typ)
}

func (interfaceCoder) encode(e *encoder, v reflect.Value) error { return anyCoder{}.encode(e, v) }

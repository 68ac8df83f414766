package codec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

func rawNull() json.RawMessage { return json.RawMessage("null") }

type boolCoder struct{}

func (boolCoder) decode(d *decoder, v reflect.Value) error {
	c := d.peek()
	if kindOf(c) != kindBool {
		return errWant("a boolean", c)
	}
	d.value()
	v.SetBool(c == 't')
	return nil
}

func (boolCoder) encode(e *encoder, v reflect.Value) error {
	e.bool(v.Bool())
	return nil
}

type stringCoder struct{}

func (stringCoder) decode(d *decoder, v reflect.Value) error {
	if c := d.peek(); c != '"' {
		return errWant("a string", c)
	}
	v.SetString(string(d.text()))
	return nil
}

func (stringCoder) encode(e *encoder, v reflect.Value) error {
	e.string(v.String())
	return nil
}

// pointerCoder is for *T: nil is null. Of *struct{} nothing but nil fits: it is
// the type of what must be null.
type pointerCoder struct {
	elem   *plan
	nested bool // *T where T is a pointer or interface: could be a cycle without any list or object
}

var emptyType = reflect.TypeFor[struct{}]()

func (b *builder) pointer(p *plan) error {
	elem, err := b.plan(p.typ.Elem())
	if err != nil {
		return err
	}
	k := elem.typ.Kind()
	return p.set(&pointerCoder{elem, k == reflect.Pointer || k == reflect.Interface}, false)
}

func (c *pointerCoder) decode(d *decoder, v reflect.Value) error {
	if c.elem.typ == emptyType {
		d.fit.misfits++
	}
	if err := d.hold(c.elem.typ.Size()); err != nil {
		return err
	}
	target := reflect.New(c.elem.typ)
	if err := c.elem.decode(d, target.Elem()); err != nil {
		return err
	}
	v.Set(target)
	return nil
}

func (c *pointerCoder) encode(e *encoder, v reflect.Value) error {
	if v.IsNil() {
		e.null()
		return nil
	}
	if c.nested {
		if err := e.enter(); err != nil {
			return err
		}
		defer e.leave()
	}
	return c.elem.encode(e, v.Elem())
}

// listCoder is for []T: never null, nil is [].
type listCoder struct {
	typ  reflect.Type
	elem *plan
}

func (b *builder) list(p *plan) error {
	c := &listCoder{typ: p.typ}
	if err := p.set(c, false); err != nil { // first, for lists of themselves
		return err
	}
	elem, err := b.plan(p.typ.Elem())
	c.elem = elem
	return err
}

func (c *listCoder) decode(d *decoder, v reflect.Value) error {
	if first := d.peek(); first != '[' {
		return errWant("an array", first)
	}
	if err := d.enter(); err != nil {
		return err
	}
	d.pos++
	if err := c.decodeItems(d, v, 0); err != nil {
		return err
	}
	d.pos++
	d.leave()
	return nil
}

// decodeItems reads items up to the closing bracket. before is the number of
// items of the array that were read already.
func (c *listCoder) decodeItems(d *decoder, v reflect.Value, before int) error {
	n := 0
	for ; d.peek() != ']'; n++ {
		if n == v.Cap() {
			v.Grow(1)
			if err := d.hold(uintptr(v.Cap()-n) * c.elem.typ.Size()); err != nil {
				return withinItem(before+n, err)
			}
		}
		v.SetLen(n + 1)
		if err := c.elem.decode(d, v.Index(n)); err != nil {
			return withinItem(before+n, err)
		}
	}
	if n == 0 {
		v.Set(reflect.MakeSlice(c.typ, 0, 0))
	}
	return nil
}

func (c *listCoder) encode(e *encoder, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, '[')
	if err := c.encodeItems(e, v, 0); err != nil {
		return err
	}
	e.buf = append(e.buf, ']')
	e.leave()
	return nil
}

func (c *listCoder) encodeItems(e *encoder, v reflect.Value, before int) error {
	for i := range v.Len() {
		e.next()
		if err := c.elem.encode(e, v.Index(i)); err != nil {
			return withinItem(before+i, err)
		}
	}
	return nil
}

// mapCoder is for maps with string keys: never null, nil is {}.
type mapCoder struct {
	typ  reflect.Type
	elem *plan
}

func (b *builder) mapping(p *plan) error {
	key := p.typ.Key()
	if key.Kind() != reflect.String || hasText(key) {
		return fmt.Errorf("%s: the keys of a map must be strings", p.typ)
	}
	c := &mapCoder{typ: p.typ}
	if err := p.set(c, false); err != nil { // first, for maps of themselves
		return err
	}
	elem, err := b.plan(p.typ.Elem())
	c.elem = elem
	return err
}

func (c *mapCoder) decode(d *decoder, v reflect.Value) error {
	if first := d.peek(); first != '{' {
		return errWant("an object", first)
	}
	if err := d.enter(); err != nil {
		return err
	}
	d.pos++
	m := reflect.MakeMap(c.typ)
	for d.peek() != '}' {
		if err := c.put(d, m, string(d.text())); err != nil {
			return err
		}
	}
	d.pos++
	d.leave()
	v.Set(m)
	return nil
}

// entrySize is about what a map has for each entry besides its value.
const entrySize = 64

// put decodes the next value into m under key.
func (c *mapCoder) put(d *decoder, m reflect.Value, key string) error {
	if err := d.hold(entrySize + c.elem.typ.Size()); err != nil {
		return within(key, err)
	}
	elem := reflect.New(c.elem.typ).Elem()
	start, depth := d.pos, d.depth
	if err := c.elem.decode(d, elem); err != nil {
		if d.overridden(start, depth, key) {
			return nil
		}
		return within(key, err)
	}
	d.fit.extra++
	k := reflect.ValueOf(key)
	if kt := c.typ.Key(); kt != k.Type() {
		k = k.Convert(kt)
	}
	m.SetMapIndex(k, elem)
	return nil
}

func (c *mapCoder) encode(e *encoder, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, '{')
	for _, key := range sortedKeys(v) {
		if err := c.encodeEntry(e, v, key); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, '}')
	e.leave()
	return nil
}

func (c *mapCoder) encodeEntry(e *encoder, m, key reflect.Value) error {
	e.next()
	e.string(key.String())
	e.buf = append(e.buf, ':')
	if err := c.elem.encode(e, m.MapIndex(key)); err != nil {
		return within(key.String(), err)
	}
	return nil
}

func sortedKeys(m reflect.Value) []reflect.Value {
	if m.Len() == 0 {
		return nil
	}
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	return keys
}

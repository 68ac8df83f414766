package codec

import (
	"errors"
	"reflect"
)

var errTooMany = errors.New("more items than the tuple has")

// tupleCoder is for structs that are JSON arrays. Items that the array lacks are
// zero. Items past the last field are an error: unlike an unknown key, an
// unknown item cannot be dropped without changing what the array says.
type tupleCoder struct {
	items []*field
	rest  *field // nil: no more items
	list  *listCoder
}

func (b *builder) tuple(p *plan, s structInfo) error {
	c := &tupleCoder{items: s.fields}
	if n := len(s.fields); n > 0 && s.fields[n-1].role == roleRest {
		c.items, c.rest = s.fields[:n-1], s.fields[n-1]
		list, ok := c.rest.plan.coder.(*listCoder)
		if !ok {
			return errors.New("codec:\"rest\" needs a slice without methods")
		}
		c.list = list
	}
	return p.set(c, false)
}

func (c *tupleCoder) decode(d *decoder, v reflect.Value) error {
	if first := d.peek(); first != '[' {
		return errWant("an array", first)
	}
	if err := d.enter(); err != nil {
		return err
	}
	d.pos++
	n := 0
	for ; d.peek() != ']' && n < len(c.items); n++ {
		f := c.items[n]
		if err := f.decode(d, v.Field(f.index)); err != nil {
			return withinItem(n, err)
		}
	}
	for _, f := range c.items[n:] {
		if f.required() {
			d.fit.misfits++
		}
	}
	if d.peek() != ']' {
		if c.rest == nil {
			return withinItem(n, errTooMany)
		}
		if err := c.list.decodeItems(d, v.Field(c.rest.index), n); err != nil {
			return err
		}
	}
	d.pos++
	d.leave()
	return nil
}

func (c *tupleCoder) encode(e *encoder, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, '[')
	for i, f := range c.items[:c.sent(v)] {
		e.next()
		if err := f.plan.encode(e, v.Field(f.index)); err != nil {
			return withinItem(i, err)
		}
	}
	if c.rest != nil {
		if err := c.list.encodeItems(e, v.Field(c.rest.index), len(c.items)); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, ']')
	e.leave()
	return nil
}

// sent returns how many items are sent: all before the last that is not absent.
func (c *tupleCoder) sent(v reflect.Value) int {
	n := len(c.items)
	if c.rest != nil && v.Field(c.rest.index).Len() > 0 {
		return n
	}
	for n > 0 && c.items[n-1].omitted(v.Field(c.items[n-1].index)) {
		n--
	}
	return n
}

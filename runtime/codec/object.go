package codec

import (
	"errors"
	"reflect"
	"slices"
)

var (
	errConst = errors.New("not the constant that the schema demands")
	errExtra = errors.New("a key in Extra that another field has")
)

// objectCoder is for structs that are JSON objects.
type objectCoder struct {
	head    []byte   // the opening brace and the constants, as they are sent
	fields  []*field // members, constants too, in order
	byKey   map[string]int
	extra   *field // nil: keys that no field names are dropped
	entries *mapCoder
	unseen  []uint8 // the state of the fields when an object begins: see decoder.seen
}

func (b *builder) object(p *plan, s structInfo) error {
	c := &objectCoder{head: []byte{'{'}, byKey: map[string]int{}}
	for _, f := range s.fields {
		if f.role == roleExtra {
			entries, ok := f.plan.coder.(*mapCoder)
			if !ok {
				return errors.New("codec:\"extra\" needs a map without methods")
			}
			c.extra, c.entries = f, entries
			continue
		}
		if f.constant {
			if len(c.head) > 1 {
				c.head = append(c.head, ',')
			}
			c.head = append(append(c.head, f.label...), f.allowed.texts[0]...)
		}
		c.byKey[f.key] = len(c.fields)
		c.fields = append(c.fields, f)
	}
	c.unseen = make([]uint8, len(c.fields))
	return p.set(c, false)
}

// find returns the index of the field that key names, or -1. next is the index
// to try first: servers send keys in order mostly.
func (c *objectCoder) find(key []byte, next int) int {
	if next < len(c.fields) && c.fields[next].key == string(key) {
		return next
	}
	if i, ok := c.byKey[string(key)]; ok {
		return i
	}
	return -1
}

func (c *objectCoder) decode(d *decoder, v reflect.Value) error {
	if first := d.peek(); first != '{' {
		return errWant("an object", first)
	}
	if err := d.enter(); err != nil {
		return err
	}
	d.pos++
	seen := d.open(c)
	var wrong []*field // constants whose last value is another
	var extra reflect.Value
	next := 0
	for d.peek() != '}' {
		key := d.text()
		i := c.find(key, next)
		if i < 0 {
			if c.extra == nil {
				d.value()
				d.fit.dropped++
				continue
			}
			if !extra.IsValid() {
				extra = reflect.MakeMap(c.extra.typ)
			}
			if err := c.entries.put(d, extra, string(key)); err != nil {
				return err
			}
			continue
		}
		next = i + 1
		f := c.fields[i]
		if f.constant {
			wrong = slices.DeleteFunc(wrong, func(o *field) bool { return o == f })
			raw := d.value()
			allowed := f.allows(raw)
			if raw[0] != 'n' && !allowed {
				wrong = append(wrong, f)
			}
			if d.judging > 0 {
				d.saw(seen+i, allowed)
			}
			continue
		}
		d.peek()
		start, depth, misfits := d.pos, d.depth, d.fit.misfits
		if err := f.decode(d, v.Field(f.index)); err != nil && !d.overridden(start, depth, f.key) {
			return within(f.key, err)
		}
		if d.judging > 0 {
			d.saw(seen+i, d.fit.misfits == misfits && (f.allowed == nil || f.allows(d.data[start:d.pos])))
			d.fit.misfits = misfits
		}
	}
	d.pos++
	d.leave()
	if d.judging > 0 {
		d.close(c, seen)
	}
	if len(wrong) > 0 {
		return within(wrong[0].key, errConst)
	}
	if extra.IsValid() {
		v.Field(c.extra.index).Set(extra)
	}
	return nil
}

// overridden reports whether the member of key whose value starts at start, and
// could not be decoded, has a later one with the same key in its object: of
// duplicate keys the last wins, whatever the others are. If so, d stands after
// the value.
func (d *decoder) overridden(start, depth int, key string) bool {
	if d.exhausted() {
		return false
	}
	failed := d.pos
	d.pos, d.depth = start, depth
	d.value()
	after := d.pos
	found := false
	for !found && d.peek() != '}' {
		found = string(d.text()) == key
		d.value()
	}
	d.wasted += d.pos - start
	d.pos = failed
	if found {
		d.pos = after
	}
	return found
}

// decode reads the next value into v, the field. A null in a field of type any
// is kept as raw JSON: nil stands for absent.
func (f *field) decode(d *decoder, v reflect.Value) error {
	if d.peek() == 'n' {
		if f.any {
			v.Set(reflect.ValueOf(rawNull()))
			d.pos += len("null")
			return nil
		}
		if f.vanishes() {
			d.fit.misfits++
		}
	}
	return f.plan.decode(d, v)
}

func (c *objectCoder) encode(e *encoder, v reflect.Value) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.buf = append(e.buf, c.head...)
	for _, f := range c.fields {
		if f.constant {
			continue
		}
		value := v.Field(f.index)
		if f.omitted(value) {
			continue
		}
		e.next()
		e.buf = append(e.buf, f.label...)
		if err := f.plan.encode(e, value); err != nil {
			return within(f.key, err)
		}
	}
	if c.extra != nil {
		if err := c.encodeExtra(e, v.Field(c.extra.index)); err != nil {
			return err
		}
	}
	e.buf = append(e.buf, '}')
	e.leave()
	return nil
}

func (c *objectCoder) encodeExtra(e *encoder, m reflect.Value) error {
	for _, key := range sortedKeys(m) {
		if _, ok := c.byKey[key.String()]; ok {
			return within(key.String(), errExtra)
		}
		if err := c.entries.encodeEntry(e, m, key); err != nil {
			return err
		}
	}
	return nil
}

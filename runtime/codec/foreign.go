package codec

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
)

// methods tells what the JSON methods of a type are.
type methods uint8

const (
	methodsNone      methods = iota
	methodsGenerated         // they hand the value to this package: walked by plan
	methodsDelegate          // they hand a conversion of the value to this package
	methodsForeign           // they are the type's own: called
	methodsText              // text methods only: left to encoding/json
)

// probe is what methodsOf passes to UnmarshalJSON to learn where it leads.
// Unmarshal knows it by its address. It is a null, which by convention changes
// nothing.
var probe = []byte("null")

func isProbe(data []byte) bool { return len(data) == len(probe) && &data[0] == &probe[0] }

// probed is Unmarshal's answer to the probe: the type of the pointer that came with it.
type probed struct{ pointer reflect.Type }

func (*probed) Error() string { return "codec: a probe was decoded" }

// methodsOf finds out what the JSON methods of t are. delegate is the type that
// t is converted to.
func methodsOf(t reflect.Type) (m methods, delegate reflect.Type) {
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
		return methodsNone, nil
	case implements[json.Unmarshaler](pointer):
		target := delegateOf(t)
		switch {
		case target == nil:
			return methodsForeign, nil
		case target == t:
			return methodsGenerated, nil
		case pointer.ConvertibleTo(reflect.PointerTo(target)):
			return methodsDelegate, target
		default: // promoted from an embedded field
			return methodsForeign, nil
		}
	case implements[json.Marshaler](pointer):
		return methodsForeign, nil
	case hasText(t):
		return methodsText, nil
	default:
		return methodsNone, nil
	}
}

// delegateOf returns the type that t's UnmarshalJSON hands to this package, or nil.
func delegateOf(t reflect.Type) (target reflect.Type) {
	defer func() {
		if recover() != nil { // not ours, and not made for a null
			target = nil
		}
	}()
	err := reflect.New(t).Interface().(json.Unmarshaler).UnmarshalJSON(probe)
	if p, ok := errors.AsType[*probed](err); ok && p.pointer != nil && p.pointer.Kind() == reflect.Pointer {
		return p.pointer.Elem()
	}
	return nil
}

func hasText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return implements[encoding.TextMarshaler](p) || implements[encoding.TextUnmarshaler](p)
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// convertedCoder is for a defined type whose methods convert it to another.
type convertedCoder struct{ target *plan }

func (b *builder) converted(p *plan, target reflect.Type) error {
	t, err := b.plan(target)
	if err != nil {
		return err
	}
	return p.set(convertedCoder{t}, true)
}

func (c convertedCoder) decode(d *decoder, v reflect.Value) error {
	return c.target.decode(d, v.Addr().Convert(reflect.PointerTo(c.target.typ)).Elem())
}

func (c convertedCoder) encode(e *encoder, v reflect.Value) error {
	return c.target.encode(e, v.Convert(c.target.typ))
}

// foreignCoder calls the JSON methods of a type; a half that the type lacks is
// left to encoding/json.
type foreignCoder struct{ typ reflect.Type }

func (c foreignCoder) decode(d *decoder, v reflect.Value) error {
	c.judge(d)
	target := v.Addr().Interface()
	if u, ok := target.(json.Unmarshaler); ok {
		return c.wrap(u.UnmarshalJSON(d.raw())) // a copy: whether it keeps the bytes is its affair
	}
	return c.wrap(json.Unmarshal(d.value(), target))
}

// judge counts a null that the type most likely takes for its zero value.
func (c foreignCoder) judge(d *decoder) {
	if d.peek() == 'n' && !nilable(c.typ) {
		d.fit.misfits++
	}
}

func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		return true
	default:
		return false
	}
}

func (c foreignCoder) encode(e *encoder, v reflect.Value) error {
	m, ok := reflect.TypeAssert[json.Marshaler](addressable(v).Addr())
	if !ok {
		return stdCoder(c).encode(e, v)
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return c.wrap(err)
	}
	return e.raw(text)
}

func (c foreignCoder) wrap(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok { // a generated type inside: its words, its pointer
		return e
	}
	return &foreignError{c.typ, err}
}

// stdCoder leaves a type to encoding/json.
type stdCoder struct{ typ reflect.Type }

func (c stdCoder) decode(d *decoder, v reflect.Value) error {
	foreignCoder(c).judge(d)
	return foreignCoder(c).wrap(json.Unmarshal(d.value(), v.Addr().Interface()))
}

func (c stdCoder) encode(e *encoder, v reflect.Value) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return foreignCoder(c).wrap(err)
	}
	return e.raw(bytes.TrimRight(buf.Bytes(), "\n"))
}

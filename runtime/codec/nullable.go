package codec

import "reflect"

// Nullable is an optional field that may be null: absent, null or a value. The
// zero Nullable is absent.
type Nullable[T any] struct {
	value *T // a pointer, since a by-value generic does not compile on recursion
	null  bool
}

// Value returns a Nullable that holds v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: &v} }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{null: true} }

// Get returns the value, and whether there is one.
func (n Nullable[T]) Get() (T, bool) {
	if n.value == nil {
		var zero T
		return zero, false
	}
	return *n.value, true
}

// IsNull reports whether n is null, as opposed to absent or a value.
func (n Nullable[T]) IsNull() bool { return n.null && n.value == nil }

// IsZero reports whether n is absent.
func (n Nullable[T]) IsZero() bool { return n.value == nil && !n.null }

// MarshalJSON returns the value's JSON, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return Marshal(n) }

// UnmarshalJSON sets n to null or to the value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return Unmarshal(data, n) }

// state hands the fields to the codec: a **T and the flag.
func (n *Nullable[T]) state() (value any, null *bool) { return &n.value, &n.null }

type nullable interface{ state() (any, *bool) }

func isNullable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && implements[nullable](reflect.PointerTo(t))
}

// nullableCoder is for Nullable[T]. An absent one outside a field that may be
// absent is sent as null.
type nullableCoder struct{ pointer *plan }

func (b *builder) nullable(p *plan) error {
	value, _ := reflect.New(p.typ).Interface().(nullable).state()
	pointer, err := b.plan(reflect.TypeOf(value).Elem())
	if err != nil {
		return err
	}
	return p.set(nullableCoder{pointer}, true)
}

func (c nullableCoder) decode(d *decoder, v reflect.Value) error {
	value, null := v.Addr().Interface().(nullable).state()
	*null = d.peek() == 'n'
	return c.pointer.decode(d, reflect.ValueOf(value).Elem())
}

func (c nullableCoder) encode(e *encoder, v reflect.Value) error {
	value, _ := addressable(v).Addr().Interface().(nullable).state()
	return c.pointer.encode(e, reflect.ValueOf(value).Elem())
}

// addressable returns v, or a copy of it that is addressable.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

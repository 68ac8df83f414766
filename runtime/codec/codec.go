package codec

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds the nesting of lists and objects in decoded and encoded Go
// values. Raw JSON inside them may be nested as deeply as jsontext allows.
const maxDepth = 1000

// What decoding makes of a text is bounded in bytes too: {} can be a struct of
// kilobytes. madeFree is free, and madePerByte for each byte of the text is more
// than values take that say something.
const (
	madeFree    = 64 << 20
	madePerByte = 32
)

var (
	errTooDeep  = fmt.Errorf("nested more than %d levels deep", maxDepth)
	errTooLarge = fmt.Errorf("takes more than %d MiB and %d times its length as Go values: decode it as json.RawMessage, in parts",
		madeFree>>20, madePerByte)
)

// allow switches off what jsontext refuses by default and JSON does not: of
// duplicate keys the last wins, lone surrogates become U+FFFD.
var allow = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

var (
	encoders = sync.Pool{New: func() any { return new(encoder) }}
	decoders = sync.Pool{New: func() any { return new(decoder) }}
)

// maxPooled is the capacity in bytes above which a buffer is not kept for reuse.
const maxPooled = 1 << 20

// Marshal returns v as compact JSON. Characters are escaped only where JSON
// demands it. An error is an [*Error]. Marshal is safe for concurrent use.
//
// A MarshalJSON that calls Marshal on its own receiver needs an UnmarshalJSON
// that calls [Unmarshal] on it: without, Marshal would call MarshalJSON again.
func Marshal(v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.buf, e.depth = e.buf[:0], 0
	err := e.any(v)
	var out []byte
	if err == nil {
		out = bytes.Clone(e.buf)
	}
	if cap(e.buf) <= maxPooled {
		encoders.Put(e)
	}
	if err != nil {
		return nil, errorOf(err)
	}
	return out, nil
}

// Unmarshal decodes one JSON text into v, a non-nil pointer. What v points at is
// overwritten whole: a missing key, or null where the Go type has no null, is
// the zero value. v shares no memory with data. After an error, an [*Error], v
// points at a value that is not to be used. Unmarshal is safe for concurrent use.
func Unmarshal(data []byte, v any) error {
	if isProbe(data) {
		return &probed{reflect.TypeOf(v)}
	}
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return &Error{Err: fmt.Errorf("cannot decode into %T: a non-nil pointer is needed", v)}
	}
	p, err := planFor(target.Type().Elem())
	if err != nil {
		return errorOf(err)
	}
	// jsontext checks the whole text once. The decoder then walks text that is
	// known to be valid, which makes looking ahead and going back free.
	if !jsontext.Value(data).IsValid(allow...) {
		return syntaxError(data)
	}
	d := decoders.Get().(*decoder)
	d.data = data
	err = p.decode(d, target.Elem())
	if err == nil {
		err = d.hold(0) // a union may have gone on with another variant
	}
	if cap(d.scratch)+cap(d.seen) <= maxPooled {
		d.reset()
		decoders.Put(d)
	}
	if err != nil {
		return errorOf(err)
	}
	return nil
}

// syntaxError tells what is wrong with data, which is no valid JSON text.
func syntaxError(data []byte) *Error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), allow...)
	_, err := dec.ReadValue()
	if err == nil {
		return &Error{Err: fmt.Errorf("invalid JSON: more text after the value at offset %d", dec.InputOffset())}
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return &Error{
			Pointer: string(s.JSONPointer),
			Err:     fmt.Errorf("invalid JSON at offset %d: %w", s.ByteOffset, s.Err),
		}
	}
	return &Error{Err: fmt.Errorf("invalid JSON: %w", err)} // io.EOF: no text at all
}

package codec

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// An Error tells where in the JSON text, and why, a value could not be decoded
// or encoded. Its text never quotes a value of the text.
type Error struct {
	Pointer string // RFC 6901, from the root of the text; "" is the root
	Err     error
}

func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Err.Error()
	}
	// Quoted: the pointer holds keys that a server chose.
	return "at " + strconv.Quote(e.Pointer) + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// within returns err as an error of the member or item that token names.
func within(token string, err error) error {
	e := errorOf(err)
	return &Error{Pointer: "/" + pointerEscaper.Replace(token) + e.Pointer, Err: e.Err}
}

func withinItem(i int, err error) error { return within(strconv.Itoa(i), err) }

// errorOf returns err as an *Error. One inside err is taken out: the methods of
// another type called this package, and its pointer goes on.
func errorOf(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Err: err}
}

// A foreignError is a failure of a type's own JSON methods. Their text is kept
// out of ours, since it often quotes the value; it can be unwrapped.
type foreignError struct {
	typ reflect.Type
	err error
}

func (e *foreignError) Error() string { return e.typ.String() + " does not take the value" }
func (e *foreignError) Unwrap() error { return e.err }

func errWant(want string, got byte) error {
	return fmt.Errorf("%s where %s is expected", kindOf(got).article(), want)
}

package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// A literal is a JSON value of a const or enum tag.
type literal struct {
	json []byte // compact
	kind kind
	form string // of a string its content, of a number its decimal form
}

func parseLiteral(text string) (literal, error) {
	var e encoder
	if err := e.raw([]byte(text)); err != nil {
		return literal{}, err
	}
	l := literal{json: e.buf, kind: kindOf(e.buf[0])}
	switch l.kind {
	case kindString:
		l.form = string(unquote(nil, l.json))
	case kindNumber:
		l.form = parseDecimal(nil, l.json).String()
	}
	return l, nil
}

func parseLiterals(array string) ([]literal, error) {
	var values []json.RawMessage
	if err := json.Unmarshal([]byte(array), &values); err != nil || len(values) == 0 {
		return nil, errors.New("tag enum: not a JSON array of values")
	}
	literals := make([]literal, len(values))
	for i, value := range values {
		l, err := parseLiteral(string(value))
		if err != nil {
			return nil, fmt.Errorf("tag enum: %w", err)
		}
		literals[i] = l
	}
	return literals, nil
}

// equal reports whether the valid JSON text raw is the same value: however a
// string is escaped and a number is spelled.
func (l literal) equal(raw []byte) bool {
	switch {
	case bytes.Equal(l.json, raw):
		return true
	case l.kind != kindOf(raw[0]):
		return false
	case l.kind == kindString:
		return string(unquote(nil, raw)) == l.form
	case l.kind == kindNumber:
		return parseDecimal(nil, raw).String() == l.form
	case l.kind == kindArray || l.kind == kindObject:
		compact, err := jsontext.AppendFormat(nil, raw, keepStrings...)
		return err == nil && bytes.Equal(l.json, compact)
	default:
		return false
	}
}

// allows reports whether raw is one of the field's constant or enum values.
func (f *field) allows(raw []byte) bool {
	for i := range f.allowed {
		if f.allowed[i].equal(raw) {
			return true
		}
	}
	return false
}

package codec

import (
	"encoding/json"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// An encoder appends values to one JSON text.
type encoder struct {
	buf   []byte
	depth int
}

func (e *encoder) enter() error {
	if e.depth++; e.depth > maxDepth {
		return errTooDeep
	}
	return nil
}

func (e *encoder) leave() { e.depth-- }

// next appends the comma before a member or item unless it is the first.
func (e *encoder) next() {
	if c := e.buf[len(e.buf)-1]; c != '{' && c != '[' {
		e.buf = append(e.buf, ',')
	}
}

func (e *encoder) null() { e.buf = append(e.buf, "null"...) }

func (e *encoder) string(s string) {
	if !needsEscape(s) {
		e.buf = append(append(append(e.buf, '"'), s...), '"')
		return
	}
	e.buf, _ = jsontext.AppendQuote(e.buf, s) // the only error is invalid UTF-8, which it replaces
}

// needsEscape reports whether s may hold what JSON strings escape or replace.
func needsEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// keepStrings leaves the strings of raw JSON as they are spelled.
var keepStrings = append(slices.Clip(allow), jsontext.PreserveRawStrings(true))

// raw appends JSON text from elsewhere, without its white space. It must be one
// valid value.
func (e *encoder) raw(text []byte) error {
	if text == nil {
		e.null()
		return nil
	}
	buf, err := jsontext.AppendFormat(e.buf, text, keepStrings...)
	if err != nil {
		return syntaxError(text).Err
	}
	e.buf = buf
	return nil
}

// any appends v by the plan of its dynamic type. Common types take a short cut.
func (e *encoder) any(v any) error {
	switch v := v.(type) {
	case nil:
		e.null()
	case string:
		e.string(v)
	case bool:
		e.bool(v)
	case json.Number:
		return e.number(v)
	case json.RawMessage:
		return e.raw(v)
	case map[string]any:
		return e.object(v)
	case []any:
		return e.array(v)
	default:
		rv := reflect.ValueOf(v)
		p, err := planFor(rv.Type())
		if err != nil {
			return err
		}
		return p.coder.encode(e, rv)
	}
	return nil
}

func (e *encoder) bool(b bool) {
	if b {
		e.buf = append(e.buf, "true"...)
	} else {
		e.buf = append(e.buf, "false"...)
	}
}

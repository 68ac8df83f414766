package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A literalSet is the values of a const or enum tag.
type literalSet struct {
	texts  []string       // compact JSON, in order
	byText map[string]int // the usual spelling, found without work
	byForm map[string]int // any spelling
	depth  int            // how deep the values nest
}

// parseConst reads a const tag.
func parseConst(tag string) (*literalSet, error) {
	s, err := newLiteralSet([]json.RawMessage{json.RawMessage(tag)})
	if err != nil {
		return nil, fmt.Errorf("tag const: %w", err)
	}
	return s, nil
}

// parseEnum reads an enum tag.
func parseEnum(tag string) (*literalSet, error) {
	var values []json.RawMessage
	if err := json.Unmarshal([]byte(tag), &values); err != nil || len(values) == 0 {
		return nil, errors.New("tag enum: not a JSON array of values")
	}
	return newLiteralSet(values)
}

func newLiteralSet(values []json.RawMessage) (*literalSet, error) {
	s := &literalSet{byText: map[string]int{}, byForm: map[string]int{}}
	for _, value := range values {
		var e encoder
		if err := e.raw(value); err != nil {
			return nil, err
		}
		s.byText[string(e.buf)] = len(s.texts)
		s.byForm[form(e.buf)] = len(s.texts)
		s.depth = max(s.depth, nesting(e.buf))
		s.texts = append(s.texts, string(e.buf))
	}
	return s, nil
}

// find returns the index of the valid JSON text raw in s, or -1: however a
// string is escaped and a number is spelled.
func (s *literalSet) find(raw []byte) int {
	if i, ok := s.byText[string(raw)]; ok {
		return i
	}
	if nesting(raw) > s.depth { // none of them, and too dear a form
		return -1
	}
	if i, ok := s.byForm[form(raw)]; ok {
		return i
	}
	return -1
}

// nesting returns how deep lists and objects nest in the valid text raw.
func nesting(raw []byte) int {
	deepest, depth := 0, 0
	for pos := 0; pos < len(raw); pos++ {
		switch raw[pos] {
		case '"':
			pos = stringEnd(raw, pos) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// form returns a text that JSON values share when they are equal: of a string
// its content, of a number its decimal form, of lists and objects the forms of
// what they hold, members sorted by key.
func form(raw []byte) string {
	switch kindOf(raw[0]) {
	case kindString:
		return `"` + string(unquote(nil, raw))
	case kindNumber:
		return parseDecimal(nil, raw).String()
	case kindArray, kindObject:
		return compoundForm(raw)
	default:
		return string(raw)
	}
}

// compoundForm is form of a valid list or object. Each form inside follows its
// length, which tells it from the punctuation. Quoting it would double its
// length with every level.
func compoundForm(raw []byte) string {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), allow...)
	next := func() string {
		inner := form(bytes.TrimSpace(readValue(dec)))
		return strconv.Itoa(len(inner)) + ":" + inner
	}
	_, _ = dec.ReadToken() // raw is valid, so there is no error here or below
	if kindOf(raw[0]) == kindArray {
		var items []string
		for dec.PeekKind() != ']' {
			items = append(items, next())
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	members := map[string]string{}
	for dec.PeekKind() != '}' {
		key := next()
		members[key] = next()
	}
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(members)) {
		pairs = append(pairs, key+":"+members[key])
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func readValue(dec *jsontext.Decoder) []byte {
	v, err := dec.ReadValue()
	if err != nil {
		return []byte("null") // not reached for valid text
	}
	return v
}

// allows reports whether raw is one of the field's constant or enum values.
func (f *field) allows(raw []byte) bool { return f.allowed.find(raw) >= 0 }

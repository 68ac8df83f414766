package wire

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Items counts the items of a JSON array without keeping them, 0 for anything
// else. It looks only as deep as it must.
func Items(array json.RawMessage) int {
	dec := jsontext.NewDecoder(bytes.NewReader(array), lax...)
	if dec.PeekKind() != '[' {
		return 0
	}
	if _, err := dec.ReadToken(); err != nil {
		return 0
	}
	n := 0
	for dec.PeekKind() != ']' {
		if dec.SkipValue() != nil {
			return n
		}
		n++
	}
	return n
}

// Depth is how deep a JSON value nests: 0 for a scalar. The value must be valid.
func Depth(value json.RawMessage) int {
	depth, deepest := 0, 0
	inString, escaped := false, false
	for _, c := range value {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

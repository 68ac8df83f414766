package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A member is one member of a JSON object, its value as spelled.
type member struct {
	name string
	raw  []byte
}

// members takes a JSON object apart without reading its values, so that one bad
// value costs only itself. Of equal names the last wins. With an error it returns
// the members before what is wrong.
func members(data []byte) ([]member, error) {
	dec, err := open(data, '{')
	if err != nil {
		return nil, err
	}
	var ms []member
	at := map[string]int{}
	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			return ms, err
		}
		name := tok.String()
		raw, err := dec.ReadValue()
		if err != nil {
			return ms, err
		}
		if i, ok := at[name]; ok {
			ms[i].raw = slices.Clone(raw)
			continue
		}
		at[name] = len(ms)
		ms = append(ms, member{name, slices.Clone(raw)})
	}
	return ms, end(dec)
}

// elements takes a JSON array apart without reading its elements.
func elements(data []byte) ([][]byte, error) {
	dec, err := open(data, '[')
	if err != nil {
		return nil, err
	}
	var items [][]byte
	for dec.PeekKind() != ']' {
		raw, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		items = append(items, slices.Clone(raw))
	}
	return items, end(dec)
}

var kindNames = map[schema.Kind]string{
	schema.Null: "null", schema.Bool: "a boolean", schema.Number: "a number",
	schema.String: "a string", schema.Array: "an array", schema.Object: "an object",
}

// kinds of values by their first token.
var kinds = map[jsontext.Kind]schema.Kind{
	'n': schema.Null, 't': schema.Bool, 'f': schema.Bool, '0': schema.Number,
	'"': schema.String, '[': schema.Array, '{': schema.Object,
}

func open(data []byte, want jsontext.Kind) (*jsontext.Decoder, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	tok, err := dec.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("empty")
	case err != nil:
		return nil, err
	case tok.Kind() != want:
		return nil, fmt.Errorf("%s where %s is needed", kindNames[kinds[tok.Kind()]], kindNames[kinds[want]])
	}
	return dec, nil
}

// end reads the closing bracket and refuses anything after it.
func end(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	_, err := dec.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("more text after the end at offset %d", dec.InputOffset())
}

// withLine adds the line of a syntax error in data to it.
func withLine(err error, data []byte) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) || syntax.ByteOffset > int64(len(data)) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:syntax.ByteOffset], []byte("\n")), err)
}

// withoutBOM drops the byte order mark that some editors put in front.
func withoutBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

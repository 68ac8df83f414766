package schema

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth bounds the nesting of a JSON text that [Parse] accepts.
const MaxDepth = 200

// ErrTooDeep is returned by [Parse] for a text nested deeper than [MaxDepth].
var ErrTooDeep = errors.New("nested too deeply")

// Kind is the JSON kind of a [Value].
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind as JSON Schema's type keyword spells it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// A Value is one JSON value: ordered and exact. Values are shared and must not
// be modified after [Parse].
type Value struct {
	Kind    Kind
	Bool    bool     // Bool
	Text    string   // String: the text; Number: the literal as spelled
	Items   []*Value // Array
	Members []Member // Object: in order, names unique (the last of equal names won)

	index map[string]int // name -> position in Members, for wide objects
}

// A Member is one member of an object.
type Member struct {
	Name  string
	Value *Value
}

// wide is the number of members from which an object gets an index.
const wide = 16

// Parse reads one JSON text. Of members with one name the last wins, at the
// place of the first. Lone surrogates become U+FFFD. Numbers keep their spelling.
func Parse(data []byte) (*Value, error) { return ParseWithin(0, data) }

// ParseWithin is [Parse] for a text that holds others: what stands levels deep in
// it may be as deep as Parse allows.
func ParseWithin(levels int, data []byte) (*Value, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), // it copies nothing out of a Buffer
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := parse(dec, -levels)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err == nil {
		return nil, fmt.Errorf("more than one JSON value, the second at offset %d", dec.InputOffset())
	}
	if rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("unexpected text after the JSON value at offset %d", dec.InputOffset())
	}
	return v, nil
}

func parse(dec *jsontext.Decoder, depth int) (*Value, error) {
	if depth > MaxDepth {
		return nil, ErrTooDeep
	}
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return &Value{Kind: Null}, nil
	case 't', 'f':
		return &Value{Kind: Bool, Bool: tok.Bool()}, nil
	case '0':
		return &Value{Kind: Number, Text: tok.String()}, nil
	case '"':
		return &Value{Kind: String, Text: tok.String()}, nil
	case '[':
		return parseArray(dec, depth)
	default:
		return parseObject(dec, depth)
	}
}

func parseArray(dec *jsontext.Decoder, depth int) (*Value, error) {
	v := &Value{Kind: Array}
	for dec.PeekKind() != ']' {
		item, err := parse(dec, depth+1)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := dec.ReadToken()
	return v, err
}

func parseObject(dec *jsontext.Decoder, depth int) (*Value, error) {
	v := &Value{Kind: Object}
	for dec.PeekKind() != '}' {
		tok, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := tok.String()
		value, err := parse(dec, depth+1)
		if err != nil {
			return nil, err
		}
		v.set(name, value)
	}
	_, err := dec.ReadToken()
	return v, err
}

// ObjectOf returns an object of members, whose names must be unique.
func ObjectOf(members []Member) *Value {
	v := &Value{Kind: Object, Members: members}
	if len(members) >= wide {
		v.index = indexOf(members)
	}
	return v
}

func indexOf(members []Member) map[string]int {
	index := make(map[string]int, 2*len(members))
	for i, m := range members {
		index[m.Name] = i
	}
	return index
}

func (v *Value) set(name string, value *Value) {
	if i := v.find(name); i >= 0 {
		v.Members[i].Value = value
		return
	}
	v.Members = append(v.Members, Member{name, value})
	switch {
	case v.index != nil:
		v.index[name] = len(v.Members) - 1
	case len(v.Members) == wide:
		v.index = indexOf(v.Members)
	}
}

func (v *Value) find(name string) int {
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Get returns the member called name, or nil when v is no object or has none.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	if i := v.find(name); i >= 0 {
		return v.Members[i].Value
	}
	return nil
}

// AppendJSON appends v as compact JSON: members in order, numbers as spelled.
func (v *Value) AppendJSON(b []byte) []byte {
	switch v.Kind {
	case Null:
		return append(b, "null"...)
	case Bool:
		return strconv.AppendBool(b, v.Bool)
	case Number:
		return append(b, v.Text...)
	case String:
		return appendString(b, v.Text)
	case Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendJSON(b)
		}
		return append(b, ']')
	default:
		b = append(b, '{')
		for i, m := range v.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.Name), ':')
			b = m.Value.AppendJSON(b)
		}
		return append(b, '}')
	}
}

// JSON returns v as compact JSON text.
func (v *Value) JSON() string { return string(v.AppendJSON(nil)) }

func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // the only error is invalid UTF-8, which it replaces
	return b
}

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A message is one JSON-RPC message, taken apart without decoding its payload.
// The raw members are slices of the bytes it was read from.
type message struct {
	version   string
	id        json.RawMessage // nil: absent
	method    string
	hasMethod bool
	result    json.RawMessage // nil: absent
	err       json.RawMessage // nil: absent
}

// lax accepts what encoding/json accepts: duplicate names (the last wins) and
// lone surrogates.
var lax = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// parse takes one message apart and checks that all of data is valid JSON.
func parse(data []byte) (message, error) {
	var m message
	err := Members(data, func(name string, value json.RawMessage) error {
		switch name {
		case "jsonrpc":
			m.version, _ = stringValue(value)
		case "id":
			m.id = value
		case "method":
			var ok bool
			if m.method, ok = stringValue(value); !ok {
				return fmt.Errorf("%w: method is no string", ErrNotMCP)
			}
			m.hasMethod = true
		case "result":
			m.result = value
		case "error":
			if string(value) != "null" {
				m.err = value
			}
		}
		return nil
	})
	if err != nil {
		return message{}, err
	}
	if m.version != "2.0" {
		return message{}, fmt.Errorf(`%w: "jsonrpc" is not "2.0"`, ErrNotMCP)
	}
	return m, nil
}

// Members calls f with every member of the JSON object data, values as they
// stand there. Anything but one valid object is an error.
func Members(data []byte, f func(name string, value json.RawMessage) error) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), lax...)
	switch dec.PeekKind() {
	case '{':
	case '[':
		return fmt.Errorf("%w: a batch or list where one object is due", ErrNotMCP)
	case 0:
		return ErrNotJSON
	default:
		return fmt.Errorf("%w: no JSON object", ErrNotMCP)
	}
	if _, err := dec.ReadToken(); err != nil {
		return ErrNotJSON
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return ErrNotJSON
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return ErrNotJSON
		}
		end := dec.InputOffset()
		if err := f(name, data[end-int64(len(value)):end:end]); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return ErrNotJSON
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return ErrNotJSON
	}
	return nil
}

// head reads the id and method of an outgoing request without reading its params:
// the SDK writes them first. Of a message that is cut off it returns what it found.
func head(data []byte) (id json.RawMessage, method string, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(data), lax...)
	if _, err := dec.ReadToken(); err != nil {
		return nil, "", err
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return id, method, err
		}
		name := key.String()
		if name == "params" && method != "" {
			return id, method, nil
		}
		value, err := dec.ReadValue()
		if err != nil {
			return id, method, err
		}
		switch name {
		case "id":
			id = bytes.Clone(value)
		case "method":
			method, _ = stringValue(json.RawMessage(value))
		}
	}
	return id, method, nil
}

func stringValue(value json.RawMessage) (string, bool) {
	var s string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &s) != nil {
		return "", false
	}
	return s, true
}

// sameID reports whether two ids are equal; 1 and 1.0 are.
func sameID(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := strconv.ParseFloat(string(a), 64)
	y, errY := strconv.ParseFloat(string(b), 64)
	return errX == nil && errY == nil && x == y
}

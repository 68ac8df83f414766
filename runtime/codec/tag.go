package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A field is what the tags of one struct field say.
type field struct {
	name     string // Go name
	index    int
	typ      reflect.Type
	plan     *plan // nil for a constant
	role     role
	key      string      // member: the wire key
	label    []byte      // member: the key as it is written, with the colon
	optional bool        // not sent when zero
	empty    bool        // not sent when empty, as encoding/json's omitempty has it
	any      bool        // of type any
	constant bool        // a blank field, allowed holds its value
	allowed  *literalSet // of a constant or an enum that tells variants apart; else nil
	isZero   func(reflect.Value) bool
}

type role uint8

const (
	roleMember role = iota
	roleExtra
	roleItem
	roleRest
)

// omitted reports whether the field is not to be sent when it holds v.
func (f *field) omitted(v reflect.Value) bool {
	if f.optional && f.isZero(v) {
		return true
	}
	return f.empty && isEmpty(v)
}

// required reports whether an object always has the field.
func (f *field) required() bool { return !f.optional && !f.empty }

// vanishes reports whether a null in the field is taken for an absent one.
func (f *field) vanishes() bool { return !f.required() && f.typ.Kind() == reflect.Pointer }

// structInfo is what the tags of a struct say.
type structInfo struct {
	fields []*field
	tuple  bool
	std    bool // has what is left to encoding/json: embedded fields, the string option
}

func parseStruct(t reflect.Type) (structInfo, error) {
	var s structInfo
	hidden := 0
	for i := range t.NumField() {
		sf := t.Field(i)
		tags, err := parseTags(sf.Tag)
		if err != nil {
			return s, fmt.Errorf("field %s: %w", sf.Name, err)
		}
		switch {
		case sf.Name == "_":
			if tags["codec"] == "tuple" {
				s.tuple = true
				continue
			}
			f, err := parseConstant(tags)
			if err != nil {
				return s, fmt.Errorf("field %d: %w", i, err)
			}
			if f != nil {
				s.fields = append(s.fields, f)
			}
			continue
		case sf.Anonymous && (tags["json"] == "" || tags["json"][0] == ','):
			s.std = true
			return s, nil
		case !sf.IsExported():
			if tags["wire"] != "" || tags["codec"] != "" {
				return s, fmt.Errorf("field %s: has a tag but is not exported", sf.Name)
			}
			hidden++
			continue
		}
		f := &field{name: sf.Name, index: i, typ: sf.Type, isZero: zeroTest(sf.Type)}
		skip, std, err := f.parse(tags)
		switch {
		case err != nil:
			return s, fmt.Errorf("field %s: %w", sf.Name, err)
		case std:
			s.std = true
			return s, nil
		case !skip:
			s.fields = append(s.fields, f)
		}
	}
	if hidden > 0 && hidden == t.NumField() {
		return s, errors.New("has neither exported fields nor JSON methods")
	}
	return s, s.check()
}

// parse reads the tags of an exported field. skip: the field is no part of the
// JSON; std: only encoding/json knows what is asked for.
func (f *field) parse(tags map[string]string) (skip, std bool, err error) {
	name, options, _ := strings.Cut(tags["json"], ",")
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitzero":
			f.optional = true
		case "omitempty":
			f.empty = true
		case "string":
			std = true
		}
	}
	wire, hasWire := tags["wire"]
	if codec, ok := tags["codec"]; ok {
		return false, false, f.parseRole(codec)
	}
	switch {
	case hasWire:
		f.key = wire
	case tags["json"] == "-":
		return true, false, nil
	case name != "":
		f.key = name
	default:
		f.key = f.name
	}
	if enum, ok := tags["enum"]; ok {
		f.allowed, err = parseEnum(enum)
	}
	f.label = label(f.key)
	return false, std, err
}

// parseRole reads a codec tag.
func (f *field) parseRole(tag string) error {
	switch tag {
	case "extra":
		f.role = roleExtra
		if f.typ.Kind() != reflect.Map {
			return errors.New("codec:\"extra\" needs a map")
		}
	case "item":
		f.role = roleItem
	case "item,omitzero":
		f.role, f.optional = roleItem, true
	case "rest":
		f.role = roleRest
		if f.typ.Kind() != reflect.Slice {
			return errors.New("codec:\"rest\" needs a slice")
		}
	default:
		return fmt.Errorf("unknown tag codec:%q", tag)
	}
	return nil
}

// parseConstant reads the tags of a blank field. It returns nil when there are none.
func parseConstant(tags map[string]string) (*field, error) {
	if len(tags) == 0 {
		return nil, nil
	}
	key, hasKey := tags["wire"]
	text, hasConst := tags["const"]
	if !hasKey || !hasConst {
		return nil, errors.New("a blank field needs the tags wire and const")
	}
	value, err := parseConst(text)
	if err != nil {
		return nil, err
	}
	return &field{name: "_", key: key, label: label(key), constant: true, allowed: value}, nil
}

// check finds fields that cannot stand together.
func (s structInfo) check() error {
	keys := map[string]bool{}
	for i, f := range s.fields {
		positional := f.role == roleItem || f.role == roleRest
		switch {
		case positional != s.tuple:
			return fmt.Errorf("field %s: a struct is either a tuple or an object", f.name)
		case f.role == roleRest && i != len(s.fields)-1:
			return fmt.Errorf("field %s: codec:\"rest\" must be the last field", f.name)
		case f.role == roleMember && keys[f.key]:
			return fmt.Errorf("field %s: another field has the key %q", f.name, f.key)
		case f.role == roleExtra && slices.ContainsFunc(s.fields[:i], func(o *field) bool { return o.role == roleExtra }):
			return fmt.Errorf("field %s: a second codec:\"extra\"", f.name)
		}
		if f.role == roleMember {
			keys[f.key] = true
		}
	}
	return nil
}

// label returns key as JSON, with the colon.
func label(key string) []byte {
	var e encoder
	e.string(key)
	return append(e.buf, ':')
}

var errTag = errors.New("broken struct tag")

// parseTags splits a struct tag. Unlike [reflect.StructTag.Get] it finds faults.
func parseTags(tag reflect.StructTag) (map[string]string, error) {
	var tags map[string]string
	for rest := strings.TrimLeft(string(tag), " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		name, after, ok := strings.Cut(rest, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \"") {
			return nil, errTag
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil || quoted[0] != '"' {
			return nil, errTag
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, errTag
		}
		if tags == nil {
			tags = map[string]string{}
		}
		tags[name] = value
		rest = after[len(quoted):]
	}
	return tags, nil
}

// zeroTest returns what tells an absent optional field of type t from one to send.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return reflect.Value.IsNil
	}
	switch {
	case t.Kind() == reflect.Struct && implements[interface{ Variants() Variants }](t):
		return func(v reflect.Value) bool { _, ok := unionValue(v); return !ok }
	case !isNullable(t) && implements[interface{ IsZero() bool }](t):
		return func(v reflect.Value) bool { return v.Interface().(interface{ IsZero() bool }).IsZero() }
	default:
		return reflect.Value.IsZero
	}
}

func implements[T any](t reflect.Type) bool { return t.Implements(reflect.TypeFor[T]()) }

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}

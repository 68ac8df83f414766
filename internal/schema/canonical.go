package schema

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"slices"
)

// Canonical returns the form of a schema that digests are made of: two schemas
// that differ in nothing a caller could notice have the same bytes. Members are
// sorted by code point, numbers are spelled by [Decimal], required and arrays of
// types are sorted, and title, description, $comment and examples are left out
// where they are keywords (a property called title stays). Data, as in enum,
// const and default, keeps everything but order and spelling. Canonical returns
// nil for nil.
func Canonical(v *Value) []byte {
	if v == nil {
		return nil
	}
	return appendSchema(nil, v)
}

// Digest returns what a tool promises in one word: "s1:" and the unpadded
// base64url SHA-256 of the canonical form of its hints (with the specification's
// defaults filled in) and its two schemas, each of which may be nil.
func Digest(annotations, input, output *Value) string {
	b := []byte(`{"annotations":{`)
	for i, h := range hints {
		if i > 0 {
			b = append(b, ',')
		}
		value := h.preset
		if v := annotations.Get(h.name); v != nil && v.Kind == Bool {
			value = v.Bool
		}
		b = append(appendString(b, h.name), ':')
		b = (&Value{Kind: Bool, Bool: value}).AppendJSON(b)
	}
	b = append(b, '}')
	if input != nil {
		b = appendSchema(append(b, `,"inputSchema":`...), input)
	}
	if output != nil {
		b = appendSchema(append(b, `,"outputSchema":`...), output)
	}
	sum := sha256.Sum256(append(b, '}'))
	return "s1:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// hints are MCP's tool annotations that change how a tool may be called, by
// code point, with what an absent one means.
var hints = []struct {
	name   string
	preset bool
}{
	{"destructiveHint", true},
	{"idempotentHint", false},
	{"openWorldHint", true},
	{"readOnlyHint", false},
}

// appendSchema appends v, a schema, in canonical form. Keywords are taken from
// all dialects at once: $schema is part of the form anyhow.
func appendSchema(b []byte, v *Value) []byte {
	if v.Kind != Object {
		return appendData(b, v)
	}
	return appendMembers(b, v, func(b []byte, m Member) []byte {
		switch position := Dialect(0).Position(m.Name); {
		case position == SchemaMap && m.Value.Kind == Object:
			return appendMembers(b, m.Value, func(b []byte, m Member) []byte {
				return appendSchema(b, m.Value)
			}, nil)
		case (position == SchemaList || position == SchemaOrList) && m.Value.Kind == Array:
			return appendItems(b, m.Value.Items, appendSchema)
		case position == OneSchema || position == SchemaOrList:
			return appendSchema(b, m.Value)
		case (m.Name == "required" || m.Name == "type") && m.Value.Kind == Array:
			return appendItems(b, slices.SortedFunc(slices.Values(m.Value.Items), compareValues), appendData)
		}
		return appendData(b, m.Value)
	}, isProse)
}

// isProse reports whether a keyword only talks to people.
func isProse(keyword string) bool {
	switch keyword {
	case "title", "description", "$comment", "examples":
		return true
	}
	return false
}

// appendData appends v, plain JSON, in canonical form.
func appendData(b []byte, v *Value) []byte {
	switch v.Kind {
	case Number:
		return append(b, numberText(v.Text)...)
	case Array:
		return appendItems(b, v.Items, appendData)
	case Object:
		return appendMembers(b, v, func(b []byte, m Member) []byte {
			return appendData(b, m.Value)
		}, nil)
	}
	return v.AppendJSON(b)
}

func appendItems(b []byte, items []*Value, each func([]byte, *Value) []byte) []byte {
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, item)
	}
	return append(b, ']')
}

// appendMembers appends an object sorted by name. Members that skip (if not
// nil) reports are left out.
func appendMembers(b []byte, v *Value, each func([]byte, Member) []byte, skip func(name string) bool) []byte {
	members := slices.Clone(v.Members)
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	b = append(b, '{')
	start := len(b)
	for _, m := range members {
		if skip != nil && skip(m.Name) {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(appendString(b, m.Name), ':')
		b = each(b, m)
	}
	return append(b, '}')
}

// compareValues orders strings by code point, and anything else by its form.
func compareValues(a, b *Value) int {
	if a.Kind == String && b.Kind == String {
		return cmp.Compare(a.Text, b.Text)
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), bytes.Compare(appendData(nil, a), appendData(nil, b)))
}

// Equal reports whether a and b are the same JSON: numbers by value, so that
// 1.0 equals 1, objects without regard to the order of their members. Nil equals
// only nil.
func Equal(a, b *Value) bool {
	return equal(a, b, func(a, b string) bool { return a == b || numberText(a) == numberText(b) })
}

// SameText is [Equal] with numbers compared as spelled: a and b differ in
// nothing but white space, escapes and the order of members.
func SameText(a, b *Value) bool {
	return equal(a, b, func(a, b string) bool { return a == b })
}

func equal(a, b *Value, sameNumber func(a, b string) bool) bool {
	if a == nil || b == nil || a.Kind != b.Kind {
		return a == b
	}
	switch a.Kind {
	case Bool:
		return a.Bool == b.Bool
	case Number:
		return sameNumber(a.Text, b.Text)
	case String:
		return a.Text == b.Text
	case Array:
		return slices.EqualFunc(a.Items, b.Items, func(a, b *Value) bool { return equal(a, b, sameNumber) })
	case Object:
		if len(a.Members) != len(b.Members) {
			return false
		}
		for _, m := range a.Members {
			if other := b.Get(m.Name); other == nil || !equal(m.Value, other, sameNumber) {
				return false
			}
		}
	}
	return true
}

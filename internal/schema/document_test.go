package schema_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
)

func document(t *testing.T, text string) *schema.Document {
	t.Helper()
	v, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	d, err := schema.NewDocument(v)
	if err != nil {
		t.Fatalf("document %s: %v", text, err)
	}
	return d
}

// walk returns the node that a JSON pointer leads to, through Child.
func walk(d *schema.Document, ptr string) schema.Node {
	n := d.RootNode()
	for token := range schema.SplitPointer(ptr) {
		n = n.Child(token)
	}
	return n
}

const (
	draft4 = `"$schema": "http://json-schema.org/draft-04/schema#"`
	draft6 = `"$schema": "http://json-schema.org/draft-06/schema#"`
	draft7 = `"$schema": "http://json-schema.org/draft-07/schema#"`
	d2019  = `"$schema": "https://json-schema.org/draft/2019-09/schema"`
)

func TestResolve(t *testing.T) {
	tests := []struct {
		name string
		doc  string
		from string // pointer of the node that holds the reference
		ref  string
		want string // pointer of the target
		err  error
	}{
		{"root", `{"type":"object"}`, "", "#", "", nil},
		{"empty is the root", `{"type":"object"}`, "", "", "", nil},
		{"definition", `{"$defs":{"A":{}}}`, "", "#/$defs/A", "/$defs/A", nil},
		{"into properties and arrays", `{"properties":{"a":{"anyOf":[{},{"items":{}}]}}}`, "",
			"#/properties/a/anyOf/1/items", "/properties/a/anyOf/1/items", nil},
		{"tilde escapes", `{"$defs":{"a/b~c":{}}}`, "", "#/$defs/a~1b~0c", "/$defs/a~1b~0c", nil},
		{"tilde escape that looks like another", `{"$defs":{"~1":{}}}`, "", "#/$defs/~01", "/$defs/~01", nil},
		{"percent", `{"$defs":{"a b%":{}}}`, "", "#/$defs/a%20b%25", "/$defs/a b%", nil},
		{"percent of an escape", `{"$defs":{"a/b":{}}}`, "", "#/$defs/a%7E1b", "/$defs/a~1b", nil},
		{"raw characters", `{"$defs":{"Set<Größe>":{}}}`, "", "#/$defs/Set<Größe>", "/$defs/Set<Größe>", nil},
		{"empty token", `{"$defs":{"":{"$defs":{"":{}}}}}`, "", "#/$defs//$defs/", "/$defs//$defs/", nil},
		{"unknown keyword", `{"components":{"schemas":{"A":{}}}}`, "", "#/components/schemas/A", "/components/schemas/A", nil},
		{"boolean target", `{"$defs":{"A":true}}`, "", "#/$defs/A", "/$defs/A", nil},
		{"nothing there", `{}`, "", "#/$defs/A", "", schema.ErrNotFound},
		{"index out of range", `{"allOf":[{}]}`, "", "#/allOf/1", "", schema.ErrNotFound},
		{"index with a leading zero", `{"allOf":[{},{}]}`, "", "#/allOf/01", "", schema.ErrNotFound},
		{"index past the end", `{"allOf":[{}]}`, "", "#/allOf/-", "", schema.ErrNotFound},
		{"huge index", `{"allOf":[{}]}`, "", "#/allOf/99999999999999999999", "", schema.ErrNotFound},
		{"through a scalar", `{"type":"object"}`, "", "#/type/0", "", schema.ErrNotFound},
		{"bad percent", `{}`, "", "#/%zz", "", schema.ErrNotFound},
		{"no URI", `{}`, "", "http://[::1", "", schema.ErrNotFound},
		{"remote", `{}`, "", "https://example.com/a.json", "", schema.ErrRemote},
		{"a file", `{}`, "", "file:///etc/passwd", "", schema.ErrRemote},
		{"a bare name is a relative URI", `{"$defs":{"A":{}}}`, "", "A", "", schema.ErrRemote},
		{"meta-schema", `{}`, "", "http://json-schema.org/draft-07/schema#", "", schema.ErrRemote},

		{"anchor", `{"$defs":{"A":{"$anchor":"a"}}}`, "", "#a", "/$defs/A", nil},
		{"anchor 2019", `{` + d2019 + `,"$defs":{"A":{"$anchor":"a"}}}`, "", "#a", "/$defs/A", nil},
		{"dynamic anchor", `{"$defs":{"A":{"$dynamicAnchor":"a"}}}`, "", "#a", "/$defs/A", nil},
		{"no anchors before 2019", `{` + draft7 + `,"definitions":{"A":{"$anchor":"a"}}}`, "", "#a", "", schema.ErrNotFound},
		{"unknown anchor", `{"$defs":{"A":{"$anchor":"a"}}}`, "", "#b", "", schema.ErrNotFound},
		{"plain name draft-07", `{` + draft7 + `,"definitions":{"A":{"$id":"#a"}}}`, "", "#a", "/definitions/A", nil},
		{"plain name draft-06", `{` + draft6 + `,"definitions":{"A":{"$id":"#a"}}}`, "", "#a", "/definitions/A", nil},
		{"plain name draft-04", `{` + draft4 + `,"definitions":{"A":{"id":"#a"}}}`, "", "#a", "/definitions/A", nil},
		{"draft-04 has no $id", `{` + draft4 + `,"definitions":{"A":{"$id":"#a"}}}`, "", "#a", "", schema.ErrNotFound},
		{"draft-07 has no id", `{` + draft7 + `,"definitions":{"A":{"id":"#a"}}}`, "", "#a", "", schema.ErrNotFound},
		{"first of equal anchors", `{"$defs":{"A":{"$anchor":"a"},"B":{"$anchor":"a"}}}`, "", "#a", "/$defs/A", nil},

		{"absolute id", `{"$id":"https://e.com/root.json","$defs":{"A":{"$id":"https://f.org/a"}}}`, "", "https://f.org/a", "/$defs/A", nil},
		{"relative id", `{"$id":"https://e.com/s/root.json","$defs":{"A":{"$id":"a.json"}}}`, "", "a.json", "/$defs/A", nil},
		{"relative id, absolute ref", `{"$id":"https://e.com/s/root.json","$defs":{"A":{"$id":"a.json"}}}`, "", "https://e.com/s/a.json#", "/$defs/A", nil},
		{"relative id without a base", `{"$defs":{"A":{"$id":"a.json"}}}`, "", "a.json", "/$defs/A", nil},
		{"own id", `{"$id":"https://e.com/root.json"}`, "", "https://e.com/root.json", "", nil},
		{"own file name", `{"$id":"https://e.com/root.json","$defs":{"A":{}}}`, "", "root.json#/$defs/A", "/$defs/A", nil},
		{"id with an empty fragment", `{` + draft7 + `,"$id":"https://e.com/root.json#"}`, "", "root.json", "", nil},
		{"root of the embedded resource", `{"$defs":{"A":{"$id":"a.json","items":{}}}}`, "/$defs/A/items", "#", "/$defs/A", nil},
		{"pointer in the embedded resource", `{"$defs":{"A":{"$id":"a.json","$defs":{"B":{}}}}}`, "/$defs/A", "#/$defs/B", "/$defs/A/$defs/B", nil},
		{"pointer out of the embedded resource", `{"$defs":{"A":{"$id":"a.json"},"B":{}}}`, "/$defs/A", "#/$defs/B", "", schema.ErrNotFound},
		{"pointer across resources", `{"$defs":{"A":{"$id":"a.json","items":{}}}}`, "", "#/$defs/A/items", "/$defs/A/items", nil},
		{"anchor of the embedded resource", `{"$defs":{"A":{"$id":"a.json","$defs":{"B":{"$anchor":"b"}}}}}`, "", "a.json#b", "/$defs/A/$defs/B", nil},
		{"anchors are the resource's own", `{"$defs":{"A":{"$id":"a.json","$defs":{"B":{"$anchor":"b"}}}}}`, "", "#b", "", schema.ErrNotFound},
		{"nested bases", `{"$id":"https://e.com/","$defs":{"A":{"$id":"x/","$defs":{"B":{"$id":"b"}}}}}`, "", "x/b", "/$defs/A/$defs/B", nil},
		{"from a nested base", `{"$id":"https://e.com/","$defs":{"A":{"$id":"x/","items":{},"$defs":{"B":{"$id":"b"}}}}}`, "/$defs/A/items", "b", "/$defs/A/$defs/B", nil},
		{"known resource, nothing in it", `{"$defs":{"A":{"$id":"a.json"}}}`, "", "a.json#/$defs/B", "", schema.ErrNotFound},
		{"URN", `{"$id":"urn:uuid:deadbeef","$defs":{"A":{}}}`, "", "urn:uuid:deadbeef#/$defs/A", "/$defs/A", nil},
		{"URN, own pointer", `{"$id":"urn:uuid:deadbeef","$defs":{"A":{}}}`, "", "#/$defs/A", "/$defs/A", nil},
		{"URN anchor", `{"$id":"urn:x:y","$defs":{"A":{"$anchor":"a"}}}`, "", "urn:x:y#a", "/$defs/A", nil},
		{"URN with components", `{"$id":"urn:example:a?+b:c=d?=x"}`, "", "urn:example:a?+b:c=d?=x", "", nil},
		{"other URN", `{"$id":"urn:x:y"}`, "", "urn:x:z", "", schema.ErrRemote},

		{"$id beside $ref counts from 2019", `{"$defs":{"A":{"$id":"x/a.json","$ref":"b.json"},"B":{"$id":"x/b.json"}}}`,
			"/$defs/A", "b.json", "/$defs/B", nil},
		{"$id beside $ref is ignored in draft-07", `{` + draft7 + `,"definitions":{"A":{"$id":"x/a.json","$ref":"b.json"},"B":{"$id":"b.json"}}}`,
			"/definitions/A", "b.json", "/definitions/B", nil},
		{"draft-07 definitions beside $ref", `{` + draft7 + `,"$ref":"#/definitions/A","definitions":{"A":{"$id":"#a"}}}`, "", "#a", "/definitions/A", nil},

		{"property called $id", `{"properties":{"$id":{"type":"string"},"a":{}}}`, "/properties/a", "#/properties/$id", "/properties/$id", nil},
		{"$id in enum", `{"enum":[{"$id":"a.json"}]}`, "", "a.json", "", schema.ErrRemote},
		{"$id in const", `{"const":{"$id":"a.json"}}`, "", "a.json", "", schema.ErrRemote},
		{"anchor in default", `{"default":{"$anchor":"a"}}`, "", "#a", "", schema.ErrNotFound},
		{"anchor in an example", `{"examples":[{"$anchor":"a"}]}`, "", "#a", "", schema.ErrNotFound},
		{"$id in an unknown keyword", `{"x-y":{"$id":"a.json"}}`, "", "a.json", "", schema.ErrRemote},
		{"keyword of a later dialect", `{` + draft7 + `,"prefixItems":[{"$id":"a.json"}]}`, "", "a.json", "", schema.ErrRemote},
		{"$id that is no string", `{"$defs":{"A":{"$id":7}}}`, "", "#/$defs/A", "/$defs/A", nil},
		{"$id that is no URI", `{"$defs":{"A":{"$id":"http://[::1"}}}`, "", "#/$defs/A", "/$defs/A", nil},
		{"dependencies", `{` + draft7 + `,"dependencies":{"a":["b"],"c":{"$id":"#c"}}}`, "", "#c", "/dependencies/c", nil},

		{"embedded dialect", `{"$defs":{"A":{"id":"a.json",` + draft4 + `,"definitions":{"B":{"id":"#b"}}}}}`, "", "a.json#b", "/$defs/A/definitions/B", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := document(t, tt.doc)
			got, err := d.Resolve(walk(d, tt.from), tt.ref)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err != nil {
				return
			}
			if got.Pointer != tt.want {
				t.Errorf("pointer %q, want %q", got.Pointer, tt.want)
			}
			if got.Value == nil || got.Value != walk(d, tt.want).Value {
				t.Errorf("value of %q is not the one at %q", tt.ref, tt.want)
			}
		})
	}
}

func TestResolveClipsLongReferences(t *testing.T) {
	d := document(t, `{}`)
	for _, ref := range []string{"#" + strings.Repeat("a", 1<<16), "x:" + strings.Repeat("a", 1<<16)} {
		if _, err := d.Resolve(d.RootNode(), ref); err == nil || len(err.Error()) > 500 {
			t.Errorf("error of %d bytes, want a short one", len(err.Error()))
		}
	}
}

func TestChildIsSafeEverywhere(t *testing.T) {
	var zero schema.Node
	if n := zero.Child("a").Child("b"); n != zero {
		t.Errorf("got %+v", n)
	}
	d := document(t, `{"a":1}`)
	if n := walk(d, "/a/b/c"); n != (schema.Node{}) {
		t.Errorf("got %+v", n)
	}
}

func TestNewDocument(t *testing.T) {
	tests := []struct {
		doc  string
		want schema.Dialect
		uri  string // of the UnknownDialectError
	}{
		{`{}`, schema.Draft2020, ""},
		{`true`, schema.Draft2020, ""},
		{`null`, schema.Draft2020, ""},
		{`[]`, schema.Draft2020, ""},
		{`{` + draft4 + `}`, schema.Draft4, ""},
		{`{` + draft6 + `}`, schema.Draft6, ""},
		{`{` + draft7 + `}`, schema.Draft7, ""},
		{`{` + d2019 + `}`, schema.Draft2019, ""},
		{`{"$schema":"https://json-schema.org/draft-07/schema"}`, schema.Draft7, ""},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema#"}`, schema.Draft2020, ""},
		{`{"$schema":"http://json-schema.org/draft-03/schema#"}`, 0, "http://json-schema.org/draft-03/schema#"},
		{`{"$schema":"https://example.com/mine"}`, 0, "https://example.com/mine"},
		{`{"$schema":""}`, 0, ""},
		{`{"$schema":7}`, 0, "7"},
	}
	for _, tt := range tests {
		v, err := schema.Parse([]byte(tt.doc))
		if err != nil {
			t.Fatal(err)
		}
		d, err := schema.NewDocument(v)
		var unknown *schema.UnknownDialectError
		switch {
		case tt.want != 0 && err != nil:
			t.Errorf("%s: %v", tt.doc, err)
		case tt.want != 0 && (d.Dialect != tt.want || d.RootNode().Dialect() != tt.want):
			t.Errorf("%s: dialect %v, want %v", tt.doc, d.Dialect, tt.want)
		case tt.want == 0 && (!errors.As(err, &unknown) || unknown.URI != tt.uri):
			t.Errorf("%s: error %v, want an unknown dialect %q", tt.doc, err, tt.uri)
		}
	}
}

func TestSubschemas(t *testing.T) {
	const doc = `{
		"properties": {"a/b": {}, "c": true, "d": 7},
		"items": [{}, {}],
		"additionalItems": {},
		"not": {"not": {}},
		"if": {},
		"dependencies": {"x": ["y"], "z": {}},
		"enum": [{"not": {}}],
		"const": {"items": {}},
		"allOf": {},
		"anyOf": [{"$id": "other", "items": {}}],
		"x-unknown": {}
	}`
	d := document(t, doc)
	var got []string
	for n := range d.RootNode().Subschemas() {
		got = append(got, n.Pointer)
		if n.Value == nil || n.Value != walk(d, n.Pointer).Value {
			t.Errorf("%s has another value than its pointer", n.Pointer)
		}
	}
	want := []string{"/properties/a~1b", "/properties/c", "/items/0", "/items/1", "/not", "/if", "/dependencies/z", "/anyOf/0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for range d.RootNode().Subschemas() {
		break // stopping early must not panic
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		dialect schema.Dialect
		keyword string
		want    schema.Position
	}{
		{schema.Draft4, "not", schema.OneSchema},
		{schema.Draft4, "if", schema.NoSchema},
		{schema.Draft4, "contains", schema.NoSchema},
		{schema.Draft7, "if", schema.OneSchema},
		{schema.Draft7, "$defs", schema.SchemaMap},
		{schema.Draft7, "unevaluatedProperties", schema.NoSchema},
		{schema.Draft7, "additionalItems", schema.OneSchema},
		{schema.Draft2020, "additionalItems", schema.NoSchema},
		{schema.Draft2020, "definitions", schema.SchemaMap},
		{schema.Draft2020, "prefixItems", schema.SchemaList},
		{schema.Draft2020, "items", schema.SchemaOrList},
		{schema.Draft2020, "enum", schema.NoSchema},
		{schema.Draft2020, "title", schema.NoSchema},
		{0, "prefixItems", schema.SchemaList},
		{0, "additionalItems", schema.OneSchema},
	}
	for _, tt := range tests {
		if got := tt.dialect.Position(tt.keyword); got != tt.want {
			t.Errorf("%v %s: %v, want %v", tt.dialect, tt.keyword, got, tt.want)
		}
	}
}

func TestIndexBoundsURIs(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$id":"https://e.com/` + strings.Repeat("x", 2000) + `/","allOf":[{"$id":"` + strings.Repeat("y", 3000) + `"}`)
	for i := range 11_000 {
		fmt.Fprintf(&b, `,{"$id":"%d"}`, i)
	}
	b.WriteString(`]}`)
	d := document(t, b.String())
	if n, err := d.Resolve(d.RootNode(), "7"); err != nil || n.Pointer != "/allOf/8" {
		t.Errorf("got %q, %v", n.Pointer, err)
	}
	for _, ref := range []string{"10999", strings.Repeat("y", 3000)} {
		if _, err := d.Resolve(d.RootNode(), ref); !errors.Is(err, schema.ErrRemote) {
			t.Errorf("%.10s: got %v", ref, err)
		}
	}
}

// A pointer for every schema below one long name would be gigabytes.
func TestIndexIsLinearUnderLongNames(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"properties":{"` + strings.Repeat("x", 1<<20) + `":{"anyOf":[{"$anchor":"a"}`)
	for range 100_000 {
		b.WriteString(`,{}`)
	}
	b.WriteString(`]}}}`)
	d := document(t, b.String())
	if _, err := d.Resolve(d.RootNode(), "#a"); err != nil {
		t.Error(err)
	}
}

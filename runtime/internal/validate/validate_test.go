package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

func compile(t testing.TB, schema string) *validate.Schema {
	t.Helper()
	s, err := validate.Compile(json.RawMessage(schema), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestInstances holds how values are read.
func TestInstances(t *testing.T) {
	tests := []struct {
		name, schema, value string
		valid               bool
	}{
		{"1.0 is an integer", `{"type":"integer"}`, `1.0`, true},
		{"1e3 is an integer", `{"type":"integer"}`, `1e3`, true},
		{"1.5 is none", `{"type":"integer"}`, `1.5`, false},
		{"large integers are exact", `{"const":9007199254740993}`, `9007199254740992`, false},
		{"fractions are exact", `{"maximum":0.1}`, `0.1000000000000000000000000000001`, false},
		{"fractions divide exactly", `{"multipleOf":0.01}`, `19.99`, true},
		{"-0 is 0", `{"enum":[0]}`, `-0.0`, true},
		{"equal numbers are not unique", `{"uniqueItems":true}`, `[1,1.0]`, false},
		{"the last of equal names counts", `{"properties":{"a":{"type":"string"}}}`, `{"a":1,"a":"x"}`, true},
		{"the last of equal names counts in schemas", `{"type":"string","type":"integer"}`, `1`, true},
		{"half a surrogate pair is one character", `{"maxLength":1}`, `"\ud800"`, true},
		{"characters are counted, not bytes", `{"maxLength":2}`, `"😀é"`, true},
		{"draft-04 has a flag", `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, false},
		{"draft-07 ignores what is beside $ref", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","type":"string","definitions":{"a":{}}}`, `1`, true},
		{"2020-12 does not", `{"$ref":"#/$defs/a","type":"string","$defs":{"a":{}}}`, `1`, false},
		{"2019-09 has recursive references", `{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}},"additionalProperties":false}`, `{"a":{"b":1}}`, false},
		{"2019-09 has no prefixItems", `{"$schema":"https://json-schema.org/draft/2019-09/schema","prefixItems":[{"type":"null"}],"items":[{"type":"string"}],"additionalItems":false}`, `["a"]`, true},
		{"and reads the list under items beside it", `{"$schema":"https://json-schema.org/draft/2019-09/schema","prefixItems":[{"type":"null"}],"items":[{"type":"string"}]}`, `[null]`, false},
		{"2020-12 reads it only where there is no other", `{"prefixItems":[{"type":"null"}],"items":[{"type":"string"}]}`, `[null]`, true},
		{"formats are not asserted", `{"format":"date"}`, `"x"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			violations, err := compile(t, tt.schema).Validate(t.Context(), []byte(tt.value))
			if err != nil || (len(violations) == 0) != tt.valid {
				t.Errorf("got %v, %v", violations, err)
			}
		})
	}
	for _, text := range []string{``, `{`, `1 2`, `{"a":}`, "\"\n\""} {
		if _, err := compile(t, `{}`).Validate(t.Context(), []byte(text)); err == nil {
			t.Errorf("%q is taken for JSON", text)
		}
	}
}

func TestConcurrency(t *testing.T) {
	s := compile(t, recordSchema)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				value := fmt.Sprintf(`{"id":%d,"kind":"%s"}`, i, []string{"a", "x"}[j%2])
				violations, err := s.Validate(t.Context(), []byte(value))
				if err != nil || len(violations) != 4+j%2 {
					t.Errorf("%s: %v %v", value, violations, err)
				}
			}
		})
	}
	wg.Wait()
}

const recordSchema = `{
	"type": "object",
	"properties": {
		"id": {"type": "integer", "minimum": 0}, "kind": {"enum": ["a", "b", "c"]}, "name": {"type": "string", "minLength": 1},
		"mail": {"type": "string", "pattern": "^[\\w.-]+@[\\w.-]+$"}, "score": {"type": "number", "maximum": 100},
		"done": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 10},
		"note": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "size": {"type": "integer"}, "link": {"type": "string"}
	},
	"required": ["id", "kind", "name", "mail", "done", "size"],
	"additionalProperties": false
}`

const record = `{"id":17,"kind":"b","name":"somebody","mail":"some.body@example.com","score":99.5,"done":true,` +
	`"tags":["x","y"],"note":null,"size":3,"link":"https://example.com/"}`

func BenchmarkValidate(b *testing.B) {
	const five = `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"score":{"type":"number"},` +
		`"done":{"type":"boolean"},"kind":{"enum":["a","b"]}},"required":["id","name"]}`
	benchmarks := []struct{ name, schema, value string }{
		{"10 fields", recordSchema, record},
		{"1,000 records of 5 fields", `{"type":"array","items":` + five + `}`,
			repeated(`{"id":17,"name":"somebody","score":1.5,"done":true,"kind":"a"}`, 1000)},
		{"10 fields, invalid", recordSchema, strings.Replace(record, "99.5", "101", 1)},
	}
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			s := compile(b, bm.schema)
			value := []byte(bm.value)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Validate(b.Context(), value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		compile(b, recordSchema)
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(recordSchema, record)
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#"},{"type":"null"}],"unevaluatedProperties":false}}}`, `{"a":1e400}`)
	f.Add(`{"$id":"http://a/b","$dynamicRef":"#x","$dynamicAnchor":"x","items":[{"not":{}}],"contains":{"multipleOf":0.1}}`, `[1,"a"]`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := validate.Compile(json.RawMessage(schema), validate.Options{Formats: true})
		if err != nil {
			return
		}
		violations, err := s.Validate(t.Context(), []byte(value))
		if err != nil && strings.Contains(err.Error(), "validator failed") {
			t.Errorf("%s against %s: %v", value, schema, err)
		}
		if len(violations) > 20 {
			t.Errorf("%d violations", len(violations))
		}
	})
}

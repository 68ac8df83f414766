package validate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

func Example() {
	s, err := validate.Compile(json.RawMessage(`{
		"type": "object",
		"properties": {
			"query": {"type": "string", "minLength": 1},
			"state": {"enum": ["open", "closed"]},
			"limit": {"type": "integer", "minimum": 1, "maximum": 100}
		},
		"required": ["query"],
		"additionalProperties": false
	}`), validate.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	violations, err := s.Validate(context.Background(), []byte(`{"state": "merged", "limit": 0, "sort": "up"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range violations {
		fmt.Printf("%q: %s\n", v.Pointer, v.Message)
	}
	// Output:
	// "": missing property "query"
	// "/state": must be one of "open", "closed"
	// "/limit": must be at least 1
	// "/sort": unexpected property; the schema has "query", "state" and "limit"
}

// TestMessages holds what is said about each keyword. The word "secret" stands for
// values that must not be repeated.
func TestMessages(t *testing.T) {
	tests := []struct {
		schema, value string
		want          []string // pointer, space, message
	}{
		{`false`, `1`, []string{` no value is allowed here`}},
		{`{"type":"string"}`, `5`, []string{` must be a string, not a number`}},
		{`{"type":["integer","null"]}`, `1.5`, []string{` must be an integer or null, not a number with a fraction`}},
		{`{"type":["integer","number","array","object","boolean"]}`, `"secret"`, []string{` must be a number, a boolean, an array or an object, not a string`}},
		{`{"const":{"a":[1.50,null]}}`, `"secret"`, []string{` must be {"a":[1.50,null]}`}},
		{`{"enum":["a"]}`, `"secret"`, []string{` must be "a"`}},
		{`{"enum":[]}`, `"secret"`, []string{` no value is allowed here: the schema lists none`}},
		{`{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]}`, `19`, []string{` must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 6 more`}},
		{`{"minLength":1}`, `""`, []string{` must have at least 1 character`}},
		{`{"maxLength":3}`, `"secret"`, []string{` must have at most 3 characters`}},
		{`{"pattern":"^a+$"}`, `"secret"`, []string{` must match the pattern "^a+$"`}},
		{`{"minItems":2,"maxItems":1}`, `[]`, []string{` must have at least 2 items`}},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, []string{` must have at most 1 property`}},
		{`{"uniqueItems":true}`, `["secret",1,"secret"]`, []string{` items 0 and 2 are equal, but all must differ`}},
		{`{"contains":{"type":"integer"},"minContains":2}`, `[1,"secret"]`, []string{` must have at least 2 matching items`}},
		{`{"minimum":0.50}`, `0.4`, []string{` must be at least 0.5`}},
		{`{"maximum":1e3}`, `1001`, []string{` must be at most 1000`}},
		{`{"minimum":1,"exclusiveMinimum":1}`, `1`, []string{` must be greater than 1`}},
		{`{"exclusiveMaximum":-1e30}`, `1`, []string{` must be less than -1e30`}},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","maximum":3,"exclusiveMaximum":true}`, `3`, []string{` must be less than 3`}},
		{`{"multipleOf":0.01}`, `0.001`, []string{` must be a multiple of 0.01`}},
		{`{"required":["a","b"]}`, `{}`, []string{` missing property "a"`, ` missing property "b"`}},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, []string{` missing property "b", required where "a" is present`}},
		{`{"properties":{"a/b":{"items":{"type":"string"}}}}`, `{"a/b":["x",1,null]}`, []string{
			`/a~1b/1 must be a string, not a number`, `/a~1b/2 must be a string, not null`}},
		{`{"additionalProperties":false}`, `{"a":"secret"}`, []string{`/a unexpected property`}},
		{`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"b":"secret"}`, []string{`/b unexpected property`}},
		{`{"propertyNames":{"maxLength":2}}`, `{"abc":1,"ab":2}`, []string{`/abc the name of this property must have at most 2 characters`}},
		{`{"not":{"type":"string"}}`, `"secret"`, []string{` must not be a string`}},
		{`{"not":{"required":["a"]}}`, `{"a":1}`, []string{` must not have the property "a"`}},
		{`{"not":{"enum":["secrets","secret"]}}`, `"secret"`, []string{` must not be "secrets" or "secret"`}},
		{`{"not":{"minLength":1,"type":"string"}}`, `"secret"`, []string{` matches the schema under "not", which it must not`}},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1}`, []string{` missing property "b"`}},
		{`{"allOf":[{"required":["a"]},{"required":["a"]}]}`, `{}`, []string{` missing property "a"`}},

		// Unions: what was meant, where that is plain.
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `5`, []string{` must be a string or null, not a number`}},
		{`{"anyOf":[{"const":"a"},{"const":"b"},{"type":"null"}]}`, `5`, []string{` must be "a", "b" or null, not a number`}},
		{`{"anyOf":[{"type":"object","required":["a"]},{"type":"null"}]}`, `{}`, []string{` missing property "a"`}},
		{`{"oneOf":[{"type":"string"},{"maxLength":9}]}`, `"secret"`, []string{` matches forms 1 and 2, but must match exactly one of the 2 allowed forms`}},
		{`{"oneOf":[
			{"properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
			{"properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]}`,
			`{"kind":"square","side":"secret"}`, []string{`/side must be a number, not a string`}},
		{`{"oneOf":[{"properties":{"kind":{"const":"circle"}}},{"properties":{"kind":{"const":"square"}}}]}`,
			`{"kind":"secret"}`, []string{`/kind must be one of "circle", "square"`}},
		{`{"anyOf":[{"required":["a","b"]},{"required":["c"]}]}`, `{}`, []string{
			` matches none of the 2 allowed forms; the closest one asks for this:`, ` missing property "c"`}},

		// Text of the server cannot become more than text.
		{`{"required":["a\u001b[31m\nb"]}`, `{}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.schema, func(t *testing.T) {
			s, err := validate.Compile(json.RawMessage(tt.schema), validate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			violations, err := s.Validate(t.Context(), []byte(tt.value))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range violations {
				got = append(got, v.Pointer+" "+v.Message)
				if strings.ContainsAny(v.Message, "\n\x1b") {
					t.Errorf("not fit to print: %q", v.Message)
				}
			}
			if tt.want != nil {
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			}
		})
	}
}

func TestViolationsAreBounded(t *testing.T) {
	s, err := validate.Compile(json.RawMessage(`{"items":{"type":"string"}}`), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	violations, err := s.Validate(t.Context(), []byte(repeated("1", 1000)))
	if err != nil || len(violations) != 20 {
		t.Errorf("got %d violations, %v", len(violations), err)
	}
}

// TestLenient holds what is let through: what cannot be read, alone.
func TestLenient(t *testing.T) {
	tests := []struct{ schema, valid, invalid, warning string }{
		{`{"properties":{"a":{"$ref":"https://example.com/x"},"b":{"type":"string"}}}`, `{"a":1}`, `{"b":1}`, "/properties/a/$ref"},
		{`{"properties":{"a":{"pattern":"(["},"b":{"type":"string"}}}`, `{"a":"x"}`, `{"b":1}`, "/properties/a/pattern"},
		{`{"patternProperties":{"([":{"type":"null"}},"additionalProperties":false,"minProperties":1}`, `{"a":"x"}`, `{}`, "/patternProperties/(["},
		{`{"required":true,"type":"object"}`, `{}`, `1`, "/required"},
		{`{"properties":{"a":"string"},"required":["b"]}`, `{"a":1,"b":1}`, `{"a":1}`, "/properties/a"},
		{`{"type":"any","minLength":1}`, `5`, `""`, "/type"},
		{`{"$ref":5,"type":"object"}`, `{}`, `1`, "/$ref"},
		{`{"$ref":"#/$defs/gone","required":["a"]}`, `{"a":1}`, `{}`, "/$ref"},
		{`{"$dynamicRef":"#gone","required":["a"]}`, `{"a":1}`, `{}`, "/$dynamicRef"},
	}
	for _, tt := range tests {
		t.Run(tt.schema, func(t *testing.T) {
			s, err := validate.Compile(json.RawMessage(tt.schema), validate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if violations, err := s.Validate(t.Context(), []byte(tt.valid)); len(violations) > 0 || err != nil {
				t.Errorf("%s: %v, %v", tt.valid, violations, err)
			}
			if violations, err := s.Validate(t.Context(), []byte(tt.invalid)); len(violations) == 0 {
				t.Errorf("%s: valid, %v", tt.invalid, err)
			}
			if w := s.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], tt.warning+":") {
				t.Errorf("warnings %q", w)
			}
		})
	}
}

// TestDoubt holds that what cannot be read turns no valid value into an invalid
// one, and takes only that with it which depends on it.
func TestDoubt(t *testing.T) {
	const unknown = `{"$ref":"x:y"}`
	tests := []struct{ schema, valid, invalid string }{
		{`{"not":` + unknown + `}`, `1`, ``},
		{`{"not":{"pattern":"(["}}`, `"a"`, `5`},
		{`{"not":{"type":"any"}}`, `1`, ``},
		{`{"not":{"properties":{"a":` + unknown + `},"required":["a"]}}`, `{"a":1}`, `1`},
		{`{"not":{"not":` + unknown + `}}`, `1`, ``},
		{`{"not":{"anyOf":[` + unknown + `,{"type":"string"}]}}`, `1`, `"a"`},
		{`{"not":{"allOf":[` + unknown + `,{"type":"string"}]}}`, `"a"`, ``},
		{`{"not":{"oneOf":[` + unknown + `,{"type":"string"}]}}`, `"a"`, ``},
		{`{"not":{"contains":` + unknown + `}}`, `[1]`, `1`},
		{`{"not":{"items":{"anyOf":[{"minimum":5},` + unknown + `]}}}`, `[1]`, `[5]`},
		{`{"$ref":"x:y","properties":{"a":{"type":"null"}},"unevaluatedProperties":false}`, `{"b":1}`, `{"a":1}`},
		{`{"not":{"$ref":"x:y","type":"string"}}`, `"a"`, ``},
		{`{"not":{"not":{"$ref":"x:y","type":"string"}}}`, `"a"`, `1`},
		{`{"not":{"multipleOf":7}}`, strings.Repeat("7", 5000), `7`},
		{`{"oneOf":[` + unknown + `,{"minimum":5}]}`, `5`, ``},
		{`{"oneOf":[` + unknown + `,{"minimum":5},{"minimum":7}]}`, `5`, `7`},
		{`{"if":` + unknown + `,"then":false}`, `1`, ``},
		{`{"if":` + unknown + `,"then":{"minimum":1},"else":{"minimum":2}}`, `1`, `0`},
		{`{"contains":` + unknown + `,"maxContains":1}`, `[1,2]`, `[]`},
		{`{"contains":{"anyOf":[{"minimum":5},` + unknown + `]},"maxContains":1}`, `[1,5]`, `[5,6]`},
		{`{"anyOf":[` + unknown + `,true],"properties":{"a":{"type":"null"}},"unevaluatedProperties":false}`, `{"b":1}`, `{"a":1}`},
		{`{"not":{"anyOf":[` + unknown + `,true],"unevaluatedProperties":false}}`, `{"b":1}`, `1`},
		{`{"if":` + unknown + `,"then":{"prefixItems":[true]},"else":{"prefixItems":[true,true]},"unevaluatedItems":false}`, `[1,2]`, ``},
		{`{"if":{"items":` + unknown + `},"then":{"prefixItems":[true]},"unevaluatedItems":{"type":"null"}}`, `[1,2]`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.schema, func(t *testing.T) {
			s := compile(t, `{"properties":{"v":`+tt.schema+`,"w":{"minimum":1}}}`)
			holds(t, s, `{"v":`+tt.valid+`,"w":1}`, true)
			holds(t, s, `{"v":`+tt.valid+`,"w":0}`, false)
			if tt.invalid != "" {
				holds(t, s, `{"v":`+tt.invalid+`}`, false)
			}
		})
	}
}

// holds fails the test unless value is decided, and as want says.
func holds(t *testing.T, s *validate.Schema, value string, want bool) {
	t.Helper()
	violations, err := s.Validate(t.Context(), []byte(value))
	if err != nil || (len(violations) == 0) != want {
		t.Errorf("%.100s: valid should be %v, got %v, %v", value, want, violations, err)
	}
}

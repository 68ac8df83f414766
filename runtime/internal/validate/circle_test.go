package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCircles holds what a schema means that leads back to itself: there nothing is
// known, and everything else counts.
func TestCircles(t *testing.T) {
	const d = `{"$ref":"#/$defs/D"}`
	tests := []struct {
		name, d string
		valid   []string // against D
		invalid []string
		places  []string // where it leads back, below $defs
	}{
		{"reference", d, []string{`1`, `{}`}, nil, []string{"D"}},
		{"two references", `{"$ref":"#/$defs/E"}`, []string{`1`}, nil, []string{"E"}},
		{"reference beside a type", `{"$ref":"#/$defs/D","type":"string"}`, []string{`"a"`}, []string{`1`}, []string{"D"}},
		{"two references with a type in the second", `{"$ref":"#/$defs/T"}`, []string{`1`}, []string{`"a"`}, []string{"T/anyOf/0", "T/anyOf/1"}},
		{"allOf", `{"allOf":[` + d + `,{"minimum":5}]}`, []string{`5`}, []string{`4`}, []string{"D/allOf/0"}},
		{"anyOf", `{"anyOf":[` + d + `,{"minimum":5}]}`, []string{`5`, `4`}, nil, []string{"D/anyOf/0"}},
		{"anyOf, and a type", `{"anyOf":[{"minimum":5},` + d + `],"type":"number"}`, []string{`5`, `4`}, []string{`"a"`}, []string{"D/anyOf/1"}},
		{"oneOf", `{"oneOf":[` + d + `,{"minimum":5}]}`, []string{`5`, `4`}, nil, []string{"D/oneOf/0"}},
		{"oneOf with two certain forms", `{"oneOf":[` + d + `,{"minimum":5},{"minimum":7}]}`, []string{`4`, `5`}, []string{`7`}, []string{"D/oneOf/0"}},
		{"not", `{"not":` + d + `}`, []string{`1`}, nil, []string{"D/not"}},
		{"not not", `{"not":{"not":` + d + `}}`, []string{`1`}, nil, []string{"D/not/not"}},
		{"not, of a schema with a type", `{"not":{"allOf":[` + d + `,{"type":"string"}]}}`, []string{`1`, `"a"`}, nil, []string{"D/not/allOf/0"}},
		{"not, with a certain form", `{"not":{"anyOf":[` + d + `,{"type":"string"}]}}`, []string{`1`}, []string{`"a"`}, []string{"D/not/anyOf/0"}},
		{"if", `{"if":` + d + `,"then":{"minimum":1},"else":{"minimum":2}}`, []string{`1`, `2`}, []string{`0`}, []string{"D/if"}},
		{"if, with then alone", `{"if":` + d + `,"then":false}`, []string{`1`}, nil, []string{"D/if"}},
		{"then", `{"if":{"minimum":5},"then":` + d + `,"else":{"minimum":1}}`, []string{`5`, `1`}, []string{`0`}, []string{"D/then"}},
		{"else", `{"if":{"minimum":5},"else":` + d + `,"then":{"maximum":9}}`, []string{`1`, `9`}, []string{`10`}, []string{"D/else"}},
		{"dependentSchemas", `{"dependentSchemas":{"a":` + d + `},"maxProperties":1}`, []string{`{"a":1}`, `{"b":1}`}, []string{`{"a":1,"b":1}`}, []string{"D/dependentSchemas/a"}},
		{"dependencies", `{"dependencies":{"a":` + d + `},"maxProperties":1}`, []string{`{"a":1}`}, []string{`{"a":1,"b":1}`}, []string{"D/dependencies/a"}},
		{"$dynamicRef", `{"$dynamicRef":"#d","$dynamicAnchor":"d","type":"string"}`, []string{`"a"`}, []string{`1`}, []string{"D"}},
		{"$dynamicRef that is none", `{"$dynamicRef":"#/$defs/D","type":"string"}`, []string{`"a"`}, []string{`1`}, []string{"D"}},
		{"an $id", `{"$id":"http://a.example/d","$ref":"http://a.example/d#","type":"string"}`, []string{`"a"`}, []string{`1`}, []string{"D"}},
		{"an anchor", `{"$anchor":"d","allOf":[{"$ref":"#d"}],"type":"string"}`, []string{`"a"`}, []string{`1`}, []string{"D/allOf/0"}},
		{"in the values of a map", `{"additionalProperties":{"$ref":"#/$defs/T"}}`, []string{`{"a":1}`}, []string{`{"a":"b"}`}, []string{"T/anyOf/1"}},
		{"in the names of a map", `{"propertyNames":{"allOf":[{"$ref":"#/$defs/N"}]}}`, []string{`{"abc":1}`}, []string{`{"a":1}`}, []string{"N"}},
		{"in items", `{"items":{"$ref":"#/$defs/T"},"contains":{"$ref":"#/$defs/T"}}`, []string{`[1]`}, []string{`["a"]`, `[]`}, []string{"T/anyOf/1"}},
		{"in a bounded number of items", `{"contains":{"$ref":"#/$defs/L"},"maxContains":1}`, []string{`[1]`, `[1,2]`}, []string{`["a"]`}, []string{"L"}},
		{"what it evaluates", `{"anyOf":[` + d + `],"properties":{"a":{"type":"null"}},"unevaluatedProperties":false}`, []string{`{"a":null,"b":1}`}, []string{`{"a":1}`}, []string{"D/anyOf/0"}},

		{"a tree", `{"type":"object","properties":{"l":{"items":` + d + `},"r":` + d + `},"additionalProperties":false}`,
			[]string{`{"l":[{"r":{}},{}]}`}, []string{`{"l":[{"r":{"x":1}},{}]}`}, nil},
		{"a tree of unions", `{"anyOf":[{"type":"null"},{"type":"array","items":` + d + `},{"type":"object","required":["t"],"additionalProperties":` + d + `}]}`,
			[]string{`{"t":[[],{"t":null}]}`}, []string{`{"t":[[],{"a":null}]}`}, nil},
		{"a tree under not", `{"type":["array","null"],"items":{"not":` + d + `}}`, []string{`[1]`, `[[null]]`}, []string{`[[]]`, `[null]`}, nil},
		{"a tree of dynamic references", `{"$dynamicAnchor":"n","type":"object","additionalProperties":{"$dynamicRef":"#n"}}`, []string{`{"a":{"b":{}}}`}, []string{`{"a":{"b":1}}`}, nil},
		{"one definition used twice", `{"allOf":[{"$ref":"#/$defs/S"},{"not":{"not":{"$ref":"#/$defs/S"}}}]}`, []string{`"a"`}, []string{`1`}, nil},
	}
	others := map[string]string{
		"E": d, "S": `{"type":"string"}`,
		"T": `{"type":"integer","anyOf":[{"$ref":"#/$defs/D"},{"$ref":"#/$defs/T"}]}`,
		"L": `{"type":"integer","$ref":"#/$defs/L"}`,
		"N": `{"minLength":3,"$ref":"#/$defs/N"}`,
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defs := `"D":` + tt.d
			for name, other := range others {
				if strings.Contains(tt.d, "#/$defs/"+name+`"`) && name != "D" {
					defs += fmt.Sprintf(`,%q:%s`, name, other)
				}
			}
			s := compile(t, `{"properties":{"b":{"minimum":1},"v":`+d+`,"a":{"minimum":1}},"required":["v"],"$defs":{`+defs+`}}`)
			for _, value := range tt.valid {
				holds(t, s, `{"v":`+value+`,"a":1}`, true)
				holds(t, s, `{"v":`+value+`,"a":0}`, false)
				holds(t, s, `{"b":0,"v":`+value+`}`, false)
			}
			for _, value := range tt.invalid {
				holds(t, s, `{"v":`+value+`}`, false)
			}
			holds(t, s, `{}`, false)
			var places []string
			for _, w := range s.Warnings() {
				place, _, _ := strings.Cut(strings.TrimPrefix(w, "/$defs/"), ": ")
				places = append(places, place)
			}
			if !slices.Equal(places, tt.places) {
				t.Errorf("warnings %q, want them at %q", s.Warnings(), tt.places)
			}
		})
	}
}

// TestCirclesThroughResources holds that a second visit from other resources is none
// of the same: what a dynamic reference means there may differ.
func TestCirclesThroughResources(t *testing.T) {
	s := compile(t, `{
		"$id": "http://a.example/root",
		"properties": {"v": {"$ref": "b"}},
		"$defs": {
			"b": {"$id": "b", "allOf": [{"$ref": "g"}, {"$ref": "n"}]},
			"n": {"$id": "n", "$dynamicAnchor": "x", "type": "string", "$ref": "g"},
			"g": {"$id": "g", "$dynamicRef": "n#x", "$defs": {"x": {"$dynamicAnchor": "x", "maxLength": 3}}}
		}
	}`)
	holds(t, s, `{"v":"abc"}`, true)
	holds(t, s, `{"v":"abcd"}`, false)
	holds(t, s, `{"v":1}`, false)
}

// TestCirclesOfTwoResources holds that what one resource refuses is asked again when
// another leads there, as deep as the first.
func TestCirclesOfTwoResources(t *testing.T) {
	s := compile(t, `{
		"$id": "http://a.example/root",
		"anyOf": [{"$ref": "a"}, {"$ref": "b"}],
		"$defs": {
			"a": {"$id": "a", "$ref": "g", "$defs": {"x": {"$dynamicAnchor": "x", "type": "integer"}}},
			"b": {"$id": "b", "$ref": "g", "$defs": {"x": {"$dynamicAnchor": "x", "type": "string"}}},
			"g": {"$id": "g", "allOf": [{"anyOf": [{"$ref": "#"}, true]}, {"$dynamicRef": "#x"}], "$defs": {"x": {"$dynamicAnchor": "x"}}}
		}
	}`)
	holds(t, s, `1`, true)
	holds(t, s, `"a"`, true)
	holds(t, s, `null`, false)
}

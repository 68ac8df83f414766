package drift_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/drift"
)

// grades compares two tools and returns what changed as "code grade place" lines.
func grades(before, after drift.Tool) []string {
	var out []string
	for _, c := range drift.Compare(before, after, drift.Options{}) {
		var names []string
		for _, g := range c.Grades {
			names = append(names, g.String())
		}
		out = append(out, strings.Join([]string{strings.Join(names, "+"), string(c.Code), c.Pointer}, " "))
	}
	return out
}

func arguments(schema string) drift.Tool {
	return drift.Tool{Name: "t", InputSchema: json.RawMessage(schema)}
}

func results(schema string) drift.Tool {
	return drift.Tool{Name: "t", OutputSchema: json.RawMessage(schema)}
}

// TestNoChange holds what is written differently and means the same.
func TestNoChange(t *testing.T) {
	for name, pair := range map[string][2]string{
		"key order":       {`{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{}}}`, `{"properties":{"b":{},"a":{"minLength":1,"type":"string"}},"type":"object"}`},
		"ref inlined":     {`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`},
		"type list":       {`{"type":["object"],"properties":{"a":{"type":["string"]}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		"null by anyOf":   {`{"properties":{"a":{"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}}}`, `{"properties":{"a":{"type":["null","string"],"maxLength":3}}}`},
		"null by oneOf":   {`{"properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"}]}}}`, `{"properties":{"a":{"type":["null","string"]}}}`},
		"order of lists":  {`{"properties":{"a":{"enum":["x","y"]},"b":{}},"required":["a","b"]}`, `{"properties":{"a":{"enum":["y","x"]},"b":{}},"required":["b","a"]}`},
		"enum by const":   {`{"properties":{"a":{"enum":["x","y"]}}}`, `{"properties":{"a":{"oneOf":[{"const":"x"},{"const":"y"}]}}}`},
		"number spelling": {`{"properties":{"a":{"type":"number","maximum":10}}}`, `{"properties":{"a":{"type":"number","maximum":1e1}}}`},
		"allOf merged":    {`{"allOf":[{"type":"object"},{"properties":{"a":{"type":"string"}}}]}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		"variant order":   {`{"properties":{"a":{"anyOf":[{"type":"object","properties":{"x":{}}},{"type":"object","properties":{"y":{}}}]}}}`, `{"properties":{"a":{"anyOf":[{"type":"object","properties":{"y":{}}},{"type":"object","properties":{"x":{}}}]}}}`},
		"recursion unrolled": {
			`{"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}},"$ref":"#/$defs/N"}`,
			`{"$defs":{"N":{"type":"object","properties":{"next":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}},"$ref":"#/$defs/N"}`,
		},
		"whole bounds": {`{"properties":{"a":{"type":"integer","exclusiveMinimum":0}}}`, `{"properties":{"a":{"type":"integer","minimum":1}}}`},
		"unknown but equal": {
			`{"properties":{"a":{}},"not":{"required":["a"]},"if":{"required":["a"]},"then":{"properties":{"a":{"$ref":"#/$defs/X"}}},"$defs":{"X":{"type":"string"}}}`,
			`{"properties":{"a":{}},"not":{"required":["a"]},"if":{"required":["a"]},"then":{"properties":{"a":{"type":"string"}}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
				if got := grades(arguments(p[0]), arguments(p[1])); len(got) > 0 {
					t.Errorf("arguments: %q", got)
				}
				if got := grades(results(p[0]), results(p[1])); len(got) > 0 {
					t.Errorf("results: %q", got)
				}
			}
		})
	}
}

// TestDemonstration is what the issue asks for; the command line adds source.
func TestDemonstration(t *testing.T) {
	in := func(props, required string) string {
		return `{"type":"object","properties":{` + props + `},"required":[` + required + `]}`
	}
	hint := func(annotations string) drift.Tool {
		return drift.Tool{Name: "t", Annotations: json.RawMessage(annotations)}
	}
	for name, c := range map[string]struct {
		before, after drift.Tool
		want          string
	}{
		"result field dropped":     {results(in(`"a":{"type":"string"},"b":{"type":"string"}`, `"a","b"`)), results(in(`"a":{"type":"string"}`, `"a"`)), "call result-field-removed /outputSchema/properties/b"},
		"required argument added":  {arguments(in(`"a":{"type":"string"}`, `"a"`)), arguments(in(`"a":{"type":"string"},"b":{"type":"string"}`, `"a","b"`)), "call argument-required-added /inputSchema/properties/b"},
		"argument enum widened":    {arguments(in(`"a":{"enum":["x"]}`, ``)), arguments(in(`"a":{"enum":["x","y"]}`, ``)), "safe argument-enum-widened /inputSchema/properties/a"},
		"result enum widened":      {results(in(`"a":{"enum":["x"]}`, ``)), results(in(`"a":{"enum":["x","y"]}`, ``)), "call result-enum-widened /outputSchema/properties/a"},
		"read-only lost":           {hint(`{"readOnlyHint":true}`), hint(`{"readOnlyHint":false}`), "privilege read-only-lost /annotations/readOnlyHint"},
		"description changed":      {drift.Tool{Name: "t", Description: "Old."}, drift.Tool{Name: "t", Description: "New."}, "doc description-changed /description"},
		"optional argument added":  {arguments(in(`"a":{"type":"string"}`, `"a"`)), arguments(in(`"a":{"type":"string"},"b":{"type":"string"}`, `"a"`)), "safe argument-added /inputSchema/properties/b"},
		"field added, closed":      {results(`{"type":"object","properties":{"a":{}},"additionalProperties":false}`), results(`{"type":"object","properties":{"a":{},"b":{"type":"string"}},"additionalProperties":false}`), "safe result-field-added /outputSchema/properties/b"},
		"read-only lost, was more": {hint(`{"readOnlyHint":true,"destructiveHint":false}`), hint(`{"destructiveHint":true}`), "privilege read-only-lost /annotations/readOnlyHint"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := grades(c.before, c.after); !slices.Equal(got, []string{c.want}) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

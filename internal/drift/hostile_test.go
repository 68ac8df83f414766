package drift_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/drift"
)

// TestHostile compares schemas that were made to hang, crash or exhaust whoever
// reads them. Blow-ups do not end within go test's own limit; nothing is timed
// here, since machines differ.
func TestHostile(t *testing.T) {
	values := 50_000
	if testing.Short() {
		values /= 10
	}
	double := `{"$defs":{` + repeat(60, func(i int) string {
		return fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1)
	}) + `,"d60":{"type":"string"}},"$ref":"#/$defs/d0"}`
	unions := `{"allOf":[` + repeat(40, func(i int) string {
		return fmt.Sprintf(`{"anyOf":[{"required":["a%d"]},{"required":["b%d"]}]}`, i, i)
	}) + `]}`
	mutual := `{"$defs":{` + repeat(40, func(i int) string {
		return fmt.Sprintf(`"n%d":{"type":"object","properties":{%s}}`, i, repeat(40, func(j int) string {
			return fmt.Sprintf(`"p%d":{"anyOf":[{"$ref":"#/$defs/n%d"},{"$ref":"#/$defs/n%d"}]}`, j, j, (i+j)%40)
		}))
	}) + `},"$ref":"#/$defs/n0"}`
	enum := func(first int) string {
		return `{"properties":{"a":{"enum":[` + repeat(values, func(i int) string { return fmt.Sprintf(`{"v":%d}`, first+i) }) + `]}}}`
	}
	oneOf := func(key string) string {
		return `{"oneOf":[` + repeat(60, func(i int) string {
			return fmt.Sprintf(`{"type":"object","properties":{"%s%d":{"type":"string"}},"required":["%s%d"]}`, key, i, key, i)
		}) + `]}`
	}
	deep := strings.Repeat(`{"items":`, 190) + `{}` + strings.Repeat(`}`, 190)
	nested := func(x string) string {
		value := strings.Repeat("[", 190) + x + strings.Repeat("]", 190)
		return `{"enum":[` + value + `,0],"default":` + value + `}`
	}
	all := map[string][2]string{
		"doubling references": {double, strings.Replace(double, `"string"`, `"integer"`, 1)},
		"many unions":         {unions, strings.Replace(unions, "a3", "c3", 1)},
		"everything mutual":   {mutual, strings.Replace(mutual, `"object"`, `"array"`, 1)},
		"wide enum":           {enum(0), enum(1)},
		"wide oneOf":          {oneOf("a"), oneOf("b")},
		"deep":                {deep, strings.Replace(deep, "{}", `{"type":"string"}`, 1)},
		"deep values":         {nested("1"), nested("2")},
		"too deep":            {strings.Repeat("[", 5000), "{}"},
		"self":                {`{"$ref":"#"}`, `{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`},
		"self by union":       {`{"anyOf":[{"$ref":"#"},{"type":"string"}]}`, `{"oneOf":[{"type":"string"},{"$ref":"#"}]}`},
		"remote":              {`{"$ref":"https://example.com/a"}`, `{"$ref":"file:///etc/passwd"}`},
		"huge numbers":        {`{"type":"integer","maximum":1e1000000000}`, `{"type":"integer","maximum":1e-1000000000}`},
		"no schema":           {`[]`, `5`},
		"malformed": {
			`{"properties":[],"required":true,"enum":5,"type":"map","items":7,"anyOf":{},"$ref":3,"minLength":"x","not":8,"dependentRequired":[1],"patternProperties":{"a":3}}`,
			`{"properties":{"a":4},"required":{"a":1},"enum":[],"type":[1],"allOf":[7],"oneOf":[],"const":null,"multipleOf":0,"dependentRequired":{"a":3},"propertyNames":1}`,
		},
	}
	for name, pair := range all {
		t.Run(name, func(t *testing.T) {
			both(pair[0], pair[1])
			both(pair[1], pair[0])
			if both(pair[0], pair[0]) {
				t.Error("changed although it is the same")
			}
		})
	}
}

func repeat(n int, f func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = f(i)
	}
	return strings.Join(parts, ",")
}

// both compares two schemas in both roles, and reports whether anything changed.
func both(before, after string) bool {
	o := drift.Options{ValidatedResults: true, Times: true}
	old := drift.Tool{InputSchema: json.RawMessage(before), OutputSchema: json.RawMessage(before)}
	now := drift.Tool{InputSchema: json.RawMessage(after), OutputSchema: json.RawMessage(after)}
	return len(drift.Compare(old, now, o)) > 0
}

func FuzzCompare(f *testing.F) {
	for _, s := range []string{
		`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}},"required":["a"]}`,
		`{"oneOf":[{"const":1},{"type":"integer","minimum":2},{"$ref":"#/oneOf/1"}]}`,
		`{"$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}}}},"$ref":"#/$defs/N","not":{}}`,
		`{"items":[{},false],"additionalItems":{},"prefixItems":[{}],"patternProperties":{"^a":{}},"additionalProperties":{}}`,
	} {
		f.Add(s, `{"allOf":[{"anyOf":[{"type":"string"},{"type":"object"}]}],"unevaluatedProperties":false}`)
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		both(before, after)
		if both(before, before) && json.Valid([]byte(before)) {
			t.Error("changed although it is the same")
		}
	})
}

package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// each joins n texts made by format, which gets i as often as it asks.
func each(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.ReplaceAll(format, "%", fmt.Sprint(i))
	}
	return strings.Join(texts, ",")
}

// TestHostileSizes lowers schemas made to cost much: it ends, with all tools and
// a word about what was given up. What they may cost is held by TestBombs of gen.
func TestHostileSizes(t *testing.T) {
	count := 20
	if testing.Short() {
		count = 3
	}
	property := func(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }
	doubling := make([]string, 40)
	for i := range doubling {
		doubling[i] = fmt.Sprintf(`"D%d":{"allOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%d"}]}`, i, i+1, i+1)
	}
	sets := make([]string, 25)
	for i := range sets {
		sets[i] = fmt.Sprintf(`"D%d":{"type":"object","properties":{"x":{"allOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%d"}]},"y":{"allOf":[{"$ref":"#/$defs/D%d"},{"$ref":"#/$defs/D%d"}]}}}`,
			i, (i+1)%25, (i+2)%25, (i+3)%25, (i+7)%25)
	}
	for _, test := range []struct {
		name, schema string
		honest       bool
	}{
		{"doubling", `{"type":"object","properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + strings.Join(doubling, ",") + `,"D40":{"type":"integer"}}}`, true},
		{"product of unions", property(`{"type":"object","allOf":[` + each(30, `{"anyOf":[{"properties":{"a%":{"type":"string"}}},{"properties":{"b%":{"type":"string"}}}]}`) + `]}`), false},
		{"sets of definitions", `{"type":"object","properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + strings.Join(sets, ",") + `}}`, false},
		{"wide union", property(`{"oneOf":[` + each(5000, `{"type":"object","properties":{"v%":{"type":"string"}}}`) + `]}`), false},
		{"wide enum", property(`{"enum":[` + each(2000, `"v%"`) + `]}`), true},
		{"wide object", `{"type":"object","properties":{` + each(20_000, `"p%":{"type":"string"}`) + `}}`, false},
		{"wide required", `{"type":"object","required":[` + each(20_000, `"p%"`) + `]}`, false},
		{"wide tuple", property(`{"type":"array","prefixItems":[` + each(20_000, `{"type":"string"}`) + `]}`), false},
		{"very wide enum", property(`{"enum":[` + each(20_000, `"v%"`) + `]}`), false},
		{"wide root union", `{"oneOf":[` + each(30, `{"type":"object","properties":{"k":{"const":"v%"},"x":{"type":"string","minLength":%}},"required":["k"]}`) + `]}`, true},
		{"names that are one", property(`{"enum":[` + each(300, `"-a% "`) + `,` + each(300, `"-a%  "`) + `,` + each(300, `"--a%"`) + `]}`), true},
		{"deep", strings.Repeat(`{"type":"object","properties":{"p":`, 99) + `{}` + strings.Repeat(`}}`, 99), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var tools []snapshot.Tool
			for i := range count {
				tools = append(tools, snapshot.Tool{Name: fmt.Sprintf("t%d", i), InputSchema: parsed(test.schema)})
			}
			start := time.Now()
			r, err := Lower(Input{Server: "s", Tools: tools})
			if err != nil {
				t.Fatal(err)
			}
			warned := slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Warning })
			if warned == test.honest {
				t.Errorf("diagnostics: %v", r.Diagnostics)
			}
			if len(r.Package.Tools) != len(tools) {
				t.Errorf("%d tools are left", len(r.Package.Tools))
			}
			t.Logf("%v for %+v", time.Since(start), r.Stats)
		})
	}
}

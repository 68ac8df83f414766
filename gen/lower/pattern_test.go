package lower

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

func TestBadPatterns(t *testing.T) {
	const (
		at  = "/inputSchema/properties/p/pattern"
		key = "/inputSchema/patternProperties"
	)
	property := func(pattern string) string {
		return `{"type":"object","properties":{"p":{"type":"string","pattern":` + pattern + `}}}`
	}
	for _, test := range []struct{ name, schema, pointer string }{
		{"fine", property(`"^[a-z]+$"`), ""},
		{"look ahead", property(`"^(?=a)(?<y>b)\\k<y>$"`), ""},
		{"escapes that u forbids", property(`"^\\-\\_\\@$"`), ""},
		{"a pattern as data", `{"type":"object","properties":{"pattern":{"default":{"pattern":"(["}}}}`, ""},
		{"open group and class", property(`"(["`), at},
		{"open group", property(`"(a"`), at},
		{"wrong order", property(`"[z-a]"`), at},
		{"nothing to repeat", property(`"*a"`), at},
		{"too long", property(`"` + strings.Repeat("a", maxPattern+1) + `"`), at},
		{"no string", property(`["a"]`), at},
		{"key", `{"type":"object","patternProperties":{"^(":{"type":"string"}}}`, key},
		{"under not", `{"type":"object","not":{"properties":{"a":{"pattern":"("}}}}`, "/inputSchema/not/properties/a/pattern"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Lower(Input{Server: "s", Tools: []snapshot.Tool{{Name: "t", InputSchema: parsed(test.schema)}}})
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool {
				return d.Pointer == test.pointer && (d.Code == CodeBadPattern || d.Code == CodeMalformedKeyword)
			})
			if said != (test.pointer != "") || test.pointer == "" && len(r.Diagnostics) > 0 {
				t.Errorf("diagnostics: %v", r.Diagnostics)
			}
		})
	}
}

package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/diag"
)

// TestWideArguments gives arguments as many properties as a struct may have
// fields, and more: they stay a struct.
func TestWideArguments(t *testing.T) {
	object := func(properties int) string {
		list := make([]string, properties)
		for i := range list {
			list[i] = fmt.Sprintf(`"p%d":{"type":"string"}`, i)
		}
		return `{"type":"object","properties":{` + strings.Join(list, ",") + `}}`
	}
	union := func(properties int) string {
		return `{"anyOf":[` + object(properties) + `,{"type":"object","properties":{"p0":{"type":"integer"}}}]}`
	}
	for _, test := range []struct {
		name, schema string
		fits         bool
	}{
		{"as many as fit", object(maxFields), true},
		{"one more", object(maxFields + 1), false},
		{"more than any type has", object(maxMembers + 1), false},
		{"in a union", union(maxFields + 1), false},
		{"in a union, more than any type has", union(maxMembers + 1), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, test.schema, "")
			text := render(r.Package)
			if !strings.Contains(text, "struct TInput\n") {
				t.Errorf("the arguments are no struct: %.200s", text)
			}
			if strings.Contains(text, "P4999 ") != test.fits || strings.Contains(text, "extra Extra map any\n") == test.fits {
				t.Errorf("want a field for each or else Extra alone: %.200s", text)
			}
			said := slices.ContainsFunc(r.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == CodeTooComplex })
			if said == test.fits {
				t.Errorf("diagnostics: %v", r.Diagnostics)
			}
		})
	}
}

package lower

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRefCycles holds that references which lead back to themselves cost the part
// where they do, and that the diagnostic names it.
func TestRefCycles(t *testing.T) {
	const d = `{"$ref":"#/$defs/D"}`
	const atD, atU = "/inputSchema/$defs/D", "/inputSchema/$defs/U"
	for _, test := range []struct {
		name, d, want string
		pointers      []string // of the diagnostics
	}{
		{"reference", d, "P any optional", []string{atD}},
		{"reference beside a type", `{"$ref":"#/$defs/D","type":"string"}`, "P any optional", []string{atD}},
		{"two references", `{"$ref":"#/$defs/E"}`, "P any optional", []string{atD}},
		{"allOf", `{"allOf":[` + d + `,{"type":"object","properties":{"a":{"type":"string"}}}]}`, "P *D optional; struct D; A *string optional", []string{atD}},
		{"the one form", `{"anyOf":[` + d + `]}`, "P any optional", []string{atD}},
		{"dynamic reference", `{"type":"string","$dynamicRef":"#d","$dynamicAnchor":"d"}`, "P *string optional", []string{atD}},
		{"in a list", `{"type":"array","items":{"$ref":"#/$defs/U"}}`, "P []any optional", []string{atU}},
		{"in a map, as one form", `{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/U"},{"type":"string"}]}}`, "P map any optional", []string{atU}},
		// A form that is the union itself adds nothing to it, and conditions give no types.
		{"anyOf", `{"anyOf":[` + d + `,{"type":"string"}]}`, "P *string optional", nil},
		{"oneOf", `{"oneOf":[{"type":"string"},` + d + `]}`, "P *string optional", nil},
		{"a union in a union", `{"anyOf":[{"type":"string"},{"oneOf":[{"type":"boolean"},` + d + `]}]}`, "P D optional; union D: DText DBool DRaw; type DText string; type DBool bool; type DRaw json.RawMessage", nil},
		{"two unions", `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/V"}]}`, "P D optional; union D: DText DInteger DRaw; type DText string; type DInteger int; type DRaw json.RawMessage", nil},
		{"not", `{"not":` + d + `,"type":"string"}`, "P *string optional", nil},
		{"if", `{"if":` + d + `,"then":` + d + `,"else":` + d + `,"type":"string"}`, "P *string optional", nil},
		{"dependentSchemas", `{"type":"object","properties":{"a":{"type":"string"}},"dependentSchemas":{"a":` + d + `}}`, "P *D optional; struct D; A *string optional", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			input := `{"type":"object","properties":{"p":` + d + `,"q":{"type":"integer"}},"required":["q"],` +
				`"$defs":{"D":` + test.d + `,"E":` + d + `,"U":{"$ref":"#/$defs/U"},"V":{"anyOf":[` + d + `,{"type":"integer"}]}}}`
			r := lowerOne(t, Options{}, input, "")
			var pointers []string
			for _, d := range r.Diagnostics {
				pointers = append(pointers, d.Pointer)
			}
			if diff := cmp.Diff(test.pointers, pointers); diff != "" {
				t.Errorf("diagnostics -want +got:\n%s%v", diff, r.Diagnostics)
			}
			field, types, _ := strings.Cut(test.want, "; ")
			want := strings.TrimSuffix(field+"; Q int; "+types, "; ")
			if diff := cmp.Diff(want, oneLine(render(r.Package))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

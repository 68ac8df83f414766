package lower

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
)

// TestSeveralObjects has arguments that are one of several objects. What one of
// them says holds for all only where the others say it too, or rule the key out.
func TestSeveralObjects(t *testing.T) {
	const closed = `,"additionalProperties":false`
	branch := func(properties, more string) string { return `{"properties":{` + properties + `}` + more + `}` }
	for _, test := range []struct {
		name, beside string
		branches     []string
		want         string
		codes        []diag.Code // beside CodeRootVariants
	}{
		{name: "closed", branches: []string{branch(`"a":{"type":"integer"}`, closed), branch(`"b":{"type":"string"}`, closed)},
			want: "A *int optional; B *string optional"},
		{name: "open", branches: []string{branch(`"a":{"type":"integer"}`, ""), branch(`"b":{"type":"string"}`, "")},
			want: "A any optional; B any optional", codes: []diag.Code{CodeOpenAlternative, CodeOpenAlternative}},
		{name: "one open", branches: []string{branch(`"a":{"type":"integer"}`, closed), branch(`"b":{"type":"string"}`, "")},
			want: "A any optional; B *string optional", codes: []diag.Code{CodeOpenAlternative}},
		{name: "a map beside", branches: []string{branch(`"a":{"type":"integer"}`, closed), `{"additionalProperties":{"type":"integer"}}`},
			want: "A *int optional; extra Extra map int"},
		{name: "nothing beside", branches: []string{branch(`"a":{"type":["integer","null"]}`, ""), `{"type":"object"}`},
			want: "A any optional", codes: []diag.Code{CodeOpenAlternative}},
		{name: "an object or anything", branches: []string{branch(`"a":{"type":"object","properties":{"x":{"type":"integer"}}}`, ""), `{"type":"object"}`},
			want: "A TA optional; union TA: TAObject TARaw; struct TAObject; X *int optional; type TARaw json.RawMessage"},
		{name: "constants", branches: []string{branch(`"k":{"const":"a"}`, `,"required":["k"]`), branch(`"k":{"const":"b"}`, `,"required":["k"]`)},
			want: `K TK; enum TK string: TKA="a" TKB="b"`},
		{name: "a constant of one", beside: `,"required":["k"]`, branches: []string{branch(`"k":{"const":"a"}`, ""), `{"required":["y"]}`},
			want: "K any; Y any optional", codes: []diag.Code{CodeOpenAlternative}},
		{name: "extras of one", branches: []string{branch(`"a":{"type":"integer"}`, `,"additionalProperties":{"type":"string"}`), branch(`"a":{"type":"integer"}`, "")},
			want: "A *int optional; extra Extra map any", codes: []diag.Code{CodeMixedExtra}},
		{name: "extras and none", branches: []string{branch(`"a":{"type":"integer"}`, `,"additionalProperties":{"type":"string"}`), branch(`"a":{"type":"integer"}`, closed)},
			want: "A *int optional; extra Extra map string"},
		{name: "patterns", branches: []string{branch(`"a":{"type":"integer"}`, closed), `{"patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}`},
			want: "A any optional; extra Extra map string", codes: []diag.Code{CodeOpenAlternative}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, `{"type":"object","anyOf":[`+strings.Join(test.branches, ",")+`]`+test.beside+`}`, "")
			if diff := cmp.Diff(test.want, oneLine(render(r.Package))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			want := map[diag.Code]int{CodeRootVariants: 1}
			for _, c := range test.codes {
				want[c]++
			}
			got := map[diag.Code]int{}
			for _, c := range codesOf(r) {
				got[c]++
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("diagnostics -want +got:\n%s\n%v", diff, r.Diagnostics)
			}
		})
	}
}

// TestFieldOfSeveralObjects: what becomes untyped keeps its words.
func TestFieldOfSeveralObjects(t *testing.T) {
	r := lowerOne(t, Options{}, `{"type":"object","anyOf":[
		{"properties":{"a":{"type":"integer","description":"The width."},"b":{"type":"integer","description":"One."}}},
		{"properties":{"b":{"type":"string","description":"Another."}}}]}`, "")
	fields := r.Package.Tools[0].Input.(model.Ref).Decl.(*model.Struct).Fields
	for i, want := range []string{"The width.", ""} {
		if got := fields[i].Doc.Server; got != want {
			t.Errorf("%s is documented as %q, want %q", fields[i].Name, got, want)
		}
	}
}

// TestSeveralArrays has lists and tuples that are alternatives.
func TestSeveralArrays(t *testing.T) {
	for _, test := range []struct {
		name, schema, want string
		codes              []diag.Code
	}{
		{"texts or anything", `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array"}]}`, "P []any", []diag.Code{CodeOpenAlternative}},
		{"bare", `{"anyOf":[{"type":"array","minItems":1},{"type":"array","items":{}}]}`, "P []any", nil},
		{"objects or anything", `{"anyOf":[{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}},{"type":"array"}]}`,
			"P []TP; union TP: TPObject TPRaw; struct TPObject; A *string optional; type TPRaw json.RawMessage", nil},
		{"refined positions", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"anyOf":[{"prefixItems":[{"const":"a"}]},{"prefixItems":[{"const":"b"}]}]}`,
			`P TP; tuple TP; V0 TV0; V1 int; rest []any; enum TV0 string: TV0A="a" TV0B="b"`, nil},
		{"open tuples", `{"anyOf":[{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":1},{"type":"array","prefixItems":[{"type":"string"}]}]}`,
			"P TP; tuple TP; V0 *string optional; V1 any optional; rest []any", []diag.Code{CodeOpenAlternative}},
		{"closed tuples", `{"anyOf":[{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false},{"type":"array","prefixItems":[{"type":"number"}],"items":false}]}`,
			"P []float64", nil},
		{"a tuple or a list", `{"anyOf":[{"type":"array","prefixItems":[{"type":"string"}]},{"type":"array"}]}`, "P []any", []diag.Code{CodeOpenAlternative}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, `{"type":"object","properties":{"p":`+test.schema+`},"required":["p"]}`, "")
			if diff := cmp.Diff(test.want, oneLine(render(r.Package))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.codes, codesOf(r)); diff != "" {
				t.Errorf("diagnostics -want +got:\n%s\n%v", diff, r.Diagnostics)
			}
		})
	}
}

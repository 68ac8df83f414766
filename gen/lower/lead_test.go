package lower

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/model"
)

// TestLeads has, for the schema of one property "p", what is said of a type that
// it brings: our sentence, and the server's words.
func TestLeads(t *testing.T) {
	const object = `{"type":"object","description":"A thing.","properties":{"a":{"type":"string"}}}`
	for _, test := range []struct{ name, schema, lead, server string }{
		{"object", object, `TP is the value of "p" in [TInput].`, ""}, // the field has the words
		{"enum", `{"enum":["a"]}`, `TP is a value of "p" in [TInput].`, ""},
		{"item", `{"type":"array","items":` + object + `}`, `TP is an item of "p" in [TInput].`, "A thing."},
		{"item of an inner list", `{"type":"array","items":{"type":"array","items":` + object + `}}`, `TP is an item of "p" in [TInput].`, "A thing."},
		{"item of a nullable list", `{"type":["array","null"],"items":` + object + `}`, `TP is an item of "p" in [TInput].`, "A thing."},
		{"nullable item", `{"type":"array","items":{"anyOf":[` + object + `,{"type":"null"}]}}`, `TP is an item of "p" in [TInput].`, "A thing."},
		{"member", `{"type":"object","additionalProperties":` + object + `}`, `TP is a member of "p" in [TInput].`, "A thing."},
		{"member of a nullable map", `{"type":["object","null"],"additionalProperties":{"enum":["a"]}}`, `TP is a member of "p" in [TInput].`, ""},
		{"tuple", `{"type":"array","prefixItems":[` + object + `]}`, `TV0 is the value of V0 in [TP].`, ""},
		{"rest", `{"type":"array","prefixItems":[{"type":"string"}],"items":` + object + `}`, `TP2 is an item of Rest in [TP].`, "A thing."},
		{"further keys", `{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":` + object + `}`, `TP2 is a member of Extra in [TP].`, "A thing."},
		{"text variant", `{"type":["string","integer"]}`, `TPText is the text variant of [TP].`, ""},
		{"object variant", `{"anyOf":[` + object + `,{"type":"string"}]}`, `TPObject is the object variant of [TP].`, "A thing."},
		{"tagged variant", `{"oneOf":[{"type":"object","properties":{"k":{"const":1}},"required":["k"]},{"type":"object","properties":{"k":{"const":2}},"required":["k"]}]}`,
			`TP1 is the variant of [TP] whose "k" is 1.`, ""},
		{"variant by a value one level below", `{"oneOf":[{"type":"object","properties":{"o":{"type":"object","properties":{"k":{"const":1}}}}},{"type":"object","properties":{"o":{"type":"object","properties":{"k":{"const":2}}}}}]}`,
			`TP1 is an object variant of [TP].`, ""},
		{"variant by no value below what may be null", `{"oneOf":[{"type":"object","properties":{"o":{"type":["object","null"],"properties":{"k":{"const":"x"}}},"a":{}}},{"type":"object","properties":{"o":{"type":["object","null"],"properties":{"k":{"const":"y"}}},"b":{}}}]}`,
			`TPA is an object variant of [TP].`, ""},
		{"variant by its key", `{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}`, `TPA is an object variant of [TP].`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, `{"type":"object","properties":{"p":`+test.schema+`}}`, "")
			name, _, _ := strings.Cut(test.lead, " ")
			i := slices.IndexFunc(r.Package.Decls, func(d model.Decl) bool { return d.Ident() == name })
			if i < 0 {
				t.Fatalf("no type %s in\n%s", name, render(r.Package))
			}
			doc := docOf(r.Package.Decls[i])
			if diff := cmp.Diff([]string{test.lead, test.server}, []string{doc.Lead, doc.Server}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func docOf(d model.Decl) model.Doc {
	switch d := d.(type) {
	case *model.Struct:
		return d.Doc
	case *model.Enum:
		return d.Doc
	case *model.Named:
		return d.Doc
	case *model.Union:
		return d.Doc
	}
	return model.Doc{}
}

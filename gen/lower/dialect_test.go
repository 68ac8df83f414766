package lower

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/diag"
)

// TestDialects has keywords that only some dialects know. Where the one in force
// does not, a schema says no more than without them.
func TestDialects(t *testing.T) {
	const (
		draft4    = "http://json-schema.org/draft-04/schema#"
		draft6    = "http://json-schema.org/draft-06/schema#"
		draft7    = "http://json-schema.org/draft-07/schema#"
		draft2019 = "https://json-schema.org/draft/2019-09/schema"
		draft2020 = "https://json-schema.org/draft/2020-12/schema"
	)
	const (
		constant    = `{"const":1}`
		prefix      = `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`
		both        = `{"type":"array","prefixItems":[{"type":"string"}],"items":[{"type":"integer"}],"maxItems":1}`
		noMore      = `{"type":"array","items":[{"type":"string"}],"additionalItems":false}`
		flag        = `{"type":"integer","minimum":9223372036854775808,"exclusiveMinimum":true}`
		bound       = `{"type":"integer","exclusiveMinimum":9223372036854775808}`
		conditional = `{"type":"object","if":true,"then":{"properties":{"a":{}}}}`
		unasked     = `{"type":"object","then":{"properties":{"a":{}}}}`
		dependent   = `{"type":"object","dependentSchemas":{"b":{"properties":{"a":{}}}}}`
		dependency  = `{"type":"object","dependencies":{"b":{"properties":{"a":{}}},"c":["d"]}}`
		dynamic     = `{"$dynamicRef":"#n"}`
		beside      = `{"$ref":"#/properties/p/definitions/T","minItems":1,"definitions":{"T":{"type":"array","items":[{"type":"string"}],"maxItems":1}}}`
		recursive   = `{"$recursiveRef":"#"}`
	)
	for _, test := range []struct {
		dialect, schema, want string
		codes                 []diag.Code
	}{
		{draft4, constant, "P any", nil},
		{draft6, constant, `const "p" 1`, nil},

		{draft4, prefix, "P []int", nil},
		{draft7, prefix, "P []int", nil},
		{draft2019, prefix, "P []int", nil},
		{draft2020, prefix, "P TP; tuple TP; V0 *string optional; rest []int", nil},
		{draft2019, both, "P TP; tuple TP; V0 *int optional", nil},
		{draft2020, both, "P TP; tuple TP; V0 *string optional", nil},
		{draft2020, `{"type":"array","prefixItems":{"type":"string"}}`, "P []any", []diag.Code{CodeMalformedKeyword}},

		{draft4, noMore, "P TP; tuple TP; V0 *string optional", nil},
		{draft2019, noMore, "P TP; tuple TP; V0 *string optional", nil},
		{draft2020, noMore, "P TP; tuple TP; V0 *string optional; rest []any", nil},

		{draft4, beside, "P T; tuple T; V0 *string optional", nil},
		{draft7, beside, "P T; tuple T; V0 *string optional", nil},
		{draft2019, beside, "P TP; tuple TP; V0 string", nil},

		{draft4, flag, "P uint64", nil},
		{draft6, flag, "P uint64", []diag.Code{CodeMalformedKeyword}},
		{draft4, bound, "P int", []diag.Code{CodeMalformedKeyword}},
		{draft6, bound, "P uint64", nil},

		{draft2019, dynamic, "P any", nil},
		{draft2020, dynamic, "P any", []diag.Code{CodeDynamicRef}},
		{draft2019, recursive, "P any", []diag.Code{CodeDynamicRef}},
		{draft2020, recursive, "P any", nil},
	} {
		r := lowerOne(t, Options{}, `{"$schema":"`+test.dialect+`","type":"object","properties":{"p":`+test.schema+`},"required":["p"]}`, "")
		if diff := cmp.Diff(test.want, oneLine(render(r.Package))); diff != "" {
			t.Errorf("%s in %s: -want +got:\n%s", test.schema, test.dialect, diff)
		}
		if diff := cmp.Diff(test.codes, codesOf(r)); diff != "" {
			t.Errorf("%s in %s: diagnostics -want +got:\n%s\n%v", test.schema, test.dialect, diff, r.Diagnostics)
		}
	}

	// What stands under a condition is said of structs.
	for _, test := range []struct {
		dialect, schema string
		said            bool
	}{
		{draft6, conditional, false},
		{draft7, conditional, true},
		{draft7, unasked, false},
		{draft7, dependent, false},
		{draft2019, dependent, true},
		{draft4, dependency, true},
	} {
		r := lowerOne(t, Options{}, `{"$schema":"`+test.dialect+`",`+strings.TrimPrefix(test.schema, "{"), "")
		if said := len(codesOf(r)) == 1; said != test.said {
			t.Errorf("%s in %s: diagnostics: %v", test.schema, test.dialect, r.Diagnostics)
		}
	}
}

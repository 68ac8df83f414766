package lower

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// parsed reads a schema that is JSON.
func parsed(text string) *schema.Value {
	v, err := schema.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// lowerOne lowers a tool "t" with the given schemas.
func lowerOne(t *testing.T, o Options, input, output string) Result {
	t.Helper()
	tool := snapshot.Tool{Name: "t", InputSchema: parsed(input)}
	if output != "" {
		tool.OutputSchema = parsed(output)
	}
	r, err := Lower(Input{Server: "s", Tools: []snapshot.Tool{tool}, Options: o})
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "t", r.Package)
	return r
}

// TestArguments has the rows of the design's table: the schema of one property
// "p", and what it becomes in arguments.
func TestArguments(t *testing.T) {
	exact := Options{Numbers: NumbersExact, KeepUnknown: true}
	timed := Options{Formats: map[string]string{"date-time": "time"}}
	bound := Options{Bindings: map[string]string{"D": "example.com/geo.Point"}}
	for _, test := range []struct {
		name, schema string
		required     bool
		options      Options
		defs         string
		want         string
		codes        []diag.Code
	}{
		{name: "string", schema: `{"type":"string"}`, required: true, want: "P string"},
		{name: "optional", schema: `{"type":"string"}`, want: "P *string optional"},
		{name: "integer", schema: `{"type":"integer"}`, required: true, want: "P int"},
		{name: "number", schema: `{"type":"number"}`, required: true, want: "P float64"},
		{name: "boolean", schema: `{"type":"boolean"}`, required: true, want: "P bool"},
		{name: "exact integer", schema: `{"type":"integer"}`, options: exact, want: "P *json.Number optional; extra Extra map json.RawMessage"},
		{name: "exact number", schema: `{"type":"number"}`, required: true, options: exact, want: "P json.Number; extra Extra map json.RawMessage"},
		{name: "uint64", schema: `{"type":"integer","minimum":0,"maximum":18446744073709551615}`, required: true, want: "P uint64"},
		{name: "beyond uint64", schema: `{"type":"integer","maximum":1e20}`, required: true, want: "P json.Number"},
		{name: "far below", schema: `{"type":"integer","minimum":-1e19}`, required: true, want: "P json.Number"},
		{name: "big integer with a point", schema: `{"type":"integer","enum":[1.5e30]}`, required: true, want: "P TP; enum TP json.Number: TP1_5e30=1.5e30"},
		{name: "date-time", schema: `{"type":"string","format":"date-time"}`, required: true, want: "P string"},
		{name: "date-time as time", schema: `{"type":"string","format":"date-time"}`, required: true, options: timed, want: "P time.Time"},
		{name: "required nullable", schema: `{"type":["string","null"]}`, required: true, want: "P *string"},
		{name: "optional nullable", schema: `{"anyOf":[{"type":"string"},{"type":"null"}]}`, want: "P Nullable string optional"},
		{name: "optional list", schema: `{"type":"array","items":{"type":"string"}}`, want: "P []string optional"},
		{name: "required nullable list", schema: `{"type":["array","null"],"items":{"type":"string"}}`, required: true, want: "P *[]string"},
		{name: "nullable items", schema: `{"type":"array","items":{"type":["integer","null"]}}`, want: "P []*int optional"},
		{name: "list of anything", schema: `{"type":"array"}`, want: "P []any optional"},
		{name: "null", schema: `{"type":"null"}`, required: true, want: "P *struct{}"},
		{name: "optional null", schema: `{"type":"null"}`, want: "P Nullable struct{} optional"},
		{name: "nothing said", schema: `{}`, required: true, want: "P any"},
		{name: "true", schema: `true`, want: "P any optional"},
		{name: "false", schema: `false`, want: "", codes: []diag.Code{CodeForbiddenKey}},
		{name: "bare object", schema: `{"type":"object"}`, want: "P map any optional"},
		{name: "map", schema: `{"type":"object","additionalProperties":{"type":"integer"}}`, want: "P map int optional"},
		{name: "patterns", schema: `{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`, want: "P map int optional"},
		{name: "patterns of two kinds", schema: `{"type":"object","patternProperties":{"^x":{"type":"integer"},"^y":{"type":"string"}},"additionalProperties":false}`,
			want: "P map any optional", codes: []diag.Code{CodeMixedExtra}},
		{name: "patterns and others", schema: `{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`, want: "P map any optional", codes: []diag.Code{CodeMixedExtra}},
		{name: "a pattern for every key", schema: `{"type":"object","patternProperties":{".*":{"type":"integer"},"^x":{"minimum":1}}}`, want: "P map int optional"},
		{name: "a pattern for every key beside keys", schema: `{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"":{"type":"string"}},"additionalProperties":false}`,
			want: "P *TP optional; struct TP; A *string optional; extra Extra map string"},
		{name: "a pattern for every key of one line", schema: `{"type":"object","patternProperties":{"^.*$":{"type":"integer"}}}`, want: "P map any optional", codes: []diag.Code{CodeMixedExtra}},
		{name: "patterns that say nothing", schema: `{"type":"object","patternProperties":{"^x":{}}}`, want: "P map any optional"},
		{name: "closed and empty", schema: `{"type":"object","additionalProperties":false}`, want: "P *TP optional; struct TP"},
		{name: "object", schema: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, want: "P *TP optional; struct TP; A string"},
		{name: "object with more", schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`,
			want: "P *TP optional; struct TP; A *string optional; extra Extra map int"},
		{name: "property extra", schema: `{"type":"object","properties":{"extra":{"type":"string"}},"additionalProperties":true}`,
			want: "P *TP optional; struct TP; Extra *string optional; extra ExtraFields map any"},
		{name: "required undeclared", schema: `{"type":"object","required":["a"]}`, want: "P *TP optional; struct TP; A any"},
		{name: "properties without type", schema: `{"properties":{"a":{"type":"string"}}}`,
			want: "P TP optional; union TP: TPObject TPRaw; struct TPObject; A *string optional; type TPRaw json.RawMessage"},
		{name: "enum", schema: `{"type":"string","enum":["a b","c",""]}`, want: `P *TP optional; enum TP string: TPAB="a b" TPC="c" TPEmpty=""`},
		{name: "enum without type", schema: `{"enum":[1,-2]}`, required: true, want: "P TP; enum TP int: TP1=1 TPMinus2=-2"},
		{name: "enum of numbers", schema: `{"type":"number","enum":[1,2]}`, required: true, want: "P TP; enum TP float64: TP1=1 TP2=2"},
		{name: "enum with null", schema: `{"enum":["x",null]}`, want: `P Nullable TP optional; enum TP string: TPX="x"`},
		{name: "enum without the null that type allows", schema: `{"type":["string","null"],"enum":["x"]}`, want: `P *TP optional; enum TP string: TPX="x"`},
		{name: "enum of booleans", schema: `{"enum":[true]}`, required: true, want: "P bool"},
		{name: "big enum", schema: `{"enum":[18446744073709551615]}`, required: true, want: "P TP; enum TP uint64: TP18446744073709551615=18446744073709551615"},
		{name: "mixed enum", schema: `{"enum":["a",1]}`, required: true, want: `P TP; union TP: TPText TPInteger TPRaw; enum TPText string: TPTextA="a"; enum TPInteger int: TPInteger1=1; type TPRaw json.RawMessage`},
		{name: "empty enum", schema: `{"enum":[]}`, want: "P any optional", codes: []diag.Code{CodeIncompatible}},
		{name: "required const", schema: `{"const":"x"}`, required: true, want: `const "p" "x"`},
		{name: "optional const", schema: `{"const":"x"}`, want: `P *TP optional; enum TP string: TPX="x"`},
		{name: "oneOf of consts", schema: `{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}`, required: true, want: `P TP; enum TP string: TPA="a" TPB="b"`},
		{name: "clashing consts", schema: `{"allOf":[{"const":"a"},{"const":"b"}]}`, want: "P *string optional", codes: []diag.Code{CodeIncompatible}},
		{name: "tuple", schema: `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":1,"items":false}`, required: true,
			want: "P TP; tuple TP; V0 string; V1 *int optional"},
		{name: "tuple with rest", schema: `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, required: true,
			want: "P TP; tuple TP; V0 *string optional; rest []float64"},
		{name: "tuple of draft-07", schema: `{"type":"array","items":[{"type":"string"}],"maxItems":1}`, required: true, want: "P TP; tuple TP; V0 *string optional"},
		{name: "constant in a tuple", schema: `{"type":"array","prefixItems":[{"const":"set"},{"const":null},{"const":true}],"minItems":3,"items":false}`, required: true,
			want: `P TP; tuple TP; V0 TV0; V1 *struct{}; V2 bool; enum TV0 string: TV0Set="set"`},
		{name: "union", schema: `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`,
			want: "P TP optional; union TP: TPText TPList TPRaw; type TPText string; type TPList []string; type TPRaw json.RawMessage"},
		{name: "nullable union", schema: `{"type":["string","integer","null"]}`, required: true,
			want: "P *TP; union TP: TPText TPInteger TPRaw; type TPText string; type TPInteger int; type TPRaw json.RawMessage"},
		{name: "nested union", schema: `{"anyOf":[{"oneOf":[{"type":"string"},{"type":"integer"}]},{"type":"boolean"}]}`, required: true,
			want: "P TP; union TP: TPText TPInteger TPBool TPRaw; type TPText string; type TPInteger int; type TPBool bool; type TPRaw json.RawMessage"},
		{name: "a union's definition or null", schema: `{"anyOf":[{"$ref":"#/$defs/D"},{"type":"null"}]}`, defs: `{"type":["string","integer"]}`, required: true,
			want: "P *D; union D: DText DInteger DRaw; type DText string; type DInteger int; type DRaw json.RawMessage"},
		{name: "a nullable definition or null", schema: `{"oneOf":[{"type":"null"},{"$ref":"#/$defs/D"}]}`, defs: `{"anyOf":[{"const":"a"},{"const":"b"},{"type":"null"}]}`,
			want: `P Nullable D optional; enum D string: DA="a" DB="b"`},
		{name: "nullable items of constants", schema: `{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/D"},{"type":"null"}]}}`, defs: `{"oneOf":[{"const":"a"},{"const":"b"}]}`,
			want: `P []*D optional; enum D string: DA="a" DB="b"`},
		{name: "properties without type or null", schema: `{"anyOf":[{"$ref":"#/$defs/D"},{"type":"null"}]}`, defs: `{"properties":{"a":{"type":"string"}}}`,
			want: "P D optional; union D: DObject DRaw; struct DObject; A *string optional; type DRaw json.RawMessage"},
		{name: "union of one kind", schema: `{"anyOf":[{"type":"integer"},{"type":"number"}]}`, required: true, want: "P float64"},
		{name: "enum or text", schema: `{"anyOf":[{"enum":["a"]},{"type":"string"}]}`, required: true, want: "P string"},
		{name: "union of lists", schema: `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"array","items":{"type":"number"}}]}`, want: "P []float64 optional"},
		{name: "union of a list and a tuple", schema: `{"anyOf":[{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"maxItems":2},{"type":"array","items":{"type":"integer"}}]}`, required: true,
			want: "P []TP; union TP: TPText TPInteger TPRaw; type TPText string; type TPInteger int; type TPRaw json.RawMessage"},
		{name: "union of numbers by constants", schema: `{"anyOf":[{"type":"number","const":0},{"const":"a"}]}`, required: true,
			want: `P TP; union TP: TPNumber TPText TPRaw; enum TPNumber float64: TPNumber0=0; enum TPText string: TPTextA="a"; type TPRaw json.RawMessage`},
		{name: "union of objects with the same keys", schema: `{"oneOf":[{"type":"object","properties":{"s":{"type":"string"},"v":{"type":"string"}}},{"type":"object","properties":{"s":{"type":"string"},"v":{"type":"null"}}},{"type":"object","properties":{"s":{"type":"string"},"v":{"type":["string","null"]}}}]}`, required: true,
			want: "P TP; union TP: TPVText TPVNull TPVValue TPRaw; struct TPVText; S *string optional; V *string optional; struct TPVNull; S *string optional; V Nullable struct{} optional; struct TPVValue; S *string optional; V Nullable string optional; type TPRaw json.RawMessage"},
		{name: "union of objects with keys in common", schema: `{"type":"object","properties":{"i":{"type":"string"}},"anyOf":[{"properties":{"a":{"type":"string"},"c":{"type":"string"}}},{"properties":{"a":{"type":"string"},"d":{"type":"string"}}},{"properties":{"b":{"type":"string"},"c":{"type":"string"}}},{"properties":{"b":{"type":"string"},"d":{"type":"string"}}},{}]}`, required: true,
			want: "P TP; union TP: TPAC TPAD TPBC TPBD TPObject TPRaw; struct TPAC; I *string optional; A *string optional; C *string optional; struct TPAD; I *string optional; A *string optional; D *string optional; struct TPBC; I *string optional; B *string optional; C *string optional; struct TPBD; I *string optional; B *string optional; D *string optional; struct TPObject; I *string optional; type TPRaw json.RawMessage"},
		{name: "union of bounds", schema: `{"type":"string","anyOf":[{"maxLength":2},{"minLength":4}]}`, required: true, want: "P string"},
		{name: "union of required", schema: `{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`,
			want: "P *TP optional; struct TP; A *string optional; B any optional"},
		{name: "union of equal branches", schema: `{"anyOf":[{"type":"string"},{"type":"string","title":"again"}]}`, required: true, want: "P string"},
		{name: "one branch", schema: `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`, required: true, want: `P TP; struct TP; const "k" "a"`},
		{name: "discriminated", schema: `{"oneOf":[{"type":"object","properties":{"v":{"type":"string"},"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"enum":["b","c"]}}}]}`, required: true,
			want: `P TP; union TP: TPA TPBC TPRaw; struct TPA; const "k" "a"; V *string optional; struct TPBC; K *TK optional of "b" "c"; enum TK string: TKB="b" TKC="c"; type TPRaw json.RawMessage`},
		{name: "siblings of a union", schema: `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}`, required: true,
			want: "P TP; union TP: TPA TPB TPRaw; struct TPA; ID string; A *string optional; struct TPB; ID string; B *string optional; type TPRaw json.RawMessage"},
		{name: "anything or text", schema: `{"anyOf":[{"type":"string"},{}]}`, want: "P any optional"},
		{name: "allOf", schema: `{"allOf":[{"type":"number"},{"type":"integer"}]}`, required: true, want: "P int"},
		{name: "contradiction", schema: `{"allOf":[{"type":"string"},{"type":"integer"}]}`, required: true, want: "P any", codes: []diag.Code{CodeIncompatible}},
		{name: "merged objects", schema: `{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}],"type":"object"}`, required: true, want: "P TP; struct TP; A string"},
		{name: "definition", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"object","properties":{"a":{"type":"string"}}}`, required: true, want: "P D; struct D; A *string optional"},
		{name: "definition with prose", schema: `{"$ref":"#/$defs/D","description":"mine"}`, defs: `{"type":"object","properties":{"a":{"type":"string"}}}`, required: true, want: "P D; struct D; A *string optional"},
		{name: "scalar definition", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"string"}`, required: true, want: "P string"},
		{name: "recursive struct", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"object","properties":{"d":{"$ref":"#/$defs/D"},"l":{"type":"array","items":{"$ref":"#/$defs/D"}}}}`, required: true,
			want: "P D; struct D; D *D optional; L []D optional"},
		{name: "required self", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"object","properties":{"d":{"$ref":"#/$defs/D"}},"required":["d"]}`, required: true, want: "P D; struct D; D *D"},
		{name: "recursive map", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"object","additionalProperties":{"$ref":"#/$defs/D"}}`, required: true, want: "P D; type D map D"},
		{
			name: "union that holds twice", schema: `{"allOf":[{"$ref":"#/$defs/D"},{"anyOf":[{"$ref":"#/$defs/D"},{"type":"integer"}]}]}`,
			defs: `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, required: true,
			want: "P TP; union TP: TPText TPInteger TPRaw; type TPText string; type TPInteger int; type TPRaw json.RawMessage",
		},
		{name: "recursive nullable list", schema: `{"$ref":"#/$defs/D"}`, defs: `{"anyOf":[{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/D"}}]}`, required: true, want: "P *D; type D []*D"},
		{name: "recursive union", schema: `{"$ref":"#/$defs/D"}`, defs: `{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/D"}}]}`, required: true,
			want: "P D; union D: DText DList DRaw; type DText string; type DList []D; type DRaw json.RawMessage"},
		{name: "binding", schema: `{"$ref":"#/$defs/D"}`, defs: `{"type":"object"}`, options: bound, want: "P *geo.Point optional"},
		{name: "no type from conditions", schema: `{"not":{"type":"string"},"if":{"type":"object"},"then":{"minProperties":1}}`, want: "P any optional"},
		{name: "remote reference", schema: `{"$ref":"https://example.com/x"}`, want: "P any optional", codes: []diag.Code{CodeRemoteRef}},
		{name: "broken reference", schema: `{"$ref":"#/$defs/Gone"}`, want: "P any optional", codes: []diag.Code{CodeBrokenRef}},
		{name: "reference cycle", schema: `{"$ref":"#/$defs/D"}`, defs: `{"$ref":"#/$defs/D"}`, want: "P any optional", codes: []diag.Code{CodeRefCycle}},
		{name: "unknown type", schema: `{"type":"money"}`, want: "P any optional", codes: []diag.Code{CodeUnknownType}},
		{name: "malformed enum", schema: `{"enum":"x"}`, want: "P any optional", codes: []diag.Code{CodeMalformedKeyword}},
		{name: "malformed schema", schema: `"string"`, want: "P any optional", codes: []diag.Code{CodeMalformedKeyword}},
	} {
		t.Run(test.name, func(t *testing.T) {
			input := `{"type":"object","properties":{"p":` + test.schema + `}`
			if test.required {
				input += `,"required":["p"]`
			}
			if test.defs != "" {
				input += `,"$defs":{"D":` + test.defs + `}`
			}
			r := lowerOne(t, test.options, input+"}", "")
			if diff := cmp.Diff(test.want, oneLine(render(r.Package))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.codes, codesOf(r)); diff != "" {
				t.Errorf("diagnostics -want +got:\n%s\n%v", diff, r.Diagnostics)
			}
		})
	}
}

func codesOf(r Result) []diag.Code {
	var codes []diag.Code
	for _, d := range r.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

// oneLine drops the tool and the line of its arguments, and joins the rest.
func oneLine(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "T(") && line != "struct TInput" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "; ")
}

func TestResults(t *testing.T) {
	for _, test := range []struct{ name, schema, want string }{
		{"object", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, "T(TInput) TOutput; struct TInput; struct TOutput; A string"},
		{"bare object", `{"type":"object"}`, "T(TInput) TOutput; struct TInput; struct TOutput; extra Extra map json.RawMessage"},
		{"list", `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`, "T(TInput) []TItem; struct TInput; struct TItem; A *string optional"},
		{"scalar", `{"type":["integer","null"]}`, "T(TInput) *int; struct TInput"},
		{"anything", `{}`, "T(TInput) json.RawMessage; struct TInput"},
		{"untyped property", `{"type":"object","properties":{"a":{}}}`, "T(TInput) TOutput; struct TInput; struct TOutput; A json.RawMessage optional"},
		{"const", `{"type":"object","properties":{"a":{"const":"x"}},"required":["a"]}`, `T(TInput) TOutput; struct TInput; struct TOutput; A TA; enum TA string: TAX="x"`},
		{"discriminator", `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			`T(TInput) TOutput; struct TInput; union TOutput: TOutputA TOutputB TOutputRaw; struct TOutputA; const "k" "a"; struct TOutputB; const "k" "b"; type TOutputRaw json.RawMessage`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, `{"type":"object"}`, test.schema)
			got := strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(render(r.Package), "\n  ", "\n"), "\n", "; "), "; ")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

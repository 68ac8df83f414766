package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// Definitions that hold unions of all of them, as syntax trees and filters do,
// are honest: n of them have n*n variants, and no more than that is looked at.
func TestDefinitionsOfUnionsOfAll(t *testing.T) {
	for _, n := range []int{5, 20, 40} {
		for _, own := range []string{`"kind":{"const":"n%"}`, `"name%":{"type":"string"}`} {
			refs, defs := make([]string, n), make([]string, n)
			for i := range refs {
				refs[i] = fmt.Sprintf(`{"$ref":"#/$defs/N%d"}`, i)
			}
			union := `{"anyOf":[` + strings.Join(refs, ",") + `]}`
			for i := range defs {
				defs[i] = fmt.Sprintf(`"N%d":{"type":"object","properties":{`, i) + strings.ReplaceAll(own, "%", fmt.Sprint(i)) +
					`,"id":{"type":"string"},"left":` + union + `,"right":` + union + `},"required":["left"]}`
			}
			r := lowerTools(t, Input{Tools: []snapshot.Tool{{Name: "t", InputSchema: parsed(
				`{"type":"object","properties":{"root":{"$ref":"#/$defs/N0"}},"$defs":{` + strings.Join(defs, ",") + `}}`)}}})
			if len(r.Diagnostics) > 0 {
				t.Errorf("%d with %s: %v", n, own, r.Diagnostics)
			}
			if r.Stats.Fields != 4*n+1 || r.Stats.Raw > 0 || r.Stats.Open > 0 {
				t.Errorf("%d with %s: %+v", n, own, r.Stats)
			}
		}
	}
}

// A list or map that holds the union of which it is a form may be a form of another
// union, too: each calls it by a name of its own, whichever stands first.
func TestFormsThatHoldTheirUnion(t *testing.T) {
	const tree, value = `"tree":{"$ref":"#/$defs/Tree"}`, `"value":{"oneOf":[{"type":"boolean"},{"$ref":"#/$defs/Tree"}]}`
	for _, test := range []struct{ name, def, form, want string }{
		{"list", `{"type":["integer","array"],"items":{"$ref":"#/$defs/Tree"}}`, "List", "[]Tree"},
		{"map", `{"type":["integer","object"],"additionalProperties":{"$ref":"#/$defs/Tree"}}`, "Object", "map Tree"},
	} {
		for _, properties := range []string{value, value + "," + tree, tree + "," + value} {
			r := lowerOne(t, Options{}, `{"type":"object","properties":{`+properties+`},"$defs":{"Tree":`+test.def+`}}`, "")
			got := render(r.Package)
			for _, want := range []string{
				"union TValue: TValueBool TValueInteger TValue" + test.form + " TValueRaw",
				"type TValue" + test.form + " " + test.want,
				"union Tree: TreeInteger Tree" + test.form + " TreeRaw",
				"type Tree" + test.form + " " + test.want,
			} {
				if !strings.Contains(got, want+"\n") {
					t.Errorf("%s, %s: no %q in\n%s", test.name, properties, want, got)
				}
			}
		}
	}
}

// Whether a recursive list or map has a name is no matter of what leads to it first:
// a property more would change the types of others.
func TestRecursiveListsInAnyOrder(t *testing.T) {
	for _, test := range []struct{ name, defs, first, second, want string }{
		{
			"through a struct", `"Node":{"type":"object","properties":{"sub":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}`,
			`{"$ref":"#/$defs/Node","required":["sub"]}`, `{"$ref":"#/$defs/Node"}`,
			"struct Node; Sub []Node optional",
		},
		{
			"through a union", `"U":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/L"}]},"L":{"type":"array","items":{"$ref":"#/$defs/U"}}`,
			`{"$ref":"#/$defs/U"}`, `{"$ref":"#/$defs/L"}`,
			"union U: UText L URaw; type L []U",
		},
		{
			"through a union and a struct", `"M":{"type":"object","additionalProperties":{"anyOf":[{"type":"object","properties":{"x":{"$ref":"#/$defs/M"}},"required":["x"]},{"$ref":"#/$defs/M"}]}}`,
			`{"$ref":"#/$defs/M/additionalProperties"}`, `{"$ref":"#/$defs/M"}`,
			"type M map MValue; union MValue: MValueX M MValueRaw; struct MValueX; X M",
		},
		{
			"through another list", `"L":{"type":"array","items":{"$ref":"#/$defs/M"}},"M":{"type":"object","additionalProperties":{"$ref":"#/$defs/L"}}`,
			`{"$ref":"#/$defs/L"}`, `{"$ref":"#/$defs/M"}`,
			"type L []M; type M map L",
		},
		{
			"nullable", `"P":{"anyOf":[{"$ref":"#/$defs/L"},{"type":"null"}]},"L":{"type":"array","items":{"$ref":"#/$defs/P"}}`,
			`{"$ref":"#/$defs/P"}`, `{"$ref":"#/$defs/L"}`,
			"type L []*L",
		},
	} {
		for _, properties := range []string{`"a":` + test.first + `,"b":` + test.second, `"b":` + test.second + `,"a":` + test.first} {
			r := lowerOne(t, Options{}, `{"type":"object","properties":{`+properties+`},"$defs":{`+test.defs+`}}`, "")
			got := oneLine(render(r.Package)) + "; "
			for want := range strings.SplitSeq(test.want, "; ") {
				if !strings.Contains(got, "; "+want+"; ") {
					t.Errorf("%s, %s: no %q in %s", test.name, properties, want, got)
				}
			}
		}
	}
}

// The arguments are an object, but what refers to their schema from within may be
// more than that.
func TestRefToRoot(t *testing.T) {
	for _, test := range []struct{ input, want string }{
		{`{"type":"object","properties":{"a":{"$ref":"#"}}}`, "A *TInput optional"},
		{`{"type":["object","null"],"properties":{"a":{"$ref":"#"},"b":{"type":"array","items":{"$ref":"#"}}},"required":["a"]}`, "A *TInput; B []*TInput optional"},
		{`{"properties":{"a":{"$ref":"#"}}}`, "A TValue optional; union TValue: TValueObject TValueRaw; struct TValueObject; A TValue optional; type TValueRaw json.RawMessage"},
		{`{"$ref":"#/$defs/D","$defs":{"D":{"properties":{"a":{"$ref":"#/$defs/D"}}}}}`, "A D optional; union D: DObject DRaw; struct DObject; A D optional; type DRaw json.RawMessage"},
		{
			`{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]},{"type":"string"}]}`,
			"A TValue; union TValue: TValueObject TValueText TValueRaw; struct TValueObject; A TValue; type TValueText string; type TValueRaw json.RawMessage",
		},
	} {
		if got := oneLine(render(lowerOne(t, Options{}, test.input, "").Package)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.input, got, test.want)
		}
	}
}

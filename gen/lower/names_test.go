package lower

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

func lowerTools(t *testing.T, in Input) Result {
	t.Helper()
	in.Server = "s"
	r, err := Lower(in)
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "s", r.Package)
	return r
}

func withDef(name, def string) snapshot.Tool {
	return snapshot.Tool{Name: name, InputSchema: parsed(`{"type":"object","properties":{"d":{"$ref":"#/$defs/D"}},"$defs":{"D":` + def + `}}`)}
}

// Definitions of one key and shape are one type, whatever their prose; of
// another shape they are not.
func TestDefinitionsAreShared(t *testing.T) {
	r := lowerTools(t, Input{Tools: []snapshot.Tool{
		withDef("a", `{"type":"object","properties":{"x":{"type":"string","description":"one"},"in":{"type":"object","properties":{"y":{"enum":["v"]}}}}}`),
		withDef("b", `{"type":"object","properties":{"in":{"type":"object","properties":{"y":{"enum":["v"]}}},"x":{"type":"string","description":"two"}}}`),
		withDef("c", `{"type":"object","properties":{"x":{"type":"integer"}}}`),
	}})
	want := `A(AInput)
B(BInput)
C(CInput)
struct AInput
  D *D optional
struct D
  X *string optional
  In *DIn optional
struct DIn
  Y *DY optional
enum DY string: DYV="v"
struct BInput
  D *D optional
struct CInput
  D *CD optional
struct CD
  X *int optional
`
	if diff := cmp.Diff(want, render(r.Package)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for owner, want := range map[string]string{
		"type:a#/inputSchema/$defs/D":                                      "D",
		"type:b#/inputSchema/$defs/D":                                      "D",
		"type:c#/inputSchema/$defs/D":                                      "CD",
		"field:b#/inputSchema/$defs/D/properties/in":                       "In",
		`const:b#/inputSchema/$defs/D/properties/in/properties/y/enum/"v"`: "DYV",
		"type:b#/inputSchema/$defs/D/properties/in":                        "DIn",
		"tool:a": "A",
	} {
		if got := r.Names[owner]; got != want {
			t.Errorf("%s is called %q, want %q", owner, got, want)
		}
	}
}

// Arguments and results never share a type, and only what collides says Output.
func TestBothDirections(t *testing.T) {
	r := lowerTools(t, Input{Tools: []snapshot.Tool{{
		Name:         "t",
		InputSchema:  parsed(`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{}}}}}`),
		OutputSchema: parsed(`{"type":"object","properties":{"a":{"type":"object","properties":{"x":{}}},"b":{"type":"object","properties":{"x":{}}}}}`),
	}}})
	var got []string
	for _, d := range r.Package.Decls {
		got = append(got, d.Ident())
	}
	if diff := cmp.Diff([]string{"TInput", "TA", "TOutput", "TOutputA", "TB"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What exists keeps its name when something comes that would have got it, given
// the pins of the generation before.
func TestAdditionsRenameNothing(t *testing.T) {
	before := lowerTools(t, Input{Tools: []snapshot.Tool{
		{Name: "b_c", InputSchema: parsed(`{"type":"object","properties":{"z":{"type":"object","properties":{"mode":{"enum":["on"]}}},"foo_bar":{"type":"string"}}}`)},
	}})
	after := lowerTools(t, Input{Pins: before.Names, Tools: []snapshot.Tool{
		{Name: "b-c", InputSchema: parsed(`{"type":"object"}`)},
		{Name: "b_c", InputSchema: parsed(`{"type":"object","properties":{"a":{"type":"object","properties":{"mode":{"enum":["off"]}}},"fooBar":{"type":"string"},"z":{"type":"object","properties":{"mode":{"enum":["On","on"]}}},"foo_bar":{"type":"string"}}}`)},
	}})
	for owner, name := range before.Names {
		if after.Names[owner] != name {
			t.Errorf("%s was called %s and now %s", owner, name, after.Names[owner])
		}
	}
	again := lowerTools(t, Input{Pins: after.Pins, Tools: []snapshot.Tool{
		{Name: "b_c", InputSchema: parsed(`{"type":"object","properties":{"z":{"type":"object","properties":{"mode":{"enum":["on"]}}},"foo_bar":{"type":"string"}}}`)},
	}})
	for owner, name := range before.Names {
		if again.Names[owner] != name {
			t.Errorf("%s was called %s and, after what came went, %s", owner, name, again.Names[owner])
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, o := range map[string]Options{
		"numbers": {Numbers: "big"},
		"include": {Include: []string{"["}},
		"rename":  {Rename: map[string]string{"t": "lower"}},
		"formats": {Formats: map[string]string{"uuid": "time"}},
		"binding": {Bindings: map[string]string{"D": "Point"}},
		"package": {Package: "a-b"},
	} {
		if _, err := Lower(Input{Server: "s", Options: o}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSelectionAndRename(t *testing.T) {
	tools := []snapshot.Tool{{Name: "get_x"}, {Name: "delete_x"}, {Name: "list_x"}}
	r := lowerTools(t, Input{Tools: tools, Options: Options{
		Exclude: []string{"delete_*"}, Rename: map[string]string{"get_x": "FetchX"},
	}})
	if diff := cmp.Diff("FetchX(json.RawMessage)\nListX(json.RawMessage)\n", render(r.Package)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Who asks for a name twice, or for one that another tool has, is told what came of it.
func TestRenamesThatCollide(t *testing.T) {
	tools := []snapshot.Tool{{Name: "get_x"}, {Name: "list_x"}}
	for name, c := range map[string]struct {
		rename map[string]string
		want   []string
	}{
		"none":   {map[string]string{"get_x": "FetchX"}, nil},
		"a swap": {map[string]string{"get_x": "ListX", "list_x": "GetX"}, nil},
		"two alike": {map[string]string{"get_x": "X", "list_x": "X"}, []string{
			"list_x: go.rename asks for the method X, which is taken; it is X2",
		}},
		"another's": {map[string]string{"get_x": "ListX"}, []string{
			"list_x: its method is ListX2, since go.rename gives ListX to another tool",
		}},
	} {
		var got []string
		for _, d := range lowerTools(t, Input{Tools: tools, Options: Options{Rename: c.rename}}).Diagnostics {
			if d.Code == CodeRenameTaken {
				got = append(got, d.Tool+": "+d.Message)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

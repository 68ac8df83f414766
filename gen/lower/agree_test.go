package lower

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// TestSharedDocs gives tools definitions of one shape that say different things:
// the type says what is true of all, in whatever order the tools stand.
func TestSharedDocs(t *testing.T) {
	const size = `{"type":"object","properties":{"n":{"type":"integer"`
	for _, test := range []struct {
		name string
		defs []string // of D, one for each tool
		want []string // the documentation of what has any
	}{
		{"the same", []string{
			`{"type":"object","description":"A size.","properties":{"n":{"type":"integer","minimum":1,"default":5,"description":"How many."}}}`,
			`{"description":"A size.","properties":{"n":{"default":5,"minimum":1,"type":"integer","description":"How many."}},"type":"object"}`,
		}, []string{"D: A size.", "D.N: How many. At least 1. The server's default is 5."}},
		{"other words", []string{
			`{"type":"object","description":"A size.","properties":{"n":{"type":"integer","description":"How many."}}}`,
			`{"type":"object","description":"An amount.","properties":{"n":{"type":"integer","description":"How much."}}}`,
		}, []string{"D: " + differs, "D.N: " + differs}},
		{"words in some only", []string{
			size + `}}}`,
			size + `,"description":"How many."}},"description":"A size."}`,
			size + `}},"description":"A size."}`,
		}, []string{"D: A size.", "D.N: How many."}},
		{"words that two of three share", []string{
			size + `,"description":"How many."}}}`,
			size + `,"description":"How much."}}}`,
			size + `,"description":"How many."}}}`,
		}, []string{"D.N: " + differs}},
		{"other facts", []string{
			size + `,"minimum":1,"default":5,"multipleOf":2}}}`,
			size + `,"minimum":1,"default":50,"multipleOf":2}}}`,
		}, []string{"D.N: At least 1. A multiple of 2. " + differs}},
		{"facts in some only", []string{
			size + `}}}`,
			size + `,"minimum":1}}}`,
		}, []string{"D.N: " + differs}},
		{"constants", []string{
			`{"oneOf":[{"const":"a","description":"First."},{"const":"b","description":"Second."},{"const":"c"}]}`,
			`{"oneOf":[{"const":"a","description":"First."},{"const":"b","description":"Next."},{"const":"c","description":"Third."}]}`,
		}, []string{"DA: First.", "DC: Third."}},
		{"variants", []string{
			`{"oneOf":[{"type":"string","maxLength":4,"description":"A word."},{"type":"object","properties":{"n":{"type":"integer","default":1}}}]}`,
			`{"oneOf":[{"type":"string","maxLength":5,"description":"A word."},{"type":"object","properties":{"n":{"type":"integer","default":2}}}]}`,
		}, []string{"DText: A word. " + differs, "DObject.N: " + differs}},
		{"what stands within", []string{
			`{"type":"object","properties":{"list":{"type":"array","maxItems":3,"items":{"type":"object","description":"A line.","properties":{"text":{"type":"string","maxLength":4}}}}}}`,
			`{"type":"object","properties":{"list":{"type":"array","maxItems":3,"items":{"type":"object","description":"A row.","properties":{"text":{"type":"string","maxLength":5}}}}}}`,
		}, []string{"D.List: At most 3 items.", "DList: " + differs, "DList.Text: " + differs}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var tools []snapshot.Tool
			for i, def := range test.defs {
				tools = append(tools, snapshot.Tool{
					Name:        string(rune('a' + i)),
					InputSchema: parsed(`{"type":"object","properties":{"d":{"$ref":"#/$defs/D"}},"$defs":{"D":` + def + `}}`),
				})
			}
			for range 2 {
				r, err := Lower(Input{Server: "s", Tools: tools})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, documentation(r.Package)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				for i := range tools { // the last definition comes first
					tools[i].Name = string(rune('z' - i))
				}
			}
		})
	}
}

// documentation lists what types, fields and constants say, our own sentences
// about what they are aside.
func documentation(p *model.Package) []string {
	var out []string
	add := func(name string, d model.Doc) {
		if text := strings.Join(slices.DeleteFunc(append([]string{d.Server}, d.Facts...), func(s string) bool { return s == "" }), " "); text != "" {
			out = append(out, name+": "+text)
		}
	}
	for _, d := range p.Decls {
		add(d.Ident(), docOf(d))
		switch d := d.(type) {
		case *model.Struct:
			for _, f := range d.Fields {
				add(d.Name+"."+f.Name, f.Doc)
			}
		case *model.Enum:
			for _, v := range d.Values {
				add(v.Name, model.Doc{Server: v.Doc})
			}
		}
	}
	return out
}

package emit_test

import (
	"bytes"
	"encoding/json"
	"go/format"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/check"
	"github.com/mcpbind/mcpbind/gen/emit"
	"github.com/mcpbind/mcpbind/gen/model"
)

// hostile is a small package that says text wherever a server can say something.
func hostile(text string) *model.Package {
	quoted, _ := json.Marshal(text)
	doc := model.Doc{Lead: "X is " + text + ".", Server: text, Facts: []string{text, "The default is " + text + "."}}
	enum := &model.Enum{Name: "E", Doc: doc, Base: model.String, Values: []model.EnumValue{
		{Name: "EA", JSON: string(quoted), Doc: text},
		{Name: "EB", JSON: `"b"`, Doc: text},
	}}
	in := &model.Struct{Name: "In", Doc: doc, Fields: []*model.Field{
		{Name: "_", Key: text, Role: model.RoleConst, Const: string(quoted), Doc: doc},
		{Name: "A", Key: text, Type: model.String, Enum: []string{string(quoted)}, Doc: doc},
		{Name: "B", Key: text + "b", Type: model.Ref{Decl: enum}, Optional: true, Doc: doc},
		{Name: "Extra", Role: model.RoleExtra, Type: model.Map{Elem: model.Any}, Doc: doc},
	}}
	return &model.Package{
		Name: "xmcp", Server: text, Source: "snapshots/" + text + ".json",
		Tools: []*model.Tool{{Name: text, Method: "X", Var: "xTool", Doc: doc, Digest: text, Input: model.Ref{Decl: in}, Output: model.Ref{Decl: in}}},
		Decls: []model.Decl{in, enum, &model.Named{Name: "N", Doc: doc, Underlying: model.String}},
	}
}

var hostileTexts = []string{
	"", " ", "\n", "plain", "two\nlines", "*/ func init() {} /*", "//go:embed x", "\n//go:embed x", "\r//go:linkname a b",
	"\u2028//line x:1", "\u0085//export f", "\v#include <x>", "+build ignore", " +build ignore", "a\n\n\n\tcode\n\nb",
	"# Heading", "text\n\n# Heading\n\ntext", "- a\n- b\n  c\n\n1. d", "[x]: http://example.com\n\n[x] and [fmt.Println]",
	"Deprecated: no", "`", "``` go\nx\n```", "\"", "\\", "\x00\x1b[31m", "\ufeff", "a\ufeffb", "\xff\xfe", "\u202eevil", "\u3164",
	"名称", "e\u0301", "👩‍👩‍👧", "'", ",omitzero", "-", "a:b", "${X}", "%s%d", "\t", "x\ty", " lead", "trail \n next", "\n\n  - x\n\n\n",
	"    indented\n  less\nnone", "a\n  b\n    c\n- d\n    e\n\n      f",
}

func TestHostileText(t *testing.T) {
	for _, text := range hostileTexts {
		checkHostile(t, text)
	}
}

// TestLongText holds emission to what it costs: a description of megabytes is cut.
func TestLongText(t *testing.T) {
	for _, unit := range []string{"- a\n", "a\r", "# H\n\n", "é", "\u2028x"} {
		p := hostile("x")
		p.Tools[0].Doc.Server = strings.Repeat(unit, 4<<20/len(unit))
		files, err := emit.Package(p)
		if err != nil {
			t.Fatal(err)
		}
		if size := len(files[model.ClientFile]); size > 1<<20 {
			t.Errorf("%q: %d bytes", unit, size)
		}
		if !bytes.Contains(files[model.ClientFile], []byte("// (The server says more.)\n")) {
			t.Errorf("%q: the cut is not told", unit)
		}
		if _, err := check.Package(files, p); err != nil {
			t.Error(err)
		}
	}
}

func FuzzHostileText(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(checkHostile)
}

func checkHostile(t *testing.T, text string) {
	p := hostile(text)
	emitted, err := emit.Package(p)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	files, err := check.Package(emitted, p)
	if err != nil {
		t.Fatalf("%q: %v\n%s", text, err, emitted[model.TypesFile])
	}
	for name, src := range files {
		if again, err := format.Source(src); err != nil || !bytes.Equal(again, src) {
			t.Errorf("%q: gofmt changes %s: %v\n%s", text, name, err, cmp.Diff(string(src), string(again)))
		}
	}
}

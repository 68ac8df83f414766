package compare_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/model"
)

const packagePath = "example.com/p"

// program writes code of a caller that uses all there is of p.
func program(p *model.Package) string {
	var b strings.Builder
	b.WriteString(`package user

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
	p "example.com/p"
)

var _ context.Context
var _ json.RawMessage
var _ time.Time
var _ = runtime.SupportsGen1
var _ = p.ServerName

func isString[T ~string](T) {}
func isInt[T ~int](T) {}
func isUint64[T ~uint64](T) {}
func isFloat64[T ~float64](T) {}
func isBool[T ~bool](T) {}
func isBytes[T ~[]byte](T) {}

`)
	for _, t := range p.Tools {
		out := "*runtime.CallResult"
		if t.Output != nil {
			out = "*" + expression(t.Output)
		}
		fmt.Fprintf(&b, "func _(c *p.Client, ctx context.Context, in %s) (%s, error) { return c.%s(ctx, in) }\n", expression(t.Input), out, t.Method)
	}
	for _, d := range p.Decls {
		fmt.Fprintf(&b, "func _(v p.%s) {\n", d.Ident())
		use(&b, d)
		if model.MethodsOf(d) != model.NoJSONMethods {
			b.WriteString("\t_, _ = v.MarshalJSON()\n\t_ = v.UnmarshalJSON(nil)\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func use(b *strings.Builder, d model.Decl) {
	switch d := d.(type) {
	case *model.Struct:
		var keyed []string
		for _, f := range d.Fields {
			if f.Role == model.RoleConst {
				continue
			}
			fmt.Fprintf(b, "\tvar f%s %s = v.%s\n", f.Name, expression(f.Type), f.Name)
			keyed = append(keyed, fmt.Sprintf("%s: f%s", f.Name, f.Name))
		}
		fmt.Fprintf(b, "\tv = p.%s{%s}\n", d.Name, strings.Join(keyed, ", "))
	case *model.Enum:
		over(b, d.Base)
		for _, v := range d.Values {
			fmt.Fprintf(b, "\tv = p.%s\n", v.Name)
		}
	case *model.Named:
		over(b, d.Underlying)
	case *model.Union:
		fmt.Fprintf(b, "\tvar value p.%s = v.Value\n\tv = p.%s{Value: value}\n\t_ = v.Variants()\n\tswitch value.(type) {\n", d.Interface, d.Name)
		for _, variant := range d.Variants {
			fmt.Fprintf(b, "\tcase p.%s:\n", variant.Ident())
		}
		b.WriteString("\t}\n")
	}
}

func over(b *strings.Builder, t model.Type) {
	switch t {
	case model.String, model.Number:
		b.WriteString("\tisString(v)\n")
	case model.Int:
		b.WriteString("\tisInt(v)\n")
	case model.Uint64:
		b.WriteString("\tisUint64(v)\n")
	case model.Float64:
		b.WriteString("\tisFloat64(v)\n")
	case model.Bool:
		b.WriteString("\tisBool(v)\n")
	case model.RawMessage:
		b.WriteString("\tisBytes(v)\n")
	default:
		if _, ok := t.(model.Ref); ok {
			return // the other type is used by itself
		}
		fmt.Fprintf(b, "\tvar u %s = v\n\tv = u\n", expression(t))
	}
}

func expression(t model.Type) string {
	switch t := t.(type) {
	case model.Basic:
		return string(t)
	case model.Qualified:
		return t.Path[strings.LastIndexByte(t.Path, '/')+1:] + "." + t.Name
	case model.Pointer:
		return "*" + expression(t.Elem)
	case model.Slice:
		return "[]" + expression(t.Elem)
	case model.Map:
		return "map[string]" + expression(t.Elem)
	case model.Nullable:
		return "runtime.Nullable[" + expression(t.Elem) + "]"
	case model.Ref:
		return "p." + t.Decl.Ident()
	}
	return "?"
}

// A loader type-checks in process, with the stubs of gen/check for what
// generated code imports.
type loader map[string]*types.Package

func (l loader) Import(path string) (*types.Package, error) {
	if p, ok := l[path]; ok {
		return p, nil
	}
	return nil, errors.New("no package " + path)
}

func newLoader(t *testing.T) loader {
	t.Helper()
	l := loader{}
	for _, stub := range []struct{ path, file string }{
		{"context", "context"}, {"encoding/json", "json"}, {"time", "time"},
		{"github.com/mcpbind/mcpbind/runtime/codec", "codec"}, {"github.com/mcpbind/mcpbind/runtime", "runtime"},
	} {
		src, err := os.ReadFile("../check/stubs/" + stub.file + ".go.txt")
		if err != nil {
			t.Fatal(err)
		}
		if l[stub.path], err = l.check(stub.path, map[string][]byte{stub.file: src}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// check type-checks one package.
func (l loader) check(path string, files map[string][]byte) (*types.Package, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	conf := types.Config{Importer: l, GoVersion: "go1.26"}
	return conf.Check(path, fset, parsed, nil)
}

// compiles reports why code that uses all of before does not compile against the
// files of another package.
func (l loader) compiles(t *testing.T, before *model.Package, files map[string][]byte) error {
	t.Helper()
	p, err := l.check(packagePath, files)
	if err != nil {
		t.Fatal(err)
	}
	with := maps.Clone(l)
	with[packagePath] = p
	src := program(before)
	_, err = with.check("user", map[string][]byte{"user.go": []byte(src)})
	return err
}

package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// This file counts how much of a schema's structure reached Go's type system. It
// walks schema and emitted types side by side and shares no code with gen/lower:
// a position is a property, item, map value or variant whose schema restricts its
// kinds; it is typed when its Go type is not any, json.RawMessage or a raw variant.

// exports reads the export data of everything below dir, so that emitted
// packages can be type-checked without compiling them again.
func exports(t *testing.T, dir string) types.Importer {
	t.Helper()
	out, err := goCommand(t, dir, "list", "-export", "-deps", "-json=ImportPath,Export", "./driver")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return openFile(files[path])
	})
}

// A positions counts the positions of one case.
type positions struct {
	typed map[string]bool // pointer -> whether any way of reaching it is typed
}

func (p *positions) count() (typed, all int) {
	for _, ok := range p.typed {
		if ok {
			typed++
		}
	}
	return typed, len(p.typed)
}

// untyped lists the pointers of the positions that are not typed, sorted.
func (p *positions) untyped() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.typed)), func(ptr string) bool { return p.typed[ptr] })
}

// measure counts the positions of b's case over its emitted code.
func measure(b *built, imp types.Importer) (*positions, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		f, err := parser.ParseFile(fset, name, b.files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	pkg, err := (&types.Config{Importer: imp}).Check(module+"/"+b.pkg, fset, files, nil)
	if err != nil {
		return nil, err
	}
	p := &positions{typed: map[string]bool{}}
	if b.method == "" {
		return p, nil
	}
	client := types.NewPointer(pkg.Scope().Lookup("Client").Type())
	method, _, _ := types.LookupFieldOrMethod(client, true, pkg, b.method)
	sig := method.(*types.Func).Signature()
	in := sig.Params().At(1).Type()
	p.root("/inputSchema", b.Tool.InputSchema, in)
	if b.Tool.OutputSchema != nil {
		p.root("/outputSchema", b.Tool.OutputSchema, sig.Results().At(0).Type())
	}
	return p, nil
}

func (p *positions) root(at string, raw json.RawMessage, t types.Type) {
	v, err := schema.Parse(raw)
	if err != nil {
		return
	}
	doc, err := schema.NewDocument(v)
	if err != nil {
		return
	}
	w := &walk{doc: doc, at: at, positions: p, seen: map[string]bool{}, restricting: map[string]bool{}}
	w.inside(doc.RootNode(), t)
}

// A walk goes through one schema and the Go types that it became.
type walk struct {
	*positions
	doc  *schema.Document
	at   string
	seen map[string]bool // node and type: ends recursion

	restricting map[string]bool // pointer -> restricts, false while being found out
}

// position records the position at n, whose Go type is t (nil: none), and walks on.
func (w *walk) position(n schema.Node, t types.Type) {
	if n.Value == nil || !w.restricts(n) {
		return
	}
	ptr := w.at + n.Pointer
	w.typed[ptr] = w.typed[ptr] || (t != nil && !isRaw(t))
	if t != nil {
		w.inside(n, t)
	}
}

// inside walks the positions below n, which became t.
func (w *walk) inside(n schema.Node, t types.Type) {
	t = bare(t)
	key := n.Pointer + " " + t.String()
	if n.Value == nil || n.Value.Kind != schema.Object || w.seen[key] {
		return
	}
	w.seen[key] = true
	if ref := n.Value.Get("$ref"); ref != nil && ref.Kind == schema.String {
		if target, err := w.doc.Resolve(n, ref.Text); err == nil {
			w.inside(target, t)
		}
		if w.doc.Dialect <= schema.Draft7 {
			return
		}
	}
	for _, m := range children(n, "allOf") {
		w.inside(m, t)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches := children(n, keyword)
		if w.isUnion(branches) {
			for _, b := range branches {
				if w.onlyNull(b) {
					continue
				}
				w.position(b, w.variant(b, t))
			}
			continue
		}
		for _, b := range branches {
			w.inside(b, t)
		}
	}
	w.object(n, t)
	w.array(n, t)
}

// isUnion reports whether branches offer at least two forms besides null. A
// branch that restricts nothing (only required, not, bounds) offers none.
func (w *walk) isUnion(branches []schema.Node) bool {
	forms := 0
	for _, b := range branches {
		if !w.onlyNull(b) && w.restricts(b) {
			forms++
		}
	}
	return forms > 1
}

func (w *walk) onlyNull(n schema.Node) bool {
	t := n.Value.Get("type")
	c := n.Value.Get("const")
	return t != nil && t.Kind == schema.String && t.Text == "null" || c != nil && c.Kind == schema.Null
}

func (w *walk) object(n schema.Node, t types.Type) {
	props := n.Child("properties")
	if props.Value != nil && props.Value.Kind == schema.Object {
		for _, m := range props.Value.Members {
			child := props.Child(m.Name)
			for _, ft := range members(t, m.Name) {
				w.position(child, ft)
			}
			if len(members(t, m.Name)) == 0 {
				w.position(child, nil)
			}
		}
	}
	w.position(n.Child("additionalProperties"), mapValue(t))
	patterns := n.Child("patternProperties")
	if patterns.Value != nil {
		for _, m := range patterns.Value.Members {
			w.position(patterns.Child(m.Name), mapValue(t))
		}
	}
}

func (w *walk) array(n schema.Node, t types.Type) {
	prefix := "prefixItems"
	rest := n.Child("items")
	if rest.Value != nil && rest.Value.Kind == schema.Array {
		prefix, rest = "items", n.Child("additionalItems")
	}
	items := children(n, prefix)
	for i, item := range items {
		w.position(item, element(t, i))
	}
	w.position(rest, element(t, len(items)))
}

// restricts reports whether n allows fewer kinds than every schema does, and
// more than none. The answers are kept: a chain of references that doubles at
// each level would cost for ever otherwise.
func (w *walk) restricts(n schema.Node) bool {
	if n.Value == nil || n.Value.Kind != schema.Object {
		return false
	}
	if known, ok := w.restricting[n.Pointer]; ok {
		return known
	}
	w.restricting[n.Pointer] = false
	w.restricting[n.Pointer] = w.limitsKinds(n)
	return w.restricting[n.Pointer]
}

func (w *walk) limitsKinds(n schema.Node) bool {
	v := n.Value
	if v.Get("type") != nil || v.Get("const") != nil || v.Get("enum") != nil {
		return true
	}
	if ref := v.Get("$ref"); ref != nil && ref.Kind == schema.String {
		if target, err := w.doc.Resolve(n, ref.Text); err == nil && w.restricts(target) {
			return true
		}
	}
	if slices.ContainsFunc(children(n, "allOf"), w.restricts) {
		return true
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches := children(n, keyword)
		if len(branches) > 0 && !slices.ContainsFunc(branches, func(b schema.Node) bool { return !w.restricts(b) }) {
			return true
		}
	}
	return false
}

func children(n schema.Node, keyword string) []schema.Node {
	list := n.Child(keyword)
	if list.Value == nil || list.Value.Kind != schema.Array {
		return nil
	}
	var out []schema.Node
	for i := range list.Value.Items {
		out = append(out, list.Child(fmt.Sprint(i)))
	}
	return out
}

// bare takes pointers and Nullable off t.
func bare(t types.Type) types.Type {
	for {
		t = types.Unalias(t)
		switch u := t.(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Named:
			if u.Obj().Name() == "Nullable" && u.TypeArgs().Len() == 1 {
				t = u.TypeArgs().At(0)
				continue
			}
		}
		return t
	}
}

// isRaw reports whether t holds any JSON at all.
func isRaw(t types.Type) bool {
	t = bare(t)
	if i, ok := t.Underlying().(*types.Interface); ok {
		return i.Empty()
	}
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

// variants lists the types that the union t may hold, its raw one left out; t
// itself when it is no union.
func variants(t types.Type) []types.Type {
	t = bare(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() != 1 || s.Field(0).Name() != "Value" || s.Tag(0) != "" {
		return []types.Type{t}
	}
	i, ok := s.Field(0).Type().Underlying().(*types.Interface)
	if !ok || i.Empty() {
		return []types.Type{t}
	}
	scope := t.(*types.Named).Obj().Pkg().Scope()
	var out []types.Type
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !types.IsInterface(tn.Type()) &&
			types.Implements(tn.Type(), i) && !isRaw(tn.Type()) {
			out = append(out, tn.Type())
		}
	}
	return out
}

// variant returns a type of the union t that fits the kinds of branch, or nil.
func (w *walk) variant(branch schema.Node, t types.Type) types.Type {
	all := variants(t)
	if len(all) == 1 && all[0] == bare(t) {
		return t // the branches collapsed to one type, which position judges
	}
	if len(all) > 0 {
		return bare(t)
	}
	return nil
}

// members returns the Go types of the member called key in t or its variants.
func members(t types.Type, key string) []types.Type {
	var out []types.Type
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Struct:
			if ft := field(u, key); ft != nil {
				out = append(out, ft)
			}
		case *types.Map:
			out = append(out, u.Elem())
		}
	}
	return out
}

// field finds the field of key, else the value type of Extra.
func field(s *types.Struct, key string) types.Type {
	var extra types.Type
	for i := range s.NumFields() {
		tag := reflect.StructTag(s.Tag(i))
		wire, isWire := tag.Lookup("wire")
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case isWire && wire == key, !isWire && name == key && name != "" && tag.Get("codec") == "":
			return s.Field(i).Type()
		case tag.Get("codec") == "extra":
			extra = s.Field(i).Type().Underlying().(*types.Map).Elem()
		}
	}
	return extra
}

func mapValue(t types.Type) types.Type {
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Map:
			return u.Elem()
		case *types.Struct:
			for i := range u.NumFields() {
				if reflect.StructTag(u.Tag(i)).Get("codec") == "extra" {
					return u.Field(i).Type().Underlying().(*types.Map).Elem()
				}
			}
		}
	}
	return nil
}

// element returns the type of position i of the list or tuple t.
func element(t types.Type, i int) types.Type {
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Slice:
			return u.Elem()
		case *types.Struct:
			item := 0
			for f := range u.NumFields() {
				switch kind, _, _ := strings.Cut(reflect.StructTag(u.Tag(f)).Get("codec"), ","); kind {
				case "item":
					if item == i {
						return u.Field(f).Type()
					}
					item++
				case "rest":
					return u.Field(f).Type().Underlying().(*types.Slice).Elem()
				}
			}
		}
	}
	return nil
}

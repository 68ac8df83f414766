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
	"os"
	"slices"
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
	out, err := goCommand(t, dir, "list", "-trimpath", "-export", "-deps", "-json=ImportPath,Export", "./driver")
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
		return os.Open(files[path])
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
	w := &walk{doc: doc, at: at, found: p, seen: map[string]bool{}, restricting: map[string]bool{}}
	w.inside(doc.RootNode(), t)
}

// A walk goes through one schema and the Go types that it became.
type walk struct {
	found *positions
	doc   *schema.Document
	at    string
	seen  map[string]bool // node and type: ends recursion

	restricting map[string]bool // pointer -> restricts, false while being found out
}

// position records the position at n, whose Go type is t (nil: none), and walks on.
func (w *walk) position(n schema.Node, t types.Type) {
	if n.Value == nil || !w.restricts(n) {
		return
	}
	ptr := w.at + n.Pointer
	w.found.typed[ptr] = w.found.typed[ptr] || (t != nil && !isRaw(t))
	if t != nil {
		w.inside(n, t)
	}
}

// positions records the position at n, which is any of the Go types all: one of
// each variant that has it.
func (w *walk) positions(n schema.Node, all []types.Type) {
	for _, t := range all {
		w.position(n, t)
	}
	if len(all) == 0 {
		w.position(n, nil)
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
	c := constant(n)
	return t != nil && t.Kind == schema.String && t.Text == "null" || c != nil && c.Kind == schema.Null
}

func (w *walk) object(n schema.Node, t types.Type) {
	props := n.Child("properties")
	if props.Value != nil && props.Value.Kind == schema.Object {
		for _, m := range props.Value.Members {
			w.positions(props.Child(m.Name), members(t, m.Name))
		}
	}
	w.positions(n.Child("additionalProperties"), mapValues(t))
	patterns := n.Child("patternProperties")
	if patterns.Value != nil {
		for _, m := range patterns.Value.Members {
			w.positions(patterns.Child(m.Name), mapValues(t))
		}
	}
}

func (w *walk) array(n schema.Node, t types.Type) {
	prefix := "prefixItems"
	rest := n.Child("items")
	if n.Dialect() < schema.Draft2020 || n.Child(prefix).Value == nil && rest.Value != nil && rest.Value.Kind == schema.Array {
		prefix = "items"
	}
	items := children(n, prefix)
	if rest.Value != nil && rest.Value.Kind == schema.Array {
		rest = schema.Node{}
		if n.Dialect() < schema.Draft2020 {
			rest = n.Child("additionalItems")
		}
	}
	for i, item := range items {
		w.positions(item, elements(t, i))
	}
	w.positions(rest, elements(t, len(items)))
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
	if isKind(v.Get("type"), schema.String, schema.Array) || constant(n) != nil || isKind(v.Get("enum"), schema.Array) {
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

// constant returns the value that n must have, nil when it says none: draft-04
// does not know the keyword.
func constant(n schema.Node) *schema.Value {
	if n.Dialect() == schema.Draft4 {
		return nil
	}
	return n.Value.Get("const")
}

// isKind reports whether v is there and of one of these kinds: a keyword whose
// value is malformed restricts nothing.
func isKind(v *schema.Value, kinds ...schema.Kind) bool {
	return v != nil && slices.Contains(kinds, v.Kind)
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

// variant returns the union t when one of its variants can hold a kind that
// branch allows, else nil.
func (w *walk) variant(branch schema.Node, t types.Type) types.Type {
	all := variants(t)
	if len(all) == 1 && all[0] == bare(t) {
		return t // the branches collapsed to one type, which position judges
	}
	allowed := w.kinds(branch, 0)
	for _, v := range all {
		if len(allowed) == 0 || slices.ContainsFunc(allowed, func(kind string) bool { return holds(v, kind) }) {
			return bare(t)
		}
	}
	return nil
}

// kinds lists the kinds that n names by type, const or enum, here or behind
// references; none when it names them in some other way.
func (w *walk) kinds(n schema.Node, depth int) []string {
	if n.Value == nil || n.Value.Kind != schema.Object || depth > 20 {
		return nil
	}
	switch t := n.Value.Get("type"); {
	case isKind(t, schema.String):
		return []string{t.Text}
	case isKind(t, schema.Array):
		var out []string
		for _, item := range t.Items {
			out = append(out, item.Text)
		}
		return out
	}
	if c := constant(n); c != nil {
		return []string{kindNames[c.Kind]}
	}
	if e := n.Value.Get("enum"); isKind(e, schema.Array) {
		var out []string
		for _, item := range e.Items {
			out = append(out, kindNames[item.Kind])
		}
		return out
	}
	if ref := n.Value.Get("$ref"); isKind(ref, schema.String) {
		if target, err := w.doc.Resolve(n, ref.Text); err == nil {
			return w.kinds(target, depth+1)
		}
	}
	return nil
}

var kindNames = map[schema.Kind]string{
	schema.Null: "null", schema.Bool: "boolean", schema.Number: "number",
	schema.String: "string", schema.Array: "array", schema.Object: "object",
}

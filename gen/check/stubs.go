package check

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sync"

	"github.com/mcpbind/mcpbind/gen/model"
)

// The stubs declare exactly what emitted code may name of the packages it may
// import. They are the list of symbols that the runtime keeps for generated code
// of the first generation; a test proves each a subset of the real package.
//
//go:embed stubs/*.go.txt
var stubFiles embed.FS

// stubs lists the stub packages, each after what it imports.
var stubs = []struct{ path, file string }{
	{"context", "stubs/context.go.txt"},
	{"encoding/json", "stubs/json.go.txt"},
	{"time", "stubs/time.go.txt"},
	{"github.com/mcpbind/mcpbind/runtime/codec", "stubs/codec.go.txt"},
	{"github.com/mcpbind/mcpbind/runtime", "stubs/runtime.go.txt"},
}

// stubPackages type-checks the stubs once per process.
var stubPackages = sync.OnceValues(func() (map[string]*types.Package, error) {
	fset := token.NewFileSet()
	loaded := byPath{}
	for _, stub := range stubs {
		src, err := stubFiles.ReadFile(stub.file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, stub.file, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		conf := types.Config{Importer: loaded, GoVersion: goVersion}
		pkg, err := conf.Check(stub.path, fset, []*ast.File{f}, nil)
		if err != nil {
			return nil, fmt.Errorf("stub of %s: %w", stub.path, err)
		}
		loaded[stub.path] = pkg
	}
	return loaded, nil
})

// byPath finds packages by path in a map, and nowhere else.
type byPath map[string]*types.Package

func (p byPath) Import(path string) (*types.Package, error) {
	if pkg, ok := p[path]; ok {
		return pkg, nil
	}
	return nil, fmt.Errorf("generated code may not import %q", path)
}

// failing is the types.Importer when the stubs themselves are broken.
type failing struct{ err error }

func (f failing) Import(string) (*types.Package, error) { return nil, f.err }

// newImporter returns the stubs and a made-up package for each binding.
func newImporter(allowed map[string][]string) types.Importer {
	loaded, err := stubPackages()
	if err != nil {
		return failing{err}
	}
	all := byPath{}
	for path, names := range allowed {
		if pkg, ok := loaded[path]; ok {
			all[path] = pkg
		} else {
			all[path] = bindingPackage(path, names)
		}
	}
	return all
}

// allowedImports returns the import paths that code of p may have: the stubs,
// and its bindings with the names used of them.
func allowedImports(p *model.Package) map[string][]string {
	allowed := make(map[string][]string)
	for t := range p.Types() {
		if q, ok := t.(model.Qualified); ok {
			allowed[q.Path] = append(allowed[q.Path], q.Name)
		}
	}
	for _, stub := range stubs {
		allowed[stub.path] = nil
	}
	return allowed
}

// bindingPackage makes a package whose named types have the two JSON methods:
// all that a binding is known to have.
func bindingPackage(path string, names []string) *types.Package {
	pkg := types.NewPackage(path, "binding")
	bytes := types.NewSlice(types.Typ[types.Byte])
	fault := types.Universe.Lookup("error").Type()
	param := func(name string, t types.Type) *types.Var { return types.NewParam(token.NoPos, pkg, name, t) }
	for _, name := range names {
		obj := types.NewTypeName(token.NoPos, pkg, name, nil)
		if pkg.Scope().Insert(obj) != nil {
			continue // there already
		}
		named := types.NewNamed(obj, types.NewStruct(nil, nil), nil)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, "MarshalJSON", types.NewSignatureType(
			param("v", named), nil, nil, nil, types.NewTuple(param("", bytes), param("", fault)), false)))
		named.AddMethod(types.NewFunc(token.NoPos, pkg, "UnmarshalJSON", types.NewSignatureType(
			param("v", types.NewPointer(named)), nil, nil, types.NewTuple(param("b", bytes)), types.NewTuple(param("", fault)), false)))
	}
	pkg.MarkComplete()
	return pkg
}

// Package check decides whether emitted source may be written to disk.
//
// In: the files of one generated package and the model that they were printed
// from. Out: the files as gofmt lays them out, or the first thing that is not
// exactly as the model says: a type error, a declaration too many or too few, an
// import, a compiler directive, a body with logic, a malformed tag. It runs no go
// command and reads no module cache: types come from stubs of exactly what emitted
// code may name. It must never import runtime.
package check

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/mcpbind/mcpbind/gen/model"
)

// goVersion is the language version that emitted code is held to.
const goVersion = "go1.26"

// ErrRejected is in the chain of every error of [Package].
var ErrRejected = errors.New("generated code is not what it should be, nothing was written; this is a bug in mcpbind, or a server that tries to exploit one")

// Package returns files, by base name, in the layout of gofmt, or reports their
// first fault as generated code of want. The error names server, file and line,
// wraps [ErrRejected] and may quote server text. It never panics: not even when
// go/types does.
func Package(files map[string][]byte, want *model.Package) (formatted map[string][]byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("type checker: %v", p)
		}
		if err != nil {
			formatted, err = nil, fmt.Errorf("server %q: %w: %w", want.Server, err, ErrRejected)
		}
	}()

	c := &checker{
		fset:     token.NewFileSet(),
		want:     want,
		imports:  allowedImports(want),
		expected: expectedDecls(want),
		structs:  structsByName(want),
	}
	if err := c.fileNames(files); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(files))
	var parsed []*ast.File
	for _, name := range names {
		f, err := c.parse(name, files[name])
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	// Syntax before types: the type checker sees only what may be there.
	for _, f := range parsed {
		if err := c.file(f); err != nil {
			return nil, err
		}
	}
	if missing := slices.Sorted(maps.Keys(c.expected)); len(missing) > 0 {
		return nil, fmt.Errorf("%s is missing", missing[0])
	}
	if err := c.types(parsed); err != nil {
		return nil, err
	}
	formatted = make(map[string][]byte, len(files))
	for i, name := range names {
		if formatted[name], err = c.format(parsed[i], files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return formatted, nil
}

type checker struct {
	fset     *token.FileSet
	want     *model.Package
	imports  map[string][]string      // allowed import path -> names used of a binding
	expected map[string]bool          // declarations not seen yet
	structs  map[string]*model.Struct // by type name
}

// errorAt names the place by file and line as they are, whatever //line says.
func (c *checker) errorAt(node ast.Node, format string, args ...any) error {
	p := c.fset.PositionFor(node.Pos(), false)
	return fmt.Errorf("%s:%d: %w", p.Filename, p.Line, fmt.Errorf(format, args...))
}

func (c *checker) fileNames(files map[string][]byte) error {
	want := []string{model.ClientFile}
	if len(c.want.Tools) > 0 {
		want = append(want, model.SchemasFile)
	}
	if len(c.want.Decls) > 0 {
		want = append(want, model.TypesFile)
	}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		return fmt.Errorf("files are %q, want %q", got, want)
	}
	return nil
}

func (c *checker) parse(name string, src []byte) (*ast.File, error) {
	if !bytes.HasPrefix(src, []byte(model.Header+"\n")) {
		return nil, fmt.Errorf("%s:1: the header is missing", name)
	}
	f, err := parser.ParseFile(c.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		return nil, fmt.Errorf("%s:%d: %s", name, list[0].Pos.Line, list[0].Msg)
	}
	return f, err
}

func (c *checker) types(files []*ast.File) error {
	conf := types.Config{
		Importer:  newImporter(c.imports),
		GoVersion: goVersion,
	}
	_, err := conf.Check(c.want.Name, c.fset, files, nil)
	if terr, ok := errors.AsType[types.Error](err); ok {
		p := c.fset.PositionFor(terr.Pos, false)
		return fmt.Errorf("%s:%d: %s", p.Filename, p.Line, terr.Msg)
	}
	return err
}

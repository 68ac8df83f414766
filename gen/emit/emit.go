// Package emit prints a model as Go source.
//
// In: a model.Package with final names in final order. Out: the text of
// client_gen.go, schemas_gen.go and types_gen.go, equal for equal models, which
// gen/check lays out as gofmt does. It makes no decisions about names or types,
// and server text reaches the output through one function for comments and one
// for string literals only. It must never import runtime, and is the only package
// that imports jennifer.
package emit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
)

// Package returns the files of p by base name: [model.ClientFile] always,
// [model.SchemasFile] when p has tools, [model.TypesFile] when it declares types.
// An error means that the model is not printable: a bug in lowering, or a hostile
// input that got past it. Nothing in the output has been checked yet, not even its
// syntax; that is gen/check's work.
func Package(p *model.Package) (map[string][]byte, error) {
	aliases := aliasesFor(p)
	files := make(map[string][]byte, 2)

	client := &file{aliases: aliases}
	client.client(p)
	src, err := client.source(p, fmt.Sprintf("Package %s calls the tools of the MCP server %q.", p.Name, p.Server))
	if err != nil {
		return nil, fmt.Errorf("server %q: %s: %w", p.Server, model.ClientFile, err)
	}
	files[model.ClientFile] = src

	if len(p.Tools) > 0 {
		schemas := &file{aliases: aliases}
		schemas.schemas(p)
		src, err = schemas.source(p, "")
		if err != nil {
			return nil, fmt.Errorf("server %q: %s: %w", p.Server, model.SchemasFile, err)
		}
		files[model.SchemasFile] = src
	}
	if len(p.Decls) == 0 {
		return files, nil
	}
	types := &file{aliases: aliases}
	for _, d := range p.Decls {
		types.decl(d)
	}
	src, err = types.source(p, "")
	if err != nil {
		return nil, fmt.Errorf("server %q: %s: %w", p.Server, model.TypesFile, err)
	}
	files[model.TypesFile] = src
	return files, nil
}

// A file collects the declarations of one file and the imports they need.
type file struct {
	aliases map[string]string // import path -> alias, fixed before printing starts
	used    []string          // import paths
	body    []jen.Code        // one item per line or declaration
	err     error             // the first thing that could not be printed
}

func (f *file) add(code ...jen.Code) { f.body = append(f.body, code...) }

// doc begins a declaration: a blank line and its documentation.
func (f *file) doc(d model.Doc) {
	f.add(jen.Line())
	f.add(commentBlock("", outer(d))...)
}

func (f *file) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// source renders the file: header, package comment, imports, body.
func (f *file) source(p *model.Package, packageDoc string) ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	var buf bytes.Buffer
	buf.WriteString(model.Header + "\n")
	for _, line := range paragraphs("Source: " + p.Source) {
		buf.WriteString(commentLine(line) + "\n")
	}
	buf.WriteByte('\n')
	for _, line := range outer(model.Doc{Lead: packageDoc}) {
		buf.WriteString(commentLine(line) + "\n")
	}

	out := jen.NewFile(p.Name)
	out.NoFormat = true // gen/check formats what it has read once
	out.Add(f.imports())
	for _, code := range f.body {
		out.Add(code)
	}
	if err := out.Render(&buf); err != nil {
		return nil, fmt.Errorf("printing: %w", err)
	}
	return buf.Bytes(), nil
}

// imports returns the import declaration: the standard library first, then the
// rest. jennifer's own imports are not used: it renames an alias that looks
// taken, and does not know what this package declares.
func (f *file) imports() jen.Code {
	slices.Sort(f.used)
	var std, other []jen.Code
	for _, path := range slices.Compact(f.used) {
		spec := jen.Lit(path)
		if alias, fixed := fixedAliases[path]; !fixed || alias != lastElement(path) {
			spec = jen.Id(f.aliases[path]).Lit(path)
		}
		if isStd(path) {
			std = append(std, spec)
		} else {
			other = append(other, spec)
		}
	}
	if len(std) > 0 && len(other) > 0 {
		std = append(std, jen.Empty())
	}
	specs := slices.Concat(std, other)
	switch len(specs) {
	case 0:
		return jen.Null()
	case 1:
		return jen.Id("import").Add(specs[0])
	default:
		return jen.Id("import").Custom(jen.Options{Open: "(", Close: ")", Multi: true}, specs...)
	}
}

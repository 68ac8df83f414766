package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
)

// file checks one file for what types do not show.
func (c *checker) file(f *ast.File) error {
	if f.Name.Name != c.want.Name {
		return c.errorAt(f.Name, "package %s, want %s", f.Name.Name, c.want.Name)
	}
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if err := plainComment(comment.Text); err != nil {
				return c.errorAt(comment, "%w", err)
			}
		}
	}
	for _, decl := range f.Decls {
		if err := c.decl(decl); err != nil {
			return err
		}
	}
	return nil
}

// plainComment refuses all that could mean something to a compiler, to cgo or to
// a tool: block comments, directives, line numbers, build constraints.
func plainComment(text string) error {
	body, ok := strings.CutPrefix(text, "//")
	if !ok {
		return errors.New("a /* comment")
	}
	if body != "" && body[0] != ' ' && body[0] != '\t' {
		return errors.New("a comment directive")
	}
	if strings.HasPrefix(strings.TrimSpace(body), "+build") {
		return errors.New("a build constraint")
	}
	return nil
}

func (c *checker) decl(decl ast.Decl) error {
	for _, name := range declNames(decl) {
		if !c.expected[name] {
			return c.errorAt(decl, "%s is not expected", name)
		}
		delete(c.expected, name)
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if err := c.body(decl); err != nil {
			return err
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if err := c.spec(spec); err != nil {
				return err
			}
		}
	}
	return c.noFuncLiterals(decl)
}

// body admits what emission prints: nothing, or one return statement.
func (c *checker) body(decl *ast.FuncDecl) error {
	switch {
	case decl.Body == nil:
		return c.errorAt(decl, "%s has no body", decl.Name.Name)
	case len(decl.Body.List) == 0:
		return nil
	case len(decl.Body.List) == 1:
		if _, ok := decl.Body.List[0].(*ast.ReturnStmt); ok {
			return nil
		}
	}
	return c.errorAt(decl, "%s does more than return", decl.Name.Name)
}

func (c *checker) noFuncLiterals(decl ast.Decl) (err error) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && err == nil {
			err = c.errorAt(lit, "a function literal")
		}
		return err == nil
	})
	return err
}

func (c *checker) spec(spec ast.Spec) error {
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return c.errorAt(spec, "%w", err)
		}
		if _, ok := c.imports[path]; !ok {
			return c.errorAt(spec, "generated code may not import %q", path)
		}
		if spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == ".") {
			return c.errorAt(spec, "generated code may not import %q as %s", path, spec.Name.Name)
		}
	case *ast.TypeSpec:
		if spec.Assign != token.NoPos {
			return c.errorAt(spec, "type %s is an alias", spec.Name.Name)
		}
		if st, ok := spec.Type.(*ast.StructType); ok {
			return c.structType(spec.Name.Name, st)
		}
	}
	return nil
}

// structType compares the fields of a struct with the model's: names, order, and
// what the codec will read from their tags.
func (c *checker) structType(name string, st *ast.StructType) error {
	want, ok := c.structs[name]
	if !ok { // Client and unions: no tags
		for _, field := range st.Fields.List {
			if field.Tag != nil {
				return c.errorAt(field, "a tag in %s", name)
			}
		}
		return nil
	}
	fields := st.Fields.List
	if want.Tuple {
		if len(fields) == 0 || fieldName(fields[0]) != "_" {
			return c.errorAt(st, "%s is no tuple", name)
		}
		fields = fields[1:]
	}
	if len(fields) != len(want.Fields) {
		return c.errorAt(st, "%s has %d fields, want %d", name, len(fields), len(want.Fields))
	}
	for i, field := range fields {
		if fieldName(field) != want.Fields[i].Name {
			return c.errorAt(field, "field %d of %s is %s, want %s", i, name, fieldName(field), want.Fields[i].Name)
		}
		if err := checkTag(field.Tag, want.Fields[i]); err != nil {
			return c.errorAt(field, "field %s of %s: %w", want.Fields[i].Name, name, err)
		}
	}
	return nil
}

func fieldName(field *ast.Field) string {
	if len(field.Names) != 1 {
		return ""
	}
	return field.Names[0].Name
}

// checkTag reads a tag as the codec does.
func checkTag(lit *ast.BasicLit, want *model.Field) error {
	if lit == nil {
		return errors.New("no tag")
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return fmt.Errorf("tag %s: %w", lit.Value, err)
	}
	tags, err := parseTag(text)
	if err != nil {
		return fmt.Errorf("tag %s: %w", lit.Value, err)
	}
	key, options, _ := strings.Cut(tags["json"], ",")
	if wire, ok := tags["wire"]; ok {
		key = wire
	}
	switch want.Role {
	case model.RoleMember:
		if key != want.Key || (options == "omitzero") != want.Optional {
			return fmt.Errorf("tag %s is not for key %q", lit.Value, want.Key)
		}
	case model.RoleConst:
		if key != want.Key || tags["const"] != want.Const {
			return fmt.Errorf("tag %s is not for constant %q", lit.Value, want.Key)
		}
	}
	return nil
}

// parseTag reads a struct tag strictly: what reflect would silently ignore is an
// error.
func parseTag(text string) (map[string]string, error) {
	tags := make(map[string]string)
	for rest := text; rest != ""; {
		name, after, ok := strings.Cut(rest, ":")
		if !ok || !wellKnown[name] {
			return nil, fmt.Errorf("unknown part %q", rest)
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			return nil, fmt.Errorf("part %q: %w", rest, err)
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("part %q: %w", rest, err)
		}
		if _, again := tags[name]; again {
			return nil, fmt.Errorf("%s twice", name)
		}
		tags[name] = value
		if seen, ok := reflect.StructTag(text).Lookup(name); !ok || seen != value {
			return nil, fmt.Errorf("reflect reads %q for %s", seen, name)
		}
		rest = strings.TrimPrefix(after[len(quoted):], " ")
	}
	return tags, nil
}

// wellKnown holds the parts of a tag that the codec reads.
var wellKnown = map[string]bool{"json": true, "wire": true, "codec": true, "const": true, "enum": true}

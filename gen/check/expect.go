package check

import (
	"go/ast"
	"go/token"

	"github.com/mcpbind/mcpbind/gen/model"
)

// expectedDecls returns every declaration that code of p has, named as
// declNames names them.
func expectedDecls(p *model.Package) map[string]bool {
	want := map[string]bool{
		"const _":          true,
		"const ServerName": true,
		"type Client":      true,
		"func New":         true,
	}
	for _, t := range p.Tools {
		want["var "+t.Var] = true
		want["method Client."+t.Method] = true
		for _, s := range t.Schemas() {
			want["const "+s.Name] = true
		}
	}
	if len(p.Tools) > 0 {
		want["var "+model.SpecsVar] = true
	}
	for _, d := range p.Decls {
		want["type "+d.Ident()] = true
		if model.MethodsOf(d) != model.NoJSONMethods {
			want["method "+d.Ident()+".MarshalJSON"] = true
			want["method "+d.Ident()+".UnmarshalJSON"] = true
		}
		switch d := d.(type) {
		case *model.Enum:
			for _, v := range d.Values {
				want["const "+v.Name] = true
			}
		case *model.Union:
			want["type "+d.Interface] = true
			want["var "+d.Var] = true
			want["method "+d.Name+".Variants"] = true
			for _, variant := range d.Variants {
				want["method "+variant.Ident()+"."+d.Marker] = true
			}
		}
	}
	return want
}

func structsByName(p *model.Package) map[string]*model.Struct {
	structs := make(map[string]*model.Struct)
	for _, d := range p.Decls {
		if s, ok := d.(*model.Struct); ok {
			structs[s.Name] = s
		}
	}
	return structs
}

// declNames names what a declaration declares; imports are none.
func declNames(decl ast.Decl) []string {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			return []string{"func " + decl.Name.Name}
		}
		return []string{"method " + receiver(decl.Recv) + "." + decl.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, "type "+spec.Name.Name)
			case *ast.ValueSpec:
				kind := "var "
				if decl.Tok == token.CONST {
					kind = "const "
				}
				for _, name := range spec.Names {
					names = append(names, kind+name.Name)
				}
			}
		}
		return names
	}
	return []string{"an unknown declaration"}
}

func receiver(recv *ast.FieldList) string {
	if len(recv.List) != 1 {
		return "?"
	}
	t := recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if ident, ok := t.(*ast.Ident); ok {
		return ident.Name
	}
	return "?"
}

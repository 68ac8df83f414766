package lower

import (
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
)

// render prints a package compactly: one line per type, one per field.
func render(p *model.Package) string {
	var b strings.Builder
	for _, t := range p.Tools {
		fmt.Fprintf(&b, "%s(%s)", t.Method, typeString(t.Input))
		if t.Output != nil {
			b.WriteString(" " + typeString(t.Output))
		}
		b.WriteByte('\n')
	}
	for _, d := range p.Decls {
		renderDecl(&b, d)
	}
	return b.String()
}

func renderDecl(b *strings.Builder, d model.Decl) {
	switch d := d.(type) {
	case *model.Struct:
		kind := "struct"
		if d.Tuple {
			kind = "tuple"
		}
		fmt.Fprintf(b, "%s %s\n", kind, d.Name)
		for _, f := range d.Fields {
			renderField(b, f)
		}
	case *model.Enum:
		fmt.Fprintf(b, "enum %s %s:", d.Name, typeString(d.Base))
		for _, v := range d.Values {
			fmt.Fprintf(b, " %s=%s", v.Name, v.JSON)
		}
		b.WriteByte('\n')
	case *model.Named:
		fmt.Fprintf(b, "type %s %s\n", d.Name, typeString(d.Underlying))
	case *model.Union:
		fmt.Fprintf(b, "union %s:", d.Name)
		for _, v := range d.Variants {
			b.WriteString(" " + v.Ident())
		}
		b.WriteByte('\n')
	}
}

func renderField(b *strings.Builder, f *model.Field) {
	switch f.Role {
	case model.RoleConst:
		fmt.Fprintf(b, "  const %q %s\n", f.Key, f.Const)
		return
	case model.RoleExtra:
		fmt.Fprintf(b, "  extra %s %s\n", f.Name, typeString(f.Type))
		return
	case model.RoleRest:
		fmt.Fprintf(b, "  rest %s\n", typeString(f.Type))
		return
	}
	fmt.Fprintf(b, "  %s %s", f.Name, typeString(f.Type))
	if f.Optional {
		b.WriteString(" optional")
	}
	if f.Enum != nil {
		fmt.Fprintf(b, " of %s", strings.Join(f.Enum, " "))
	}
	b.WriteByte('\n')
}

func typeString(t model.Type) string {
	switch t := t.(type) {
	case nil:
		return "nothing"
	case model.Basic:
		return string(t)
	case model.Qualified:
		return t.Path[strings.LastIndexByte(t.Path, '/')+1:] + "." + t.Name
	case model.Pointer:
		return "*" + typeString(t.Elem)
	case model.Slice:
		return "[]" + typeString(t.Elem)
	case model.Map:
		return "map " + typeString(t.Elem)
	case model.Nullable:
		return "Nullable " + typeString(t.Elem)
	case model.Ref:
		return t.Decl.Ident()
	}
	return fmt.Sprintf("%T", t)
}

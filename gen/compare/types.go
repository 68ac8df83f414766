package compare

import (
	"path"
	"slices"

	"github.com/mcpbind/mcpbind/gen/model"
)

// identical reports whether a type of the old package is the same in the new
// one, where names mean what they are declared as there.
func (c *comparer) identical(before, after model.Type) bool {
	switch a := before.(type) {
	case model.Ref:
		b, ok := after.(model.Ref)
		return ok && a.Decl.Ident() == b.Decl.Ident()
	case model.Pointer:
		b, ok := after.(model.Pointer)
		return ok && c.identical(a.Elem, b.Elem)
	case model.Slice:
		b, ok := after.(model.Slice)
		return ok && c.identical(a.Elem, b.Elem)
	case model.Map:
		b, ok := after.(model.Map)
		return ok && c.identical(a.Elem, b.Elem)
	case model.Nullable:
		b, ok := after.(model.Nullable)
		return ok && c.identical(a.Elem, b.Elem)
	}
	return before == after
}

// assignable reports whether a variable of the old type and a field of the new
// one can be assigned to each other.
func (c *comparer) assignable(before, after model.Type) bool {
	if c.identical(before, after) {
		return true
	}
	// A defined list, map or pointer and one that is written out go together.
	if a := c.written(before); a != nil && isLiteral(after) {
		return c.identical(a, after)
	}
	if b := c.written(after); b != nil && isLiteral(before) {
		return c.identical(before, b)
	}
	return false
}

// written returns what a defined list, map or pointer stands for in the new
// package; nil for everything else.
func (c *comparer) written(t model.Type) model.Type {
	for range 100 { // types over types
		ref, ok := t.(model.Ref)
		if !ok {
			break
		}
		named, ok := c.after.decls[ref.Decl.Ident()].(*model.Named)
		if !ok {
			return nil
		}
		if t = named.Underlying; isLiteral(t) {
			return t
		}
	}
	return nil
}

func isLiteral(t model.Type) bool {
	switch t.(type) {
	case model.Pointer, model.Slice, model.Map:
		return true
	}
	return false
}

// sameUnderlying reports whether a type that is defined over another can be used
// in the same way: it is over the same, and has the methods it had.
func (c *comparer) sameUnderlying(before, after model.Decl) bool {
	a, b := over(before), over(after)
	return a != nil && b != nil && c.identical(text(a), text(b)) &&
		(model.MethodsOf(before) == model.NoJSONMethods || model.MethodsOf(after) != model.NoJSONMethods)
}

// text takes json.Number for what it is underneath.
func text(t model.Type) model.Type {
	if t == model.Number {
		return model.String
	}
	return t
}

// over returns the type that d is defined over.
func over(d model.Decl) model.Type {
	switch d := d.(type) {
	case *model.Enum:
		return d.Base
	case *model.Named:
		return d.Underlying
	}
	return nil
}

func kind(d model.Decl) string {
	switch d := d.(type) {
	case *model.Struct:
		return "a struct"
	case *model.Union:
		return "a union"
	case *model.Enum:
		return spell(d.Base)
	case *model.Named:
		return spell(d.Underlying)
	}
	return ""
}

// spell writes a type as Go does.
func spell(t model.Type) string {
	switch t := t.(type) {
	case model.Basic:
		return string(t)
	case model.Qualified:
		return path.Base(t.Path) + "." + t.Name
	case model.Pointer:
		return "*" + spell(t.Elem)
	case model.Slice:
		return "[]" + spell(t.Elem)
	case model.Map:
		return "map[string]" + spell(t.Elem)
	case model.Nullable:
		return "runtime.Nullable[" + spell(t.Elem) + "]"
	case model.Ref:
		return t.Decl.Ident()
	}
	return ""
}

// users returns the tools that use each declared type, in their order.
func users(p *model.Package) map[model.Decl][]string {
	out := make(map[model.Decl][]string)
	for _, t := range p.Tools {
		seen := make(map[model.Decl]bool)
		var visit func(d model.Decl)
		visit = func(d model.Decl) {
			if seen[d] {
				return
			}
			seen[d] = true
			out[d] = append(out[d], t.Name)
			for part := range model.Parts(d) {
				visit(part)
			}
		}
		for _, root := range []model.Type{t.Input, t.Output} {
			for d := range model.Refs(root) {
				visit(d)
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

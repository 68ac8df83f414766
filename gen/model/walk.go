package model

import "iter"

// Types yields every type expression of the package, outer ones before what they
// are made of. It does not follow a [Ref] into its declaration, which is in Decls.
func (p *Package) Types() iter.Seq[Type] {
	return func(yield func(Type) bool) {
		for _, t := range p.Tools {
			if !walk(t.Input, yield) || !walk(t.Output, yield) {
				return
			}
		}
		for _, d := range p.Decls {
			switch d := d.(type) {
			case *Struct:
				for _, f := range d.Fields {
					if !walk(f.Type, yield) {
						return
					}
				}
			case *Enum:
				if !walk(d.Base, yield) {
					return
				}
			case *Named:
				if !walk(d.Underlying, yield) {
					return
				}
			}
		}
	}
}

func walk(t Type, yield func(Type) bool) bool {
	if t == nil {
		return true
	}
	if !yield(t) {
		return false
	}
	switch t := t.(type) {
	case Pointer:
		return walk(t.Elem, yield)
	case Slice:
		return walk(t.Elem, yield)
	case Map:
		return walk(t.Elem, yield)
	case Nullable:
		return walk(t.Elem, yield)
	}
	return true
}

// Refs yields the declared types that t names.
func Refs(t Type) iter.Seq[Decl] {
	return func(yield func(Decl) bool) {
		walk(t, func(t Type) bool {
			ref, ok := t.(Ref)
			return !ok || yield(ref.Decl)
		})
	}
}

// Parts yields the declared types that d is made of, in order: those that its fields
// or the type under it name, or its variants.
func Parts(d Decl) iter.Seq[Decl] {
	return func(yield func(Decl) bool) {
		switch d := d.(type) {
		case *Struct:
			for _, f := range d.Fields {
				for part := range Refs(f.Type) {
					if !yield(part) {
						return
					}
				}
			}
		case *Named:
			Refs(d.Underlying)(yield)
		case *Union:
			for _, v := range d.Variants {
				if !yield(v) {
					return
				}
			}
		}
	}
}

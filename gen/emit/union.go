package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
)

// unionType prints the struct, the sealed interface, what makes the variants
// implement it, and the list by which the codec finds them. The variants
// themselves are declarations of their own.
func (f *file) unionType(d *model.Union) {
	f.doc(d.Doc)
	f.add(jen.Type().Id(d.Name).Add(oneLine("struct{ ", jen.Id("Value").Id(d.Interface))))

	f.doc(model.Doc{Lead: d.Interface + " is implemented by the variants of [" + d.Name + "] only."})
	f.add(jen.Type().Id(d.Interface).Add(oneLine("interface{ ", jen.Id(d.Marker).Params())))

	f.add(jen.Line())
	pointers := make([]jen.Code, len(d.Variants))
	for i, variant := range d.Variants {
		if variant == nil {
			f.fail("union %s: a variant without a declaration", d.Name)
			return
		}
		f.add(jen.Func().Params(jen.Id(variant.Ident())).Id(d.Marker).Params().Block())
		pointers[i] = jen.Parens(jen.Op("*").Id(variant.Ident())).Call(jen.Nil())
	}

	if last := len(pointers) - 1; d.Open { // says so to the codec
		pointers = slices.Insert(pointers[:last:last], 0, pointers[last])
	}
	f.add(jen.Line(), jen.Var().Id(d.Var).Op("=").Id(f.name(pathCodec, "Variants")).Values(pointers...))

	f.doc(model.Doc{Lead: "Variants lists the types that Value may hold."})
	f.add(jen.Func().Params(jen.Id(d.Name)).Id("Variants").Params().Id(f.name(pathCodec, "Variants")).
		Add(oneLine("{ ", jen.Return(jen.Id(d.Var)))))

	f.jsonMethods(d, nil)
}

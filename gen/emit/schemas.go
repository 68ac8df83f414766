package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
)

// schemas prints what the tools were generated from, and the list of the tools'
// descriptors, by which the runtime tells whether live tools are others.
func (f *file) schemas(p *model.Package) {
	var constants, specs []jen.Code
	for _, t := range p.Tools {
		specs = append(specs, jen.Id(t.Var))
		for _, c := range t.Schemas() {
			constants = append(constants, jen.Id(c.Name).Op("=").Id(quote(c.JSON)))
		}
	}
	if len(constants) > 0 {
		f.doc(model.Doc{Lead: "The schemas that this package was generated from. They are read only when a live tool has another digest."})
		f.add(jen.Const().Defs(constants...))
	}
	f.add(jen.Line(), jen.Var().Id(model.SpecsVar).Op("=").Index().Id(f.name(pathRuntime, "ToolSpec")).
		Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, specs...))
}

package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
)

// client prints what is the same in every package, the tools' descriptors and
// the methods.
func (f *file) client(p *model.Package) {
	f.add(jen.Line(), jen.Const().Id("_").Op("=").Id(f.name(pathRuntime, "SupportsGen1")).
		Id(commentLine("undefined? upgrade github.com/mcpbind/mcpbind, or regenerate this package")))

	f.doc(model.Doc{Lead: "ServerName is the server that a Client calls unless [runtime.OnServer] names another."})
	f.add(jen.Const().Id("ServerName").Op("=").Id(quote(p.Server)))

	f.doc(model.Doc{Lead: "Client calls the tools of the MCP server " + strconv.Quote(p.Server) + ". It is safe for concurrent use."})
	f.add(jen.Type().Id("Client").Add(oneLine("struct{ ", jen.Id("binding").Id(f.name(pathRuntime, "Binding")))))

	bound := jen.Id(f.name(pathRuntime, "Bind")).Call(jen.Id("caller"), jen.Id("ServerName"), jen.Id("opts").Op("..."))
	if len(p.Tools) > 0 {
		bound = jen.Id(f.name(pathRuntime, "BindTools")).Call(
			jen.Id("caller"), jen.Id("ServerName"), jen.Id(model.SpecsVar), jen.Id("opts").Op("..."))
	}
	f.doc(model.Doc{Lead: "New returns a Client that calls through caller, a [*runtime.Registry] or a single [runtime.MCPClient]."})
	f.add(jen.Func().Id("New").
		Params(jen.Id("caller").Id(f.name(pathRuntime, "Caller")), jen.Id("opts").Op("...").Id(f.name(pathRuntime, "BindOption"))).
		Op("*").Id("Client").
		Block(jen.Return(jen.Op("&").Id("Client").Values(bound))))

	if len(p.Tools) == 0 {
		return
	}
	specs := make([]jen.Code, len(p.Tools))
	for i, t := range p.Tools {
		specs[i] = f.toolSpec(t)
	}
	f.add(jen.Line(), jen.Var().Defs(specs...))
	for _, t := range p.Tools {
		f.method(t)
	}
}

func (f *file) toolSpec(t *model.Tool) jen.Code {
	fields := []jen.Code{
		jen.Id("Name").Op(":").Id(quote(t.Name)),
		jen.Id("Digest").Op(":").Id(quote(t.Digest)),
	}
	for _, hint := range []struct {
		name string
		set  bool
	}{
		{"ReadOnly", t.ReadOnly},
		{"Idempotent", t.Idempotent},
		{"Destructive", t.Destructive},
	} {
		if hint.set {
			fields = append(fields, jen.Id(hint.name).Op(":").True())
		}
	}
	for _, c := range t.Schemas() {
		fields = append(fields, jen.Id(c.Field).Op(":").Id(c.Name))
	}
	return jen.Id(t.Var).Op("=").Id(f.name(pathRuntime, "ToolSpec")).Values(fields...)
}

// method prints one typed call. All logic is in the runtime.
func (f *file) method(t *model.Tool) {
	call := f.name(pathRuntime, "CallUntyped")
	result := f.name(pathRuntime, "CallResult")
	if t.Output != nil {
		result = f.typeExpr(t.Output)
		call = f.name(pathRuntime, "Call") + "[" + result + "]"
	}
	f.doc(t.Doc)
	f.add(line("func (c *Client) "+t.Method+
		"(ctx "+f.name(pathContext, "Context")+", in "+f.typeExpr(t.Input)+", opts ..."+f.name(pathRuntime, "CallOption")+")",
		"(*"+result+", error)").
		Block(line("return " + call + "(ctx, c.binding, " + t.Var + ", in, opts...)")))
}

// oneLine keeps a body on the line of its opening.
func oneLine(open string, body jen.Code) jen.Code {
	return jen.Custom(jen.Options{Open: open, Close: " }"}, body)
}

package emit

import (
	"encoding/json"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
)

// decl prints one declared type with everything that belongs to it.
func (f *file) decl(d model.Decl) {
	switch d := d.(type) {
	case *model.Struct:
		f.structType(d)
	case *model.Enum:
		f.enumType(d)
	case *model.Named:
		f.doc(d.Doc)
		f.add(jen.Type().Id(d.Name).Id(f.typeExpr(d.Underlying)))
		f.jsonMethods(d, d.Underlying)
	case *model.Union:
		f.unionType(d)
	default:
		f.fail("unknown declaration %T", d)
	}
}

func (f *file) structType(d *model.Struct) {
	f.doc(d.Doc)
	var fields group
	if d.Tuple {
		fields.add(nil, jen.Id("_").Struct().Id(literal(`codec:"tuple"`)))
	}
	for _, field := range d.Fields {
		fields.add(inner(field.Doc), f.field(field))
	}
	f.add(jen.Type().Id(d.Name).Struct(fields.lines...))
	f.jsonMethods(d, nil)
}

// A group is the lines between braces or parentheses. A documented line stands
// apart from its neighbours.
type group struct {
	lines      []jen.Code
	documented bool // the last one was
}

func (g *group) add(doc []jen.Code, line jen.Code) {
	if len(g.lines) > 0 && (g.documented || len(doc) > 0) {
		g.lines = append(g.lines, jen.Empty())
	}
	g.documented = len(doc) > 0
	g.lines = append(append(g.lines, doc...), line)
}

func (f *file) field(field *model.Field) jen.Code {
	typ := "struct{}"
	if field.Role != model.RoleConst {
		typ = f.typeExpr(field.Type)
	}
	return line(field.Name, typ, f.tagOf(field))
}

func (f *file) enumType(d *model.Enum) {
	f.doc(d.Doc)
	f.add(jen.Type().Id(d.Name).Id(f.typeExpr(d.Base)))
	constant := func(v model.EnumValue) *jen.Statement {
		return line(v.Name, d.Name, "=", f.constant(d, v))
	}
	switch len(d.Values) {
	case 0:
	case 1:
		f.doc(model.Doc{Server: d.Values[0].Doc})
		f.add(jen.Const().Add(constant(d.Values[0])))
	default:
		var values group
		for _, v := range d.Values {
			values.add(inner(model.Doc{Server: v.Doc}), constant(v))
		}
		f.add(jen.Line(), jen.Const().Defs(values.lines...))
	}
	f.jsonMethods(d, d.Base)
}

// constant returns the Go literal of an enum value.
func (f *file) constant(d *model.Enum, value model.EnumValue) string {
	if d.Base != model.String && d.Base != model.Number {
		// A JSON number is a Go number, and 1.0 and 1e3 are integers there too.
		if !json.Valid([]byte(value.JSON)) || value.JSON[0] != '-' && (value.JSON[0] < '0' || value.JSON[0] > '9') {
			f.fail("enum %s: %q is no JSON number", d.Name, value.JSON)
		}
		return strings.ToLower(value.JSON) // gofmt wants 1e3
	}
	text := value.JSON
	if d.Base == model.String {
		if err := json.Unmarshal([]byte(value.JSON), &text); err != nil {
			f.fail("enum %s: %q is no JSON string", d.Name, value.JSON)
		}
	}
	return quote(text)
}

// jsonMethods prints MarshalJSON and UnmarshalJSON, one line each.
func (f *file) jsonMethods(d model.Decl, underlying model.Type) {
	switch model.MethodsOf(d) {
	case model.NoJSONMethods:
	case model.CodecMethods:
		f.jsonPair(d.Ident(),
			f.name(pathCodec, "Marshal")+"(v)",
			f.name(pathCodec, "Unmarshal")+"(b, v)")
	case model.ConvertedMethods:
		under := f.typeExpr(underlying)
		f.jsonPair(d.Ident(),
			f.name(pathCodec, "Marshal")+"("+under+"(v))",
			f.name(pathCodec, "Unmarshal")+"(b, (*"+under+")(v))")
	case model.UnderlyingMethods:
		under := f.typeExpr(underlying)
		f.jsonPair(d.Ident(), under+"(v).MarshalJSON()", "(*"+under+")(v).UnmarshalJSON(b)")
	}
}

func (f *file) jsonPair(ident, marshal, unmarshal string) {
	f.add(
		jen.Line(),
		line("func (v", ident+") MarshalJSON() ([]byte, error) { return", marshal, "}"),
		line("func (v", "*"+ident+") UnmarshalJSON(b []byte) error { return", unmarshal, "}"),
	)
}

// line returns tokens that stand on one line. A statement of jennifer for each
// of them would be most of what emission costs.
func line(tokens ...string) *jen.Statement { return jen.Id(strings.Join(tokens, " ")) }

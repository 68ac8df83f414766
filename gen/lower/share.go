package lower

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
)

// share makes definitions of one key, direction and shape one type, whatever
// the number of tools that bring them. The owner that comes first in code-point
// order keeps the type; the others' types are dropped.
func (p *lowering) share() {
	var defs []*info
	for _, in := range p.all {
		if in.def != "" {
			defs = append(defs, in)
		}
	}
	slices.SortStableFunc(defs, func(a, b *info) int { return cmp.Compare(a.s.tool.wire, b.s.tool.wire) })
	class := p.classesOf(defs)
	keeper := make(map[string]*info)
	twin := make(map[model.Decl]model.Decl)
	for _, in := range defs {
		first := keeper[class[in]]
		switch {
		case first == nil:
			keeper[class[in]] = in
		case twin[in.decl] == nil:
			p.merge(first, in, twin)
		}
	}
	if len(twin) > 0 {
		p.substitute(twin)
	}
}

// classesOf groups definitions by shape: it starts from what each says itself
// and splits groups until the definitions they refer to agree too.
func (p *lowering) classesOf(defs []*info) map[*info]string {
	type local struct {
		text string
		refs []*info
	}
	own := make(map[*info]local, len(defs))
	class := make(map[*info]string, len(defs))
	for _, in := range defs {
		sig := signature{p: p, of: in, open: make(map[model.Decl]int)}
		sig.decl(in.decl)
		own[in] = local{sig.b.String(), sig.refs}
		class[in] = ""
	}
	for count := 0; ; {
		ids := make(map[string]string)
		next := make(map[*info]string, len(defs))
		for _, in := range defs {
			var b strings.Builder
			fmt.Fprintf(&b, "%d %q %s", in.s.dir, in.def, own[in].text)
			for _, ref := range own[in].refs {
				b.WriteString(" " + class[ref])
			}
			id, ok := ids[b.String()]
			if !ok {
				id = fmt.Sprint(len(ids) + 1)
				ids[b.String()] = id
			}
			next[in] = id
		}
		class = next
		if len(ids) == count {
			return class
		}
		count = len(ids)
	}
}

// A signature is the shape of one definition: field order, names and
// documentation aside.
type signature struct {
	p    *lowering
	of   *info
	b    strings.Builder
	refs []*info            // definitions it refers to, in order
	open map[model.Decl]int // what it holds itself, numbered
}

func (g *signature) decl(d model.Decl) {
	in := g.p.infos[d]
	if in.def != "" && in != g.of {
		fmt.Fprintf(&g.b, "$%q", in.def)
		g.refs = append(g.refs, in)
		return
	}
	if i, ok := g.open[d]; ok {
		fmt.Fprintf(&g.b, "^%d", i)
		return
	}
	g.open[d] = len(g.open)
	if in.anchor == "" {
		// Outside any definition: inline, and never shared.
		fmt.Fprintf(&g.b, "!%q%q", in.s.tool.wire, in.pointer)
	}
	switch d := d.(type) {
	case *model.Struct:
		fmt.Fprintf(&g.b, "struct %v{", d.Tuple)
		for _, f := range canonicalFields(d) {
			fmt.Fprintf(&g.b, "%d %q %v %q %q ", f.Role, f.Key, f.Optional, f.Const, f.Enum)
			g.typ(f.Type)
			g.b.WriteByte(';')
		}
	case *model.Enum:
		g.b.WriteString("enum{")
		g.typ(d.Base)
		for _, v := range canonicalValues(d) {
			fmt.Fprintf(&g.b, " %q", v.JSON)
		}
	case *model.Named:
		fmt.Fprintf(&g.b, "named %v{", d.Raw)
		g.typ(d.Underlying)
	case *model.Union:
		fmt.Fprintf(&g.b, "union %v{", d.Open)
		for _, v := range d.Variants {
			g.decl(v)
			g.b.WriteByte('|')
		}
	}
	g.b.WriteByte('}')
}

func (g *signature) typ(t model.Type) {
	switch t := t.(type) {
	case model.Ref:
		g.decl(t.Decl)
	case model.Pointer:
		g.b.WriteByte('*')
		g.typ(t.Elem)
	case model.Slice:
		g.b.WriteString("[]")
		g.typ(t.Elem)
	case model.Map:
		g.b.WriteString("map")
		g.typ(t.Elem)
	case model.Nullable:
		g.b.WriteByte('?')
		g.typ(t.Elem)
	default:
		fmt.Fprintf(&g.b, "%v", t)
	}
}

func canonicalFields(d *model.Struct) []*model.Field {
	if d.Tuple {
		return d.Fields
	}
	return slices.SortedStableFunc(slices.Values(d.Fields), func(a, b *model.Field) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Key, b.Key))
	})
}

func canonicalValues(d *model.Enum) []model.EnumValue {
	return slices.SortedStableFunc(slices.Values(d.Values), func(a, b model.EnumValue) int { return cmp.Compare(a.JSON, b.JSON) })
}

// merge makes in, and what it holds inline, twins of first, which has the same
// shape. Twins keep their owners.
func (p *lowering) merge(first, in *info, twin map[model.Decl]model.Decl) {
	if first == in || twin[in.decl] != nil {
		return
	}
	twin[in.decl] = first.decl
	first.shared = append(first.shared, in)
	inline := func(a, b model.Decl) {
		if x, y := p.infos[a], p.infos[b]; y.def == "" && y.anchor != "" {
			p.merge(x, y, twin)
		}
	}
	var both func(a, b model.Type)
	both = func(a, b model.Type) {
		switch a := a.(type) {
		case model.Ref:
			inline(a.Decl, b.(model.Ref).Decl)
		case model.Pointer:
			both(a.Elem, b.(model.Pointer).Elem)
		case model.Slice:
			both(a.Elem, b.(model.Slice).Elem)
		case model.Map:
			both(a.Elem, b.(model.Map).Elem)
		case model.Nullable:
			both(a.Elem, b.(model.Nullable).Elem)
		}
	}
	switch a := first.decl.(type) {
	case *model.Struct:
		theirs := canonicalFields(in.decl.(*model.Struct))
		for i, f := range canonicalFields(a) {
			fi := p.fields[f]
			fi.shared = append(fi.shared, p.fields[theirs[i]])
			both(f.Type, theirs[i].Type)
		}
	case *model.Named:
		both(a.Underlying, in.decl.(*model.Named).Underlying)
	case *model.Union:
		for i, v := range a.Variants {
			inline(v, in.decl.(*model.Union).Variants[i])
		}
	}
}

// substitute replaces every reference to a twin by one to the type it became.
func (p *lowering) substitute(twin map[model.Decl]model.Decl) {
	of := func(d model.Decl) model.Decl {
		if t := twin[d]; t != nil {
			return t
		}
		return d
	}
	var replace func(t model.Type) model.Type
	replace = func(t model.Type) model.Type {
		switch t := t.(type) {
		case model.Ref:
			return model.Ref{Decl: of(t.Decl)}
		case model.Pointer:
			return model.Pointer{Elem: replace(t.Elem)}
		case model.Slice:
			return model.Slice{Elem: replace(t.Elem)}
		case model.Map:
			return model.Map{Elem: replace(t.Elem)}
		case model.Nullable:
			return model.Nullable{Elem: replace(t.Elem)}
		}
		return t
	}
	for _, in := range p.all {
		switch d := in.decl.(type) {
		case *model.Struct:
			for _, f := range d.Fields {
				f.Type = replace(f.Type)
			}
		case *model.Named:
			d.Underlying = replace(d.Underlying)
		case *model.Union:
			for i, v := range d.Variants {
				d.Variants[i] = of(v)
			}
		}
	}
	for _, t := range p.tools {
		t.model.Input, t.model.Output = replace(t.model.Input), replace(t.model.Output)
	}
}

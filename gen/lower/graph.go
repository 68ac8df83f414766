package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/gen/model"
)

// arrange lists the types that tools reach, each after the first that uses it,
// and tells every variant its unions.
func (p *lowering) arrange() {
	seen := make(map[model.Decl]bool)
	var visit func(d model.Decl)
	visit = func(d model.Decl) {
		if seen[d] {
			return
		}
		seen[d] = true
		p.order = append(p.order, d)
		for part := range model.Parts(d) {
			visit(part)
		}
	}
	for _, t := range p.tools {
		for _, root := range []model.Type{t.model.Input, t.model.Output} {
			for d := range model.Refs(root) {
				visit(d)
			}
		}
	}
	for _, d := range p.order {
		u, ok := d.(*model.Union)
		if !ok {
			continue
		}
		for _, v := range u.Variants {
			switch v := v.(type) {
			case *model.Struct:
				v.Unions = append(v.Unions, u)
			case *model.Enum:
				v.Unions = append(v.Unions, u)
			case *model.Named:
				v.Unions = append(v.Unions, u)
			}
		}
	}
}

// breakCycles puts a pointer on every field by which a struct would contain
// itself. All fields of such a cycle get one, so that no order decides.
func (p *lowering) breakCycles() {
	component := p.components()
	for _, in := range p.all {
		st, ok := in.decl.(*model.Struct)
		if !ok {
			continue
		}
		for _, f := range st.Fields {
			if ref, ok := f.Type.(model.Ref); ok && isStruct(ref.Decl) && component[ref.Decl] == component[in.decl] {
				f.Type = model.Pointer{Elem: ref}
			}
		}
	}
}

func isStruct(d model.Decl) bool {
	_, ok := d.(*model.Struct)
	return ok
}

// components numbers the strongly connected components of structs that contain
// each other by value. A struct alone counts as one only if it contains itself,
// which the caller sees by its own field.
func (p *lowering) components() map[model.Decl]int {
	index := make(map[model.Decl]int)
	low := make(map[model.Decl]int)
	component := make(map[model.Decl]int)
	var stack []model.Decl
	onStack := make(map[model.Decl]bool)
	var connect func(d model.Decl)
	connect = func(d model.Decl) {
		index[d] = len(index) + 1
		low[d] = index[d]
		stack = append(stack, d)
		onStack[d] = true
		for _, f := range d.(*model.Struct).Fields {
			ref, ok := f.Type.(model.Ref)
			if !ok || !isStruct(ref.Decl) {
				continue
			}
			switch to := ref.Decl; {
			case index[to] == 0:
				connect(to)
				low[d] = min(low[d], low[to])
			case onStack[to]:
				low[d] = min(low[d], index[to])
			}
		}
		if low[d] != index[d] {
			return
		}
		i := slices.Index(stack, d)
		for _, member := range stack[i:] {
			component[member] = index[d]
			onStack[member] = false
		}
		stack = stack[:i]
	}
	for _, in := range p.all {
		if isStruct(in.decl) && index[in.decl] == 0 {
			connect(in.decl)
		}
	}
	return component
}

// stats counts what the package is made of.
func (p *lowering) stats() Stats {
	st := Stats{Tools: len(p.tools), Types: len(p.order)}
	for _, d := range p.order {
		s, ok := d.(*model.Struct)
		if !ok {
			continue
		}
		for _, f := range s.Fields {
			if f.Role == model.RoleConst || f.Role == model.RoleExtra {
				continue
			}
			st.Fields++
			switch fi := p.fields[f]; {
			case fi.typ.raw:
				st.Raw++
			case fi.open && fi.typ.bare:
				st.Open++
			}
		}
	}
	return st
}

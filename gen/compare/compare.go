// Package compare tells which code written against one generated package no
// longer compiles against the next one.
//
// In: the models of both. Out: changes of grade source, for internal/drift to
// join with its own. A caller's code is taken to name every exported identifier,
// to write keyed literals of all fields, to read each field into a variable of
// its type, to call each method and to switch on each variant: what such a
// program survives is no change. It prints nothing and must never import runtime.
package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/drift"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// Codes of the rules.
const (
	MethodRemoved    drift.Code = "source-method-removed"
	SignatureChanged drift.Code = "source-signature-changed"
	TypeRemoved      drift.Code = "source-type-removed"
	TypeChanged      drift.Code = "source-type-changed"
	FieldRemoved     drift.Code = "source-field-removed"
	FieldChanged     drift.Code = "source-field-changed"
	ConstantRemoved  drift.Code = "source-constant-removed"
	VariantRemoved   drift.Code = "source-variant-removed"
)

// messages says what each code stands for.
var messages = map[drift.Code]string{
	MethodRemoved:    "the method is gone",
	SignatureChanged: "the method takes or returns another type",
	TypeRemoved:      "the type is gone",
	TypeChanged:      "the name stands for another kind of type",
	FieldRemoved:     "the field is gone",
	FieldChanged:     "the field has another type",
	ConstantRemoved:  "the constant is gone, or is of another type",
	VariantRemoved:   "the type is no variant of the union any more",
}

// Codes lists the codes of all rules, sorted.
func Codes() []drift.Code { return slices.Sorted(maps.Keys(messages)) }

// Message returns what a code stands for, "" for one that is not of this package.
func Message(code drift.Code) string { return messages[code] }

// Source returns what in after breaks code that was written against before,
// sorted. A type that several tools use is reported for each of them.
func Source(before, after *model.Package) []drift.Change {
	c := &comparer{after: index(after), users: users(before), gone: map[string]bool{}}
	for _, t := range before.Tools {
		c.tool(t)
	}
	for _, d := range before.Decls {
		c.decl(d)
	}
	drift.Sort(c.out)
	return c.out
}

// An indexed is a package by its identifiers.
type indexed struct {
	tools     map[string]*model.Tool // by method
	decls     map[string]model.Decl
	constants map[string]string // constant -> type
}

func index(p *model.Package) indexed {
	x := indexed{map[string]*model.Tool{}, map[string]model.Decl{}, map[string]string{}}
	for _, t := range p.Tools {
		x.tools[t.Method] = t
	}
	for _, d := range p.Decls {
		x.decls[d.Ident()] = d
		if e, ok := d.(*model.Enum); ok {
			for _, v := range e.Values {
				x.constants[v.Name] = e.Name
			}
		}
	}
	return x
}

type comparer struct {
	after indexed
	users map[model.Decl][]string // type -> wire names of the tools that use it
	gone  map[string]bool         // tools whose method is
	out   []drift.Change
}

// found notes a change for each of tools.
func (c *comparer) found(tools []string, code drift.Code, pointer, name, before, after string) {
	for _, tool := range tools {
		c.out = append(c.out, drift.Change{
			Tool:    tool,
			Pointer: pointer,
			Grades:  []drift.Grade{drift.Source},
			Code:    code,
			Before:  safetext.LineN(before, 100),
			After:   safetext.LineN(after, 100),
			Message: "Go: " + messages[code] + ": " + name,
			Hint:    "regenerate, and adapt the callers",
		})
	}
}

func (c *comparer) tool(t *model.Tool) {
	now := c.after.tools[t.Method]
	switch {
	case now == nil:
		c.gone[t.Name] = true
		c.found([]string{t.Name}, MethodRemoved, "", t.Method, t.Method, "")
		return
	case !c.identical(t.Input, now.Input):
		c.found([]string{t.Name}, SignatureChanged, "/inputSchema", t.Method, spell(t.Input), spell(now.Input))
	case !c.sameOutput(t.Output, now.Output):
		c.found([]string{t.Name}, SignatureChanged, "/outputSchema", t.Method, output(t.Output), output(now.Output))
	}
}

func (c *comparer) sameOutput(before, after model.Type) bool {
	if before == nil || after == nil {
		return before == nil && after == nil
	}
	return c.identical(before, after)
}

func output(t model.Type) string {
	if t == nil {
		return "*runtime.CallResult"
	}
	return "*" + spell(t)
}

func (c *comparer) decl(d model.Decl) {
	tools := slices.DeleteFunc(slices.Clone(c.users[d]), func(tool string) bool { return c.gone[tool] })
	if len(tools) == 0 {
		return // who used it has no method to call any more, which says it all
	}
	now := c.after.decls[d.Ident()]
	if now == nil {
		c.found(tools, TypeRemoved, "", d.Ident(), d.Ident(), "")
		return
	}
	switch d := d.(type) {
	case *model.Struct:
		c.structure(d, now, tools)
	case *model.Enum:
		c.enum(d, now, tools)
	case *model.Named:
		if !c.sameUnderlying(d, now) {
			c.found(tools, TypeChanged, "", d.Name, spell(d.Underlying), kind(now))
		}
	case *model.Union:
		c.union(d, now, tools)
	}
}

func (c *comparer) structure(d *model.Struct, after model.Decl, tools []string) {
	now, ok := after.(*model.Struct)
	if !ok {
		c.found(tools, TypeChanged, "", d.Name, kind(d), kind(after))
		return
	}
	for _, f := range d.Fields {
		if f.Role == model.RoleConst {
			continue // has no name
		}
		name := d.Name + "." + f.Name
		i := slices.IndexFunc(now.Fields, func(g *model.Field) bool { return g.Role != model.RoleConst && g.Name == f.Name })
		if i < 0 {
			c.found(tools, FieldRemoved, f.Pointer, name, spell(f.Type), "")
		} else if !c.assignable(f.Type, now.Fields[i].Type) {
			c.found(tools, FieldChanged, cmp.Or(now.Fields[i].Pointer, f.Pointer), name, spell(f.Type), spell(now.Fields[i].Type))
		}
	}
}

func (c *comparer) enum(d *model.Enum, after model.Decl, tools []string) {
	now, ok := after.(*model.Enum)
	switch {
	case !ok && !c.sameUnderlying(d, after):
		c.found(tools, TypeChanged, "", d.Name, kind(d), kind(after))
	case ok && !c.sameUnderlying(d, now):
		c.found(tools, TypeChanged, "", d.Name, spell(d.Base), spell(now.Base))
	}
	for _, v := range d.Values {
		if c.after.constants[v.Name] != d.Name {
			c.found(tools, ConstantRemoved, "", v.Name, v.JSON, "")
		}
	}
}

func (c *comparer) union(d *model.Union, after model.Decl, tools []string) {
	now, ok := after.(*model.Union)
	if !ok || now.Interface != d.Interface {
		c.found(tools, TypeChanged, "", d.Name, kind(d), kind(after))
		return
	}
	for _, v := range d.Variants {
		if !slices.ContainsFunc(now.Variants, func(w model.Decl) bool { return w.Ident() == v.Ident() }) {
			c.found(tools, VariantRemoved, "", d.Name+" of "+v.Ident(), v.Ident(), "")
		}
	}
}

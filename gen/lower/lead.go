package lower

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// noteUses remembers where each inline type stands, which is all that there is to
// say about it. Of several uses the first counts, and a field counts most.
func (p *lowering) noteUses() {
	for _, d := range p.order {
		if st, ok := d.(*model.Struct); ok {
			for _, f := range st.Fields {
				p.noteField(f)
			}
		}
	}
	for _, d := range p.order {
		if named, ok := d.(*model.Named); ok {
			p.noteElement(named.Underlying, "["+named.Name+"]")
		}
	}
	for _, t := range p.tools {
		p.noteElement(t.model.Output, "the result of the "+strconv.Quote(t.wire)+" tool")
	}
}

func (p *lowering) noteField(f *model.Field) {
	for d := range model.Refs(f.Type) {
		in := p.infos[d]
		if in.usedBy != nil {
			continue
		}
		in.usedBy, in.element = p.fields[f], elementOf(f.Type)
		in.usedKey = f.Name // of what has no key: elements of a tuple, and Extra
		if f.Role == model.RoleMember {
			in.usedKey = strconv.Quote(f.Key)
		}
	}
}

// noteElement notes that types stand in t, a list or map that whole names.
func (p *lowering) noteElement(t model.Type, whole string) {
	element := elementOf(t)
	if element == "" {
		return
	}
	for d := range model.Refs(t) {
		if in := p.infos[d]; in.usedBy == nil && in.partOf == "" {
			in.partOf, in.element = whole, element
		}
	}
}

// elementOf returns what a type named in t is of the value, "" when it is that
// value itself.
func elementOf(t model.Type) string {
	switch t := t.(type) {
	case model.Slice:
		return "an item"
	case model.Map:
		return "a member"
	case model.Pointer:
		return elementOf(t.Elem)
	case model.Nullable:
		return elementOf(t.Elem)
	}
	return ""
}

// lead is our own sentence about a type.
func (in *info) lead() string {
	name := in.decl.Ident()
	tool := "the " + strconv.Quote(in.s.tool.wire) + " tool"
	if u, ok := in.decl.(*model.Union); ok {
		return name + " is one of " + alternatives(u) + "."
	}
	switch {
	case in.root && in.s.dir == arguments:
		return name + " holds the arguments of " + tool + "."
	case in.root:
		return name + " is the result of " + tool + "."
	case in.union != nil:
		return name + in.variantLead()
	case in.def != "":
		return fmt.Sprintf("%s is the server's definition %q.", name, in.def)
	case in.usedBy != nil && in.usedBy.of.decl.Ident() != "":
		value := "the value"
		if _, enum := in.decl.(*model.Enum); enum {
			value = "a value"
		}
		return fmt.Sprintf("%s is %s of %s in [%s].", name, cmp.Or(in.element, value), in.usedKey, in.usedBy.of.decl.Ident())
	case in.partOf != "":
		return name + " is " + in.element + " of " + in.partOf + "."
	}
	return name + " is part of " + tool + "."
}

func alternatives(u *model.Union) string {
	list := make([]string, len(u.Variants))
	for i, v := range u.Variants {
		list[i] = "[" + v.Ident() + "]"
	}
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func (in *info) variantLead() string {
	union := "[" + in.union.decl.Ident() + "]"
	if named, ok := in.decl.(*model.Named); ok && named.Raw {
		return " holds a value that is none of the known variants of " + union + "."
	}
	switch kind := in.label.owner; {
	case in.tag != "":
		return " is the variant of " + union + " whose " + in.tag + "."
	case kind == "string":
		return " is the text variant of " + union + "."
	case schema.KindsOfType(kind) != 0:
		return " is the " + kind + " variant of " + union + "."
	}
	return " is an object variant of " + union + "." // called by its own keys or values
}

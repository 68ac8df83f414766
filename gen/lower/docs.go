package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// maxQuote bounds, in bytes, what facts quote of a default, pattern or example.
const maxQuote = 200

// canonical returns v as digests are made of it, "" when there is none.
func canonical(v *schema.Value) string {
	if isNone(v) {
		return ""
	}
	return string(schema.Canonical(v))
}

// annotate reads the hints of a tool, and its words.
func annotate(t *model.Tool, src snapshot.Tool) {
	t.InputSchema, t.OutputSchema, t.Annotations = canonical(src.InputSchema), canonical(src.OutputSchema), canonical(src.Annotations)
	t.Doc.Server = src.Description
	if t.Doc.Server == "" {
		t.Doc.Server = src.Title
	}
	var said []string
	read := func(hint, yes, no string) bool {
		v := src.Annotations.Get(hint)
		if v == nil || v.Kind != schema.Bool {
			return false
		}
		if text := map[bool]string{true: yes, false: no}[v.Bool]; text != "" {
			said = append(said, text)
		}
		return v.Bool
	}
	t.ReadOnly = read("readOnlyHint", "read-only", "")
	t.Destructive = read("destructiveHint", "destructive", "not destructive")
	t.Idempotent = read("idempotentHint", "idempotent", "not idempotent")
	if t.ReadOnly { // the other two mean nothing then
		said = []string{"read-only"}
		t.Destructive = false
	}
	if len(said) > 0 {
		t.Doc.Facts = append(t.Doc.Facts, "The server says: "+strings.Join(said, ", ")+".")
	}
}

// document writes the documentation of every declaration, once names are final.
func (p *lowering) document() {
	for _, t := range p.tools {
		t.model.Doc.Lead = fmt.Sprintf("%s calls the %s tool.", t.model.Method, strconv.Quote(t.wire))
	}
	for _, d := range p.order {
		if st, ok := d.(*model.Struct); ok {
			for _, f := range st.Fields {
				p.noteUse(f)
			}
		}
	}
	for _, d := range p.order {
		if named, ok := d.(*model.Named); ok {
			p.notePart(named.Underlying, "["+named.Name+"]")
		}
	}
	for _, t := range p.tools {
		p.notePart(t.model.Output, "the result of the "+strconv.Quote(t.wire)+" tool")
	}
	for _, d := range p.order {
		in := p.infos[d]
		doc := in.doc()
		switch d := d.(type) {
		case *model.Struct:
			d.Doc = doc
			for _, f := range d.Fields {
				f.Doc = p.fields[f].doc(f)
			}
		case *model.Enum:
			d.Doc = doc
			in.agreeOnValues(d)
		case *model.Named:
			d.Doc = doc
		case *model.Union:
			d.Doc = doc
		}
	}
}

// noteUse remembers which field first uses an inline type.
func (p *lowering) noteUse(f *model.Field) {
	refs(f.Type, func(d model.Decl) {
		if in := p.infos[d]; in.usedBy == nil {
			in.usedBy = p.fields[f]
			in.usedKey = strconv.Quote(f.Key)
			if st, ok := in.usedBy.of.decl.(*model.Struct); ok && st.Tuple {
				in.usedKey = f.Name // elements have no key
			}
			_, direct := f.Type.(model.Slice)
			_, mapped := f.Type.(model.Map)
			in.usedAs = "value"
			if direct {
				in.usedAs = "item"
			} else if mapped {
				in.usedAs = "member"
			}
		}
	})
}

// notePart remembers the list or map that an inline type is an element of, where
// no field is.
func (p *lowering) notePart(t model.Type, whole string) {
	as := ""
	switch t.(type) {
	case model.Slice:
		as = "an item"
	case model.Map:
		as = "a member"
	default:
		return
	}
	refs(t, func(d model.Decl) {
		if in := p.infos[d]; in.usedBy == nil && in.partOf == "" {
			in.partOf = as + " of " + whole
		}
	})
}

// lead is our own sentence about a type.
func (in *info) lead() string {
	name := in.decl.Ident()
	if u, ok := in.decl.(*model.Union); ok {
		return name + " is one of " + alternatives(u) + "."
	}
	switch {
	case in.root && in.s.dir == arguments:
		return fmt.Sprintf("%s holds the arguments of the %s tool.", name, strconv.Quote(in.s.tool.wire))
	case in.root:
		return fmt.Sprintf("%s is the result of the %s tool.", name, strconv.Quote(in.s.tool.wire))
	case in.union != nil:
		return name + in.variantLead()
	case in.def != "":
		return fmt.Sprintf("%s is the server's definition %s.", name, strconv.Quote(in.def))
	case in.usedBy != nil && in.usedBy.of.decl.Ident() != "":
		switch _, enum := in.decl.(*model.Enum); {
		case in.usedAs == "item":
			return fmt.Sprintf("%s is an item of %s in [%s].", name, in.usedKey, in.usedBy.of.decl.Ident())
		case in.usedAs == "member":
			return fmt.Sprintf("%s is a member of %s in [%s].", name, in.usedKey, in.usedBy.of.decl.Ident())
		case enum:
			return fmt.Sprintf("%s is a value of %s in [%s].", name, in.usedKey, in.usedBy.of.decl.Ident())
		}
		return fmt.Sprintf("%s is the value of %s in [%s].", name, in.usedKey, in.usedBy.of.decl.Ident())
	}
	if in.partOf != "" {
		return name + " is " + in.partOf + "."
	}
	return fmt.Sprintf("%s is part of the %s tool.", name, strconv.Quote(in.s.tool.wire))
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
	if in.tag != "" {
		return " is the variant of " + union + " whose " + in.tag + "."
	}
	kind := map[string]string{"string": "text"}[in.label.owner]
	if kind == "" {
		kind = in.label.owner
	}
	if strings.HasPrefix(kind, "{") || strings.HasPrefix(kind, "#") || strings.HasPrefix(kind, `"`) {
		return " is an object variant of " + union + "."
	}
	return " is the " + kind + " variant of " + union + "."
}

// doc documents the type of in, name and all.
func (in *info) doc() model.Doc {
	doc := model.Doc{Lead: in.lead()}
	doc.Server, doc.Facts = agree(in, in.shared, in.description, in.facts)
	return doc
}

// description are the server's words about the type of in, as one of its owners
// has them: those of a definition, an item or a variant. What describes a field
// stands at the field.
func (in *info) description(one *info) string {
	if named, ok := in.decl.(*model.Named); ok && named.Raw {
		return ""
	}
	nodes := one.view.nodes
	if in.usedBy != nil && in.def == "" && !in.root && in.union == nil && in.usedAs == "value" {
		return ""
	}
	if in.union != nil {
		nodes = slices.Clone(nodes)
		slices.Reverse(nodes) // the branch, not what stands beside the union
	}
	return prose(nodes)
}

// facts are the facts about a variant that is no struct. Those about a field stand
// at the field.
func (in *info) facts(one *info) []string {
	if named, ok := in.decl.(*model.Named); ok && !named.Raw && in.union != nil && in.def == "" {
		return one.view.facts()
	}
	return nil
}

// prose returns the first description among nodes, else the first title.
func prose(nodes []schema.Node) string {
	if d := firstText(nodes, "description"); d != "" {
		return d
	}
	return firstText(nodes, "title")
}

// doc documents f: with what the server says where it stands, and the facts of
// its schema.
func (fi *fieldInfo) doc(f *model.Field) model.Doc {
	var doc model.Doc
	switch f.Role {
	case model.RoleConst:
		return doc
	case model.RoleExtra:
		doc.Facts = []string{f.Name + " holds every other member."}
		return doc
	}
	doc.Server, doc.Facts = agree(fi, fi.shared, (*fieldInfo).description, (*fieldInfo).facts)
	if f.Role == model.RoleMember && !shows(f.Name, f.Key) {
		doc.Facts = append(doc.Facts, "The key is "+strconv.Quote(f.Key)+".")
	}
	return doc
}

func (fi *fieldInfo) description() string {
	if fi.view == nil {
		return ""
	}
	return prose(fi.own())
}

func (fi *fieldInfo) facts() []string {
	if fi.view == nil {
		return nil
	}
	return fi.view.documenting().facts()
}

// documenting returns the view that documents v: where v is one schema or null,
// that one.
func (v *view) documenting() *view {
	leaves, ok := v.leaves()
	if !ok {
		return v
	}
	var only *view
	for _, l := range leaves {
		if l.kinds() == schema.Nulls {
			continue
		}
		if only != nil {
			return v
		}
		only = l.view
	}
	if only == nil || only == v {
		return v
	}
	both := *only
	both.chain = slices.Concat(v.chain, only.chain)
	return &both
}

// own returns the schemas that speak about the field rather than about a type
// of its own.
func (fi *fieldInfo) own() []schema.Node {
	nodes := slices.Clone(fi.view.chain)
	for _, n := range fi.view.nodes {
		if fi.decl != nil && (fi.decl.def != "" || fi.decl.root) && defKey(n.Pointer) != "" {
			continue
		}
		nodes = append(nodes, n)
	}
	return nodes
}

var dropSeparators = strings.NewReplacer("_", "", "-", "")

// shows reports whether a Go name lets a reader guess the wire key.
func shows(name, key string) bool {
	return plain(key) && (strings.EqualFold(dropSeparators.Replace(name), dropSeparators.Replace(key)) ||
		name == names.Exported(key))
}

func plain(key string) bool {
	return key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

package lower

import (
	"cmp"
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
	t.Doc.Server = cmp.Or(src.Description, src.Title)
	var said []string
	for _, hint := range []struct {
		name    string
		value   *bool
		yes, no string
	}{
		{"readOnlyHint", &t.ReadOnly, "read-only", ""},
		{"destructiveHint", &t.Destructive, "destructive", "not destructive"},
		{"idempotentHint", &t.Idempotent, "idempotent", "not idempotent"},
	} {
		v := src.Annotations.Get(hint.name)
		switch {
		case v == nil || v.Kind != schema.Bool:
		case v.Bool:
			*hint.value = true
			said = append(said, hint.yes)
		case hint.no != "":
			said = append(said, hint.no)
		}
	}
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
	p.noteUses()
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
	if in.usedBy != nil && in.element == "" && in.def == "" && in.union == nil && !in.root {
		return ""
	}
	nodes := one.view.nodes
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
		return append(one.view.lists(one.class), one.view.facts(one.class)...)
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
	if text := prose(fi.own()); text != "" {
		return text
	}
	return fi.view.agreedProse()
}

// agreedProse returns the words that all alternatives of a choice agree on.
func (v *view) agreedProse() string {
	var texts []string
	for _, e := range v.conj {
		for _, c := range e.alts {
			one := v.s.view(c, nil)
			texts = append(texts, prose(slices.Concat(one.chain, one.nodes)))
		}
	}
	text, _ := agreedText(texts)
	return text
}

func (fi *fieldInfo) facts() []string {
	if fi.view == nil {
		return nil
	}
	v := fi.view.documenting()
	facts := v.facts(schema.AllKinds)
	if fi.decl == nil { // else the type has its constants, or variants that say it
		facts = append(v.lists(schema.AllKinds), facts...)
	}
	return facts
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

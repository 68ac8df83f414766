package lower

import (
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// An info is what naming and documentation need to know about a declared type.
type info struct {
	s      *side
	decl   model.Decl
	view   *view
	root   bool         // the arguments or the result of a tool
	union  *info        // the union that it was made for as a variant
	label  *label       // within union
	class  schema.Kinds // that it holds, as a variant that is no struct and no enum
	also   []seat       // in other unions
	labels []label      // of its variants, when it is a union
	def    string       // key under $defs or definitions, when it is a definition

	tag     string     // how the server tells it from other variants, like `kind is "card"`
	pointer string     // normalized, from the tool object, see locate
	words   []word     // the path of property names below anchor
	anchor  string     // pointer of the definition around it, "" for the root
	shared  []*info    // the same definition in other tools, see share
	usedBy  *fieldInfo // first field that holds it
	usedKey string     // quoted key of the field, or its name in a tuple
	element string     // what it is of a list or map, like "an item"; "" when it is no element
	partOf  string     // that list or map, when no field holds it
}

// A seat is the place of a variant in a union.
type seat struct {
	union *info
	label *label
}

// A fieldInfo is what naming, tags and documentation need to know about a field.
type fieldInfo struct {
	s        *side
	of       *info
	view     *view // nil for Extra and for what nobody declared
	typ      typ
	decl     *info // the declared type of the value, if it is one
	required bool
	open     bool     // untyped because the schema says nothing
	values   []string // constant or listed values, as JSON
	fixed    bool     // by const

	shared []*fieldInfo // the same field of the same definition in other tools, see share
}

// declare registers a declared type that belongs to the place of v.
func (s *side) declare(d model.Decl, v *view) *info {
	in := &info{s: s, decl: d, view: v, def: v.def()}
	s.p.infos[d] = in
	s.p.all = append(s.p.all, in)
	return in
}

// declareVariant registers a type that exists only as a variant of union.
func (s *side) declareVariant(d model.Decl, v *view, union *info, l *label) {
	in := s.declare(d, v)
	in.def = ""
	in.asVariant(union, l)
}

// asVariant says that the type was made for a union, unless it has a name of
// its own.
func (in *info) asVariant(union *info, l *label) {
	switch {
	case in.def != "" || in.root:
	case in.union == nil:
		in.union, in.label = union, l
	case in.union != union:
		in.also = append(in.also, seat{union, l})
	}
}

// declared returns the declared type that sh is, nil when it is none.
func (sh *shape) declared() *info {
	for sh.info == nil && sh.alias != nil {
		sh = sh.alias
	}
	return sh.info
}

// def returns the key of the definition that v is, "" when it is none.
func (v *view) def() string {
	if sole, ok := v.conj.sole(); ok && len(v.used) == 0 {
		return defKey(sole.Pointer)
	}
	return ""
}

// defKey returns the key of the definition that stands at pointer, "" when
// none does.
func defKey(pointer string) string {
	last := strings.LastIndexByte(pointer, '/')
	if last < 0 {
		return ""
	}
	holder := pointer[strings.LastIndexByte(pointer[:last], '/')+1 : last]
	if holder != "$defs" && holder != "definitions" {
		return ""
	}
	for key := range schema.SplitPointer(pointer[last:]) {
		return key
	}
	return ""
}

// fix makes f, a member of an object, a constant: always encoded, nothing to fill
// in. A position of a tuple has no key to encode it under, and stays a value.
func fix(f *model.Field, json string) {
	f.Role, f.Name, f.Type, f.Optional, f.Const = model.RoleConst, "_", nil, false, json
}

package lower

import (
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// object makes a struct of o, or a map when it declares no key. v is the place
// that the type belongs to, o what is known about the object there.
func (s *side) object(v, o *view, sh *shape) typ {
	if len(o.props()) == 0 && !o.closed() && v.key != s.rootKey {
		sh.nilable = true
		return s.mapping(o)
	}
	return s.structure(v, o, sh)
}

// mapping is the type of an object without declared keys.
func (s *side) mapping(o *view) typ {
	t, stated := s.extra(o)
	if !stated || t.bare && !t.raw {
		return typ{t: model.Map{Elem: model.Any}, nilable: true}
	}
	return typ{t: model.Map{Elem: t.item()}, nilable: true, raw: t.raw}
}

// structure declares a struct for the keys of o.
func (s *side) structure(v, o *view, sh *shape) typ {
	decl, t, ok := s.beginStruct(v, len(o.props()), sh)
	if !ok {
		return t
	}
	s.addProperties(sh.info, decl, o.props())
	s.addUndeclared(sh.info, decl, o)
	extra, stated := s.extra(o)
	s.addExtra(sh.info, decl, extra, stated)
	return t
}

// beginStruct declares a struct for so many properties, before its fields are
// made: they may refer to it. It reports false when the type it returns is all
// that there is room for: a struct with everything in Extra, or raw JSON.
func (s *side) beginStruct(v *view, properties int, sh *shape) (*model.Struct, typ, bool) {
	fits := s.affordFields(v, properties)
	if !fits {
		properties = 0
	}
	if !s.afford(v, properties) {
		return nil, s.untyped(true), false
	}
	decl := &model.Struct{}
	t := typ{t: model.Ref{Decl: decl}}
	sh.typ = typ{t: t.t, null: sh.null}
	sh.info = s.declare(decl, v)
	if !fits {
		s.addExtra(sh.info, decl, s.untyped(true), true)
		t.raw = true
	}
	return decl, t, fits
}

func (s *side) addProperties(in *info, decl *model.Struct, props []property) {
	for _, p := range props {
		if f := s.property(in, p); f != nil {
			decl.Fields = append(decl.Fields, f)
		}
	}
}

// property makes the field of p, nil when no value may have that key.
func (s *side) property(in *info, p property) *model.Field {
	if p.closed || len(p.conj) == 1 && isFalse(p.conj[0].node.Value) && !p.required {
		s.say(diag.Note, CodeForbiddenKey, p.at.Pointer, "the schema declares the property "+strconv.Quote(p.name)+" and rules it out")
		return nil
	}
	if len(p.conj) == 0 { // required, and declared nowhere
		f := &model.Field{Key: p.name, Type: s.untyped(false).t, Optional: !p.required, Pointer: s.root + p.at.Pointer}
		s.p.fields[f] = &fieldInfo{s: s, of: in, typ: s.untyped(false), open: true, required: p.required}
		return f
	}
	f := s.member(in, p.conj, p.required)
	f.Key = p.name
	if fi := s.p.fields[f]; fi.fixed && p.required && s.dir == arguments {
		fix(f, fi.values[0])
	}
	return f
}

// member makes a field for a value that satisfies c: of an object, or at a
// position of a tuple.
func (s *side) member(in *info, c conj, required bool) *model.Field {
	v := s.view(c, nil)
	at := v.place
	if len(c) > 0 {
		at = c[0].node
	}
	t := s.lower(v)
	f := &model.Field{Pointer: s.root + at.Pointer}
	f.Type, f.Optional = t.member(required)
	fi := &fieldInfo{s: s, of: in, view: v, typ: t, required: required, open: t.bare && !t.raw}
	if sh := s.memo[v.key]; sh != nil {
		fi.decl = sh.declared()
	}
	tag := v.tag()
	fi.values, fi.fixed = tag.values, tag.fixed
	s.p.fields[f] = fi
	return f
}

// addUndeclared adds optional fields for keys that only a list of required
// names in a union's branch mentions: callers must be able to send them. Of keys
// that stand under a condition it says that they have none.
func (s *side) addUndeclared(in *info, decl *model.Struct, o *view) {
	for _, n := range o.nodes {
		for _, keyword := range unionKeywords {
			if isUsed(o.used, n.Value, keyword) {
				continue
			}
			for _, branch := range children(n.Child(keyword)) {
				s.addRequired(in, decl, branch)
			}
		}
	}
	for _, n := range o.nodes {
		if child(n, "if").Value != nil {
			s.noteConditional(decl, n.Child("then"))
			s.noteConditional(decl, n.Child("else"))
		}
		for _, keyword := range []string{"dependentSchemas", "dependencies"} {
			for _, c := range children(child(n, keyword)) {
				s.noteConditional(decl, c)
			}
		}
	}
}

func (s *side) addRequired(in *info, decl *model.Struct, branch schema.Node) {
	for _, name := range s.names(branch.Child("required")) {
		if !hasField(decl, name.Value.Text) {
			decl.Fields = append(decl.Fields, s.property(in, property{name: name.Value.Text, at: name}))
		}
	}
}

func (s *side) noteConditional(decl *model.Struct, n schema.Node) {
	props := n.Child("properties")
	if props.Value == nil || props.Value.Kind != schema.Object {
		return
	}
	for _, m := range props.Value.Members {
		if !hasField(decl, m.Name) {
			s.say(diag.Note, CodeConditionalKey, props.Child(m.Name).Pointer, "the property "+strconv.Quote(m.Name)+" stands only under a condition and has no field")
		}
	}
}

func hasField(decl *model.Struct, key string) bool {
	return slices.ContainsFunc(decl.Fields, func(f *model.Field) bool { return f.Key == key })
}

// addExtra adds the field for undeclared keys: where the schema speaks of them,
// in a result that declares none, and everywhere with keep_unknown.
func (s *side) addExtra(in *info, decl *model.Struct, t typ, stated bool) {
	elem := model.RawMessage
	switch {
	case stated:
		elem = t.item()
	case s.p.in.Options.KeepUnknown:
	case s.dir == results && in.view.key == s.rootKey && len(decl.Fields) == 0:
	default:
		return
	}
	f := &model.Field{Role: model.RoleExtra, Type: model.Map{Elem: elem}, Pointer: s.root + in.view.place.Pointer}
	s.p.fields[f] = &fieldInfo{s: s, of: in, typ: typ{t: f.Type, raw: t.raw && stated}}
	decl.Fields = append(decl.Fields, f)
}

// extra returns the type common to every undeclared key of o, and whether the
// schema speaks of such keys at all.
func (s *side) extra(o *view) (typ, bool) {
	choices, stated := s.others(o)
	if len(choices) == 0 {
		return typ{}, false
	}
	return s.common(o, choices), stated
}

// others returns what the value of an undeclared key of o may be, none when there
// is no such key, and whether the schema speaks of such keys at all.
func (s *side) others(o *view) (choices []conj, stated bool) {
	var rest, each conj
	closed := false
	for _, n := range o.base {
		patterns := n.Child("patternProperties")
		for i, p := range s.members(patterns) {
			if everyKey[patterns.Value.Members[i].Name] {
				each = append(each, elem{node: p})
			}
			choices, stated = append(choices, single(p)), true
		}
		switch c := n.Child("additionalProperties"); {
		case c.Value == nil:
		case isFalse(c.Value):
			closed = true
		default:
			rest, stated = append(rest, elem{node: c}), true
		}
	}
	switch {
	case len(each) > 0: // whatever else holds of some keys
		return []conj{each}, true
	case closed:
		return choices, len(choices) > 0
	}
	return append(choices, rest), stated
}

// everyKey holds the usual patterns that match every key. Those with both ends
// bound are not among them: a dot matches no line terminator.
var everyKey = map[string]bool{"": true, ".*": true, "^": true, "^.*": true, ".*$": true, "[\\s\\S]*": true, "^[\\s\\S]*$": true}

// common returns the type that the values of all choices share.
func (s *side) common(o *view, choices []conj) typ {
	var out typ
	for i, c := range choices {
		t := s.lower(s.view(c, nil))
		switch {
		case i == 0:
			out = t
		case t.t != out.t:
			s.say(diag.Note, CodeMixedExtra, o.place.Pointer, "the values of the keys allowed here have no type in common")
			return s.untyped(true)
		default:
			out.null = out.null || t.null
			out.raw = out.raw || t.raw
		}
	}
	return out
}

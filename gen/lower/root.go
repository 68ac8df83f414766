package lower

import (
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// arguments makes the type of a tool's arguments: always a struct, or raw JSON
// when the schema allows no object.
func (s *side) arguments() model.Type {
	v := s.view(single(s.doc.RootNode()), nil)
	s.rootKey = v.key
	leaves, ok := v.leaves()
	if !ok {
		return model.RawMessage // already said
	}
	var objects []leaf
	for _, l := range leaves {
		if l.kinds()&schema.Objects != 0 {
			objects = append(objects, l)
		}
	}
	if len(objects) == 0 {
		s.say(diag.Warning, CodeRootNotObject, "", "the schema of the arguments allows no object")
		return model.RawMessage
	}
	if k := v.kinds(); k != schema.AllKinds && k != schema.Objects {
		s.say(diag.Note, CodeRootNullable, "/type", "the schema of the arguments allows more than objects")
	}
	sh := &shape{}
	if others := kindsOf(leaves) &^ schema.Objects; others&^schema.Nulls == 0 {
		sh.null = others != 0
		s.memo[v.key] = sh
	} // else what refers to the root may be more than the arguments are
	if len(objects) == 1 {
		s.structure(v, objects[0].view, sh)
	} else {
		s.flatten(v, objects, sh)
	}
	if sh.info == nil {
		return model.RawMessage // too large for a struct
	}
	sh.info.root = true
	return sh.t
}

// kindsOf returns the kinds that any of leaves allows.
func kindsOf(leaves []leaf) schema.Kinds {
	var k schema.Kinds
	for _, l := range leaves {
		k |= l.kinds()
	}
	return k
}

// flatten declares one struct with the fields of all objects.
func (s *side) flatten(v *view, objects []leaf, sh *shape) {
	s.say(diag.Note, CodeRootVariants, "", "the arguments are one of several objects; their fields stand in one struct")
	props := s.joinProps(objects)
	decl, _, ok := s.beginStruct(v, len(props), sh)
	if !ok {
		return
	}
	s.addProperties(sh.info, decl, props)
	s.addUndeclared(sh.info, decl, v)
	var extra typ
	var all []conj
	stated := false
	for _, o := range objects {
		choices, speaks := s.others(o.view)
		all, stated = append(all, choices...), stated || speaks
	}
	if stated {
		extra = s.common(v, all)
	}
	s.addExtra(sh.info, decl, extra, stated)
}

// joinProps returns the properties of any object: required where all require
// them. Each may be what any object says of it; one that neither declares it nor
// rules it out allows anything there.
func (s *side) joinProps(objects []leaf) []property {
	var out []property
	var choices []choice
	index := make(map[string]int)
	for _, o := range objects {
		for _, p := range o.props() {
			i, known := index[p.name]
			if !known {
				i = len(out)
				index[p.name] = i
				out = append(out, property{name: p.name, at: p.at, closed: true, required: true})
				choices = append(choices, choice{s: s})
			}
			if len(p.conj) > 0 {
				choices[i].standAt(p.conj)
			}
		}
	}
	for _, o := range objects {
		own := make(map[string]property, len(o.props()))
		for _, p := range o.props() {
			own[p.name] = p
		}
		rest, free := o.undeclared()
		elsewhere := s.alternative(rest)
		for i := range out {
			p := own[out[i].name]
			out[i].required = out[i].required && p.required
			switch {
			case len(p.conj) > 0 && !p.closed:
				choices[i].add(s.alternative(p.conj))
				out[i].places = append(out[i].places, p.places...)
			case len(p.conj) == 0 && free:
				choices[i].add(elsewhere)
			default:
				continue // ruled out
			}
			out[i].closed = false
		}
	}
	for i := range out {
		out[i].conj = choices[i].any()
	}
	return out
}

// results makes the type of a tool's structured content, any JSON value.
func (s *side) results() model.Type {
	v := s.view(single(s.doc.RootNode()), nil)
	s.rootKey = v.key
	sh := s.shapeOf(v, nil)
	t := sh.now()
	if in := sh.declared(); in != nil {
		in.root = true
	}
	if t.null && !t.bare {
		return model.Pointer{Elem: t.t}
	}
	return t.t
}

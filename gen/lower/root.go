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
	s.memo[v.key] = sh
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
	stated := false
	for _, o := range objects {
		t, ok := s.extra(o.view)
		switch {
		case !ok:
		case !stated:
			extra, stated = t, true
		case t.t != extra.t:
			extra = s.untyped(false)
		}
	}
	s.addExtra(sh.info, decl, extra, stated)
}

// joinProps returns the properties of any object: required where all require
// them, each of any of the types it has.
func (s *side) joinProps(objects []leaf) []property {
	var out []property
	index := make(map[string]int)
	seen := make(map[string]bool)
	requiring := make(map[string]int)
	for _, o := range objects {
		for _, p := range o.props() {
			if p.required {
				requiring[p.name]++
			}
			i, ok := index[p.name]
			if !ok {
				i = len(out)
				index[p.name] = i
				out = append(out, property{name: p.name, at: p.at, closed: true})
			}
			if p.closed {
				continue
			}
			out[i].closed = false
			key := p.name + " " + s.view(p.conj, nil).key
			if len(p.conj) > 0 && !seen[key] {
				seen[key] = true
				at := p.conj[0].node
				at.Value = nil
				if out[i].conj == nil {
					out[i].conj = conj{{node: at}}
				}
				out[i].conj[0].alts = append(out[i].conj[0].alts, p.conj)
				out[i].places = append(out[i].places, p.places...)
			}
		}
	}
	for i := range out {
		p := &out[i]
		p.required = requiring[p.name] == len(objects)
		if len(p.conj) == 1 && len(p.conj[0].alts) == 1 {
			p.conj = p.conj[0].alts[0]
		}
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

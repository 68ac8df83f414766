package lower

import (
	"strconv"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// classes are the groups of kinds that one Go type can hold, in the order in
// which a type array is read: its own order has no meaning.
var classes = [...]schema.Kinds{schema.Strings, schema.Numbers, schema.Bools, schema.Arrays, schema.Objects}

// typeKinds reads the type keyword of n; without a usable one, all kinds.
func (s *side) typeKinds(n schema.Node) schema.Kinds {
	t := n.Child("type")
	if t.Value == nil {
		return schema.AllKinds
	}
	names := []*schema.Value{t.Value}
	if t.Value.Kind == schema.Array {
		names = t.Value.Items
	}
	var k schema.Kinds
	for _, name := range names {
		known := schema.KindsOfType(name.Text)
		switch {
		case name.Kind != schema.String:
			s.malformed(t, "type takes a name or a list of names")
			return schema.AllKinds
		case known == 0:
			s.say(diag.Warning, CodeUnknownType, t.Pointer, "type "+strconv.Quote(name.Text)+" is no JSON Schema type")
			return schema.AllKinds
		}
		k |= known
	}
	if k == 0 {
		s.malformed(t, "type takes a name or a list of names")
		return schema.AllKinds
	}
	return k
}

// statedKinds reads which kinds n allows from type keywords alone, through at
// most depth references.
func (s *side) statedKinds(n schema.Node, depth int) schema.Kinds {
	if n.Value == nil || n.Value.Kind != schema.Object || depth == 0 {
		return schema.AllKinds
	}
	k := s.typeKinds(n)
	if n.Value.Get("$ref") != nil {
		if n.Dialect().RefAlone() {
			k = schema.AllKinds
		}
		if target, ok := s.deref(n); ok {
			k &= s.statedKinds(target, depth-1)
		}
	}
	return k
}

// kinds returns the kinds that v allows, unions left aside.
func (v *view) kinds() schema.Kinds {
	e := v.enum()
	if !v.known.kindsDone {
		v.known.kindsDone = true
		k := v.typeKinds()
		if e != nil {
			var listed schema.Kinds
			for _, value := range e.values {
				listed |= schema.KindsOf(value)
			}
			k &= listed
		} else if clash := v.known.enum.clash & k; clash != 0 {
			k = clash
		}
		v.known.kinds = k
	}
	return v.known.kinds
}

func (v *view) typeKinds() schema.Kinds {
	k := schema.AllKinds
	for _, n := range v.nodes {
		if n.Value.Kind == schema.Bool {
			if !n.Value.Bool {
				return 0
			}
			continue
		}
		k &= v.s.typeKinds(n)
	}
	return k
}

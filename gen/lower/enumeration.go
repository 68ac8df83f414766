package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// An enumeration is the values that a view lists, nil when it lists none.
type enumeration struct {
	values []*schema.Value
	docs   []string     // the server's words per value, mostly ""
	fixed  bool         // by const
	clash  schema.Kinds // of the values listed, when none is in every list
	wrong  string       // what is wrong with the lists
	broken bool         // a list could not be read
}

// enum returns the values that every enum and const of v lists, nil when there
// is none. Values that contradict each other are a diagnostic, and no enum.
func (v *view) enum() *enumeration {
	if v.known.enum == nil {
		v.known.enum = v.readEnum()
	}
	e := v.known.enum
	if !v.listed {
		v.listed = true
		v.broken = v.broken || e.broken
		if e.wrong != "" {
			v.s.say(diag.Warning, CodeIncompatible, v.place.Pointer, e.wrong)
		}
	}
	if e.values == nil {
		return nil
	}
	return e
}

func (v *view) readEnum() *enumeration {
	e := &enumeration{}
	listed := false
	for _, n := range v.nodes {
		if c := child(n, "const"); c.Value != nil {
			e.restrict([]*schema.Value{c.Value}, listed)
			e.fixed, listed = true, true
		}
		list := n.Child("enum")
		if list.Value == nil {
			continue
		}
		if list.Value.Kind != schema.Array {
			v.s.malformed(list, "enum takes a list of values")
			continue
		}
		if len(list.Value.Items) == 0 {
			e.wrong, e.broken = "enum lists no value at all", true
			continue
		}
		e.restrict(list.Value.Items, listed)
		listed = true
	}
	if !listed {
		return e
	}
	allowed := v.typeKinds()
	e.values = slices.DeleteFunc(e.values, func(x *schema.Value) bool { return schema.KindsOf(x)&allowed == 0 })
	if len(e.values) == 0 {
		e.values = nil
		e.wrong = "no value is in every enum and const that must hold"
	}
	return e
}

// restrict keeps of e's values those in list; the first list is taken whole.
func (e *enumeration) restrict(list []*schema.Value, listed bool) {
	for _, x := range list {
		e.clash |= schema.KindsOf(x)
	}
	in := schema.SetOf(list)
	if !listed {
		e.values = in.Values()
		return
	}
	e.values = slices.DeleteFunc(e.values, func(x *schema.Value) bool { return !in.Has(x) })
}

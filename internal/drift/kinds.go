package drift

import "github.com/mcpbind/mcpbind/internal/schema"

// classes are the kinds that keywords speak of apart from each other.
var classes = [...]schema.Kinds{schema.Nulls, schema.Bools, schema.Numbers, schema.Strings, schema.Arrays, schema.Objects}

// typeKinds reads the type keyword of a schema. It reports false when there is
// one that cannot be read.
func typeKinds(v *schema.Value) (schema.Kinds, bool) {
	t := v.Get("type")
	if t == nil {
		return schema.AllKinds, true
	}
	names := []*schema.Value{t}
	if t.Kind == schema.Array {
		names = t.Items
	}
	var k schema.Kinds
	for _, name := range names {
		known := schema.KindsOfType(name.Text)
		if name.Kind != schema.String || known == 0 {
			return schema.AllKinds, false
		}
		k |= known
	}
	if k == 0 {
		return schema.AllKinds, false
	}
	return k, true
}

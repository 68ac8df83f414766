package schema

import "testing"

func TestKindsOf(t *testing.T) {
	for _, test := range []struct {
		json string
		want Kinds
	}{
		{`null`, Nulls},
		{`true`, Bools},
		{`0`, Integers},
		{`-1.0`, Integers},
		{`1e3`, Integers},
		{`1.50e1`, Integers},
		{`1e400`, Integers},
		{`1.5e30`, Integers},
		{`15e-1`, Fractions},
		{`0.5`, Fractions},
		{`1.55e1`, Fractions},
		{`1.5e-30`, Fractions},
		{`1e9999999999999999999`, Fractions},
		{`""`, Strings},
		{`[]`, Arrays},
		{`{}`, Objects},
	} {
		v, err := Parse([]byte(test.json))
		if err != nil {
			t.Fatalf("%s: %v", test.json, err)
		}
		if got := KindsOf(v); got != test.want {
			t.Errorf("KindsOf(%s) = %v, want %v", test.json, got, test.want)
		}
	}
}

func TestKindsOfType(t *testing.T) {
	var all Kinds
	for _, name := range []string{"null", "boolean", "integer", "number", "string", "array", "object"} {
		k := KindsOfType(name)
		if k.String() != name {
			t.Errorf("KindsOfType(%q) = %v", name, k)
		}
		all |= k
	}
	if all != AllKinds {
		t.Errorf("the types together are %v, want any", all)
	}
	if KindsOfType("integer")&^KindsOfType("number") != 0 {
		t.Error("an integer is a number")
	}
	for _, name := range []string{"", "any", "Null", "float"} {
		if k := KindsOfType(name); k != 0 {
			t.Errorf("KindsOfType(%q) = %v, want nothing", name, k)
		}
	}
}

func TestKindsString(t *testing.T) {
	for _, test := range []struct {
		kinds Kinds
		want  string
	}{
		{0, "nothing"},
		{AllKinds, "any"},
		{Integers, "integer"},
		{Fractions, "number"},
		{Numbers, "number"},
		{Strings | Integers, "integer or string"},
		{Objects | Fractions | Nulls, "null or number or object"},
		{AllKinds &^ Nulls, "boolean or number or string or array or object"},
	} {
		if got := test.kinds.String(); got != test.want {
			t.Errorf("%07b is %q, want %q", uint8(test.kinds), got, test.want)
		}
	}
}

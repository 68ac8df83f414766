package schema

import "strings"

// Kinds is a set of JSON kinds, as the type keyword tells them apart; the zero
// Kinds holds none. Numbers are two kinds, so that integer and number intersect
// like any other pair.
type Kinds uint8

// The kinds, and the sets of them that have a use of their own.
const (
	Nulls Kinds = 1 << iota
	Bools
	Integers  // numbers without a fraction, however they are spelled: 1, 1.0, 1e3
	Fractions // the other numbers
	Strings
	Arrays
	Objects

	Numbers  = Integers | Fractions
	AllKinds = Nulls | Bools | Numbers | Strings | Arrays | Objects
)

// typeNames are the values of the type keyword, in the order of [Kinds.String].
var typeNames = [...]struct {
	name  string
	kinds Kinds
}{
	{"null", Nulls}, {"boolean", Bools}, {"integer", Integers}, {"number", Numbers},
	{"string", Strings}, {"array", Arrays}, {"object", Objects},
}

// KindsOfType returns the kinds that a name under the type keyword stands for,
// none when JSON Schema has no such type.
func KindsOfType(name string) Kinds {
	for _, t := range typeNames {
		if t.name == name {
			return t.kinds
		}
	}
	return 0
}

// KindsOf returns the set of the one kind that v is of.
func KindsOf(v *Value) Kinds {
	switch v.Kind {
	case Null:
		return Nulls
	case Bool:
		return Bools
	case Number:
		if isIntegral(v.Text) {
			return Integers
		}
		return Fractions
	case String:
		return Strings
	case Array:
		return Arrays
	default:
		return Objects
	}
}

// isIntegral reports whether a number literal has no fraction. One that
// [Decimal] refuses counts as having one: nobody can tell.
func isIntegral(literal string) bool {
	d, ok := Decimal(literal)
	if _, exponent, large := strings.Cut(d, "e"); large { // too long to spell out, like 1.5e30
		return exponent[0] != '-'
	}
	return ok && !strings.Contains(d, ".")
}

// String lists the kinds as the type keyword spells them, "integer or string";
// all of them are "any", none is "nothing".
func (k Kinds) String() string {
	switch k {
	case 0:
		return "nothing"
	case AllKinds:
		return "any"
	}
	var names []string
	for _, t := range typeNames {
		switch {
		case k&t.kinds == 0:
		case t.kinds == Integers && k&Fractions != 0: // they go as numbers
		case t.kinds == Numbers && k&Fractions == 0: // they went as integers
		default:
			names = append(names, t.name)
		}
	}
	return strings.Join(names, " or ")
}

package drift

import (
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// kinds is a set of JSON kinds. Numbers are two kinds, so that integer and
// number intersect like any other pair.
type kinds uint8

const (
	kNull kinds = 1 << iota
	kBool
	kInt  // numbers without a fraction
	kFrac // numbers with one
	kString
	kArray
	kObject

	kNumber = kInt | kFrac
	kAll    = kNull | kBool | kNumber | kString | kArray | kObject
)

// classes are the kinds that keywords speak of apart from each other.
var classes = [...]kinds{kNull, kBool, kNumber, kString, kArray, kObject}

var kindsByType = map[string]kinds{
	"null": kNull, "string": kString, "integer": kInt, "number": kNumber,
	"boolean": kBool, "array": kArray, "object": kObject,
}

// kindOf returns the kind of a JSON value. 1.0 is an integer.
func kindOf(v *schema.Value) kinds {
	switch v.Kind {
	case schema.Null:
		return kNull
	case schema.Bool:
		return kBool
	case schema.Number:
		if d, ok := schema.Decimal(v.Text); ok && !strings.Contains(d, ".") && !strings.Contains(d, "e-") {
			return kInt
		}
		return kFrac
	case schema.String:
		return kString
	case schema.Array:
		return kArray
	default:
		return kObject
	}
}

// String lists the kinds as the type keyword spells them.
func (k kinds) String() string {
	if k == kAll {
		return "any"
	}
	var names []string
	for _, c := range classes {
		switch {
		case k&c == 0:
		case c == kNumber && k&kFrac == 0:
			names = append(names, "integer")
		case c == kNumber:
			names = append(names, "number")
		default:
			names = append(names, [...]string{kNull: "null", kBool: "boolean", kString: "string", kArray: "array", kObject: "object"}[c])
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " or ")
}

// typeKinds reads the type keyword of a schema. It reports false when there is
// one that cannot be read.
func typeKinds(v *schema.Value) (kinds, bool) {
	t := v.Get("type")
	if t == nil {
		return kAll, true
	}
	names := []*schema.Value{t}
	if t.Kind == schema.Array {
		names = t.Items
	}
	var k kinds
	for _, name := range names {
		known := kindsByType[name.Text]
		if name.Kind != schema.String || known == 0 {
			return kAll, false
		}
		k |= known
	}
	if k == 0 {
		return kAll, false
	}
	return k, true
}

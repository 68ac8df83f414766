package lower

import (
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// kinds is a set of JSON kinds. Numbers are two kinds, so that integer and
// number intersect like any other pair.
type kinds uint8

const (
	kNull kinds = 1 << iota
	kString
	kInt  // numbers without a fraction
	kFrac // numbers with one
	kBool
	kArray
	kObject

	kNumber = kInt | kFrac
	kAll    = kNull | kString | kNumber | kBool | kArray | kObject
)

// classes are the groups of kinds that one Go type can hold, in the order in
// which a type array is read: its own order has no meaning.
var classes = [...]kinds{kString, kNumber, kBool, kArray, kObject}

// kindsByType maps the values of the type keyword.
var kindsByType = map[string]kinds{
	"null": kNull, "string": kString, "integer": kInt, "number": kNumber,
	"boolean": kBool, "array": kArray, "object": kObject,
}

// kindOf returns the kind of a JSON value.
func kindOf(v *schema.Value) kinds {
	switch v.Kind {
	case schema.Null:
		return kNull
	case schema.Bool:
		return kBool
	case schema.Number:
		if isIntegral(v.Text) {
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

// isIntegral reports whether a number literal has no fraction: 1, 1.0, 1e3.
func isIntegral(literal string) bool {
	d, ok := schema.Decimal(literal)
	return ok && !strings.Contains(d, ".") && !strings.Contains(d, "e-")
}

// name returns the kind as the type keyword spells it.
func (k kinds) name() string {
	switch {
	case k == kNull:
		return "null"
	case k == kString:
		return "string"
	case k == kInt:
		return "integer"
	case k&kNumber != 0 && k&^kNumber == 0:
		return "number"
	case k == kBool:
		return "boolean"
	case k == kArray:
		return "array"
	case k == kObject:
		return "object"
	}
	return "value"
}

package validate

import (
	"math"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A node is one compiled schema object or boolean. Nodes form a graph: a $ref is
// an edge, so recursion is a cycle. They do not change after compilation.
type node struct {
	never   bool   // the schema false
	unknown string // why the schema cannot be decided; "" when it can
	partial bool   // a keyword of it could not be read
	leads   bool   // to other nodes for the same value: see onSame

	types    typeSet // 0: any
	constant *literal
	enum     *enumeration
	format   *format

	refs     []*node // $ref, and dynamic references that are none in effect
	dynamic  *dynamicRef
	resource *resource // the one around it; nil where that does not matter

	allOf []*node
	anyOf []*node
	oneOf []*node
	not   *node
	cond  *node // if
	then  *node
	other *node // else

	object *objectRules
	array  *arrayRules
	text   *textRules
	number *numberRules
}

// span bounds a count. The zero span bounds nothing.
type span struct {
	min, max       int
	hasMin, hasMax bool
}

type objectRules struct {
	properties   map[string]*node
	names        []string // of properties, in schema order
	patterns     []patternRule
	additional   *node // nil: not restricted
	required     []string
	count        span
	propertyName *node
	dependencies []dependency
	unevaluated  *node
}

type patternRule struct {
	pattern *pattern
	node    *node
}

// A dependency applies when the property name is present.
type dependency struct {
	name     string
	required []string
	node     *node // nil: only required counts
}

type arrayRules struct {
	prefix      []*node
	rest        *node // items after prefix; nil: not restricted
	count       span
	unique      bool
	contains    *node
	matches     span // minContains, maxContains
	marks       bool // items that match contains count as evaluated
	unevaluated *node
}

type textRules struct {
	length  span // in characters
	pattern *pattern
}

type numberRules struct {
	minimum, maximum           *decimal
	exclusiveMin, exclusiveMax bool
	multipleOf                 *decimal
}

// bound is the number of elements that a keyword like minItems asks for.
func bound(d decimal) (int, bool) {
	if d.neg || !d.integer() {
		return 0, false
	}
	if d.size() > 9 { // more than any value that fits in memory here
		return math.MaxInt, true
	}
	return d.small(), true
}

// typeSet is a set of JSON types; integer is apart from number.
type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

var typeNames = map[string]typeSet{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

// typesOf returns the types that a value is of: two for a whole number.
func typesOf(v *schema.Value) typeSet {
	switch v.Kind {
	case schema.Null:
		return typeNull
	case schema.Bool:
		return typeBoolean
	case schema.String:
		return typeString
	case schema.Array:
		return typeArray
	case schema.Object:
		return typeObject
	}
	if parseDecimal(v.Text).integer() {
		return typeInteger | typeNumber
	}
	return typeNumber
}

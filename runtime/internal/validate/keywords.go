package validate

import (
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A keyword says how to compile one keyword, and which dialects know it.
type keyword struct {
	from, to schema.Dialect
	compile  func(c *compiler, n *node, at schema.Node)
}

// keywords holds every keyword that asserts something. Annotations, content and
// definitions assert nothing.
var keywords map[string]keyword

func init() { // a map literal would refer to itself through the compiler
	const d4, d6, d7, d19, d20 = schema.Draft4, schema.Draft6, schema.Draft7, schema.Draft2019, schema.Draft2020
	keywords = map[string]keyword{
		"$ref": {d4, d20, func(c *compiler, n *node, at schema.Node) { c.reference(n, at, "$ref") }},
		"$recursiveRef": {d19, d19, func(c *compiler, n *node, at schema.Node) {
			c.dynamicReference(n, at, "$recursiveRef", "$recursiveAnchor")
		}},
		"$dynamicRef": {d20, d20, func(c *compiler, n *node, at schema.Node) { c.dynamicReference(n, at, "$dynamicRef", "$dynamicAnchor") }},

		"type":   {d4, d20, compileType},
		"enum":   {d4, d20, compileEnum},
		"const":  {d6, d20, func(_ *compiler, n *node, at schema.Node) { n.constant = newLiteral(at.Child("const").Value) }},
		"format": {d4, d20, compileFormat},

		"allOf": {d4, d20, func(c *compiler, n *node, at schema.Node) { n.allOf = c.list(at, "allOf") }},
		"anyOf": {d4, d20, func(c *compiler, n *node, at schema.Node) { n.anyOf = c.list(at, "anyOf") }},
		"oneOf": {d4, d20, func(c *compiler, n *node, at schema.Node) { n.oneOf = c.list(at, "oneOf") }},
		"not":   {d4, d20, func(c *compiler, n *node, at schema.Node) { n.not = c.one(at, "not") }},
		"if":    {d7, d20, compileIf},

		"properties":           {d4, d20, compileProperties},
		"patternProperties":    {d4, d20, compilePatternProperties},
		"additionalProperties": {d4, d20, func(c *compiler, n *node, at schema.Node) { n.objects().additional = c.one(at, "additionalProperties") }},
		"propertyNames":        {d6, d20, func(c *compiler, n *node, at schema.Node) { n.objects().propertyName = c.one(at, "propertyNames") }},
		"unevaluatedProperties": {d19, d20, func(c *compiler, n *node, at schema.Node) {
			n.objects().unevaluated = c.one(at, "unevaluatedProperties")
		}},
		"required":          {d4, d20, func(c *compiler, n *node, at schema.Node) { n.objects().required = c.strings(at.Child("required")) }},
		"dependencies":      {d4, d20, func(c *compiler, n *node, at schema.Node) { compileDependencies(c, n, at, "dependencies") }},
		"dependentRequired": {d19, d20, func(c *compiler, n *node, at schema.Node) { compileDependencies(c, n, at, "dependentRequired") }},
		"dependentSchemas":  {d19, d20, func(c *compiler, n *node, at schema.Node) { compileDependencies(c, n, at, "dependentSchemas") }},
		"minProperties":     {d4, d20, atLeast("minProperties", func(n *node) *span { return &n.objects().count })},
		"maxProperties":     {d4, d20, atMost("maxProperties", func(n *node) *span { return &n.objects().count })},

		"items":            {d4, d20, compileItems},
		"prefixItems":      {d20, d20, func(c *compiler, n *node, at schema.Node) { n.arrays().prefix = c.list(at, "prefixItems") }},
		"additionalItems":  {d4, d19, compileAdditionalItems},
		"unevaluatedItems": {d19, d20, func(c *compiler, n *node, at schema.Node) { n.arrays().unevaluated = c.one(at, "unevaluatedItems") }},
		"contains":         {d6, d20, compileContains},
		"minContains":      {d19, d20, atLeast("minContains", func(n *node) *span { return &n.arrays().matches })},
		"maxContains":      {d19, d20, atMost("maxContains", func(n *node) *span { return &n.arrays().matches })},
		"uniqueItems":      {d4, d20, func(_ *compiler, n *node, at schema.Node) { n.arrays().unique = at.Child("uniqueItems").Value.Bool }},
		"minItems":         {d4, d20, atLeast("minItems", func(n *node) *span { return &n.arrays().count })},
		"maxItems":         {d4, d20, atMost("maxItems", func(n *node) *span { return &n.arrays().count })},

		"minLength": {d4, d20, atLeast("minLength", func(n *node) *span { return &n.texts().length })},
		"maxLength": {d4, d20, atMost("maxLength", func(n *node) *span { return &n.texts().length })},
		"pattern":   {d4, d20, compilePattern},

		"minimum":          {d4, d20, compileMinimum},
		"maximum":          {d4, d20, compileMaximum},
		"exclusiveMinimum": {d6, d20, compileMinimum},
		"exclusiveMaximum": {d6, d20, compileMaximum},
		"multipleOf":       {d4, d20, compileMultipleOf},
	}
}

// ensure returns the rules that *p holds, made at the first keyword.
func ensure[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

func (n *node) objects() *objectRules { return ensure(&n.object) }
func (n *node) arrays() *arrayRules   { return ensure(&n.array) }
func (n *node) texts() *textRules     { return ensure(&n.text) }
func (n *node) numbers() *numberRules { return ensure(&n.number) }

func atLeast(keyword string, of func(*node) *span) func(*compiler, *node, schema.Node) {
	return func(c *compiler, n *node, at schema.Node) {
		s := of(n)
		s.min, s.hasMin = c.count(at, keyword)
	}
}

func atMost(keyword string, of func(*node) *span) func(*compiler, *node, schema.Node) {
	return func(c *compiler, n *node, at schema.Node) {
		s := of(n)
		s.max, s.hasMax = c.count(at, keyword)
	}
}

func compileType(c *compiler, n *node, at schema.Node) {
	at = at.Child("type")
	names := []*schema.Value{at.Value}
	if at.Value.Kind == schema.Array {
		names = at.Value.Items
	}
	for _, name := range names {
		t, ok := typeNames[name.Text]
		if !ok || name.Kind != schema.String {
			c.warn(at, "a type that JSON does not have")
			n.types = 0
			return
		}
		n.types |= t
	}
}

func compileEnum(c *compiler, n *node, at schema.Node) {
	at = at.Child("enum")
	if at.Value.Kind != schema.Array {
		c.warn(at, "enum is no list of values")
		return
	}
	n.enum = newEnumeration(at.Value.Items)
}

func compileFormat(c *compiler, n *node, at schema.Node) {
	if name := at.Child("format").Value; c.formats && name.Kind == schema.String {
		n.format = formats[name.Text] // an unknown format asserts nothing
	}
}

func compileIf(c *compiler, n *node, at schema.Node) {
	n.cond = c.one(at, "if")
	if at.Child("then").Value != nil {
		n.then = c.one(at, "then")
	}
	if at.Child("else").Value != nil {
		n.other = c.one(at, "else")
	}
}

func compileProperties(c *compiler, n *node, at schema.Node) {
	rules := n.objects()
	rules.properties = make(map[string]*node)
	c.members(at, "properties", func(name string, at schema.Node) {
		rules.properties[name] = c.node(at)
		rules.names = append(rules.names, name)
	})
}

func compilePatternProperties(c *compiler, n *node, at schema.Node) {
	rules := n.objects()
	c.members(at, "patternProperties", func(name string, at schema.Node) {
		rules.patterns = append(rules.patterns, patternRule{c.pattern(at, name), c.node(at)})
	})
}

func compileDependencies(c *compiler, n *node, at schema.Node, keyword string) {
	rules := n.objects()
	c.members(at, keyword, func(name string, at schema.Node) {
		d := dependency{name: name}
		if keyword != "dependentSchemas" && at.Value.Kind == schema.Array {
			d.required = c.strings(at)
		} else if keyword != "dependentRequired" {
			d.node = c.node(at)
		}
		rules.dependencies = append(rules.dependencies, d)
	})
}

// compileItems reads both forms. The list of schemas is only of drafts before
// 2020-12, but servers go on sending it.
func compileItems(c *compiler, n *node, at schema.Node) {
	if at.Child("items").Value.Kind != schema.Array {
		n.arrays().rest = c.one(at, "items")
	} else if at.Dialect() < schema.Draft2020 || at.Child("prefixItems").Value == nil {
		n.arrays().prefix = c.list(at, "items")
	}
}

func compileAdditionalItems(c *compiler, n *node, at schema.Node) {
	if items := at.Child("items").Value; items != nil && items.Kind == schema.Array {
		n.arrays().rest = c.one(at, "additionalItems")
	}
}

func compileContains(c *compiler, n *node, at schema.Node) {
	rules := n.arrays()
	rules.contains = c.one(at, "contains")
	rules.marks = at.Dialect() >= schema.Draft2020
}

func compilePattern(c *compiler, n *node, at schema.Node) {
	at = at.Child("pattern")
	if at.Value.Kind != schema.String {
		c.warn(at, "pattern is no string")
		return
	}
	n.texts().pattern = c.pattern(at, at.Value.Text)
}

// compileMinimum reads minimum and exclusiveMinimum together: in draft-04 the
// second is a flag of the first, later both are numbers and the stricter counts.
func compileMinimum(c *compiler, n *node, at schema.Node) {
	rules := n.numbers()
	rules.minimum, rules.exclusiveMin = c.limit(at, "minimum", "exclusiveMinimum", func(limit, other decimal) bool {
		return limit.compare(other) <= 0
	})
}

func compileMaximum(c *compiler, n *node, at schema.Node) {
	rules := n.numbers()
	rules.maximum, rules.exclusiveMax = c.limit(at, "maximum", "exclusiveMaximum", func(limit, other decimal) bool {
		return limit.compare(other) >= 0
	})
}

// limit reads a bound and its exclusive twin; looser reports whether the second
// of two bounds makes the first superfluous.
func (c *compiler) limit(at schema.Node, keyword, twin string, looser func(limit, other decimal) bool) (*decimal, bool) {
	var limit, exclusive *decimal
	if at.Child(keyword).Value != nil {
		limit = c.number(at, keyword)
	}
	if v := at.Child(twin).Value; v != nil {
		if at.Dialect() == schema.Draft4 {
			return limit, v.Bool
		}
		exclusive = c.number(at, twin)
	}
	if exclusive != nil && (limit == nil || looser(*limit, *exclusive)) {
		return exclusive, true
	}
	return limit, false
}

func compileMultipleOf(c *compiler, n *node, at schema.Node) {
	d := c.number(at, "multipleOf")
	if d == nil || d.neg || d.digits == "" {
		c.warn(at.Child("multipleOf"), "multipleOf is no positive number")
		return
	}
	n.numbers().multipleOf = d
}

package drift

import "github.com/mcpbind/mcpbind/internal/schema"

// use says what a keyword is to the comparison.
type use uint8

const (
	useNone    use = iota // restricts nothing: prose, names, and what no dialect knows
	useGeneral            // restricts values of any kind
	useNumber             // restricts values of one kind, as the rest do
	useString
	useArray
	useObject
)

// A keyword is one that restricts values. One that is opaque is compared as a
// whole: what it restricts is not understood.
type keyword struct {
	use    use
	from   schema.Dialect // first that knows it
	to     schema.Dialect // last
	opaque bool
}

var keywords = map[string]keyword{
	"type":  {useGeneral, schema.Draft4, schema.Draft2020, false},
	"enum":  {useGeneral, schema.Draft4, schema.Draft2020, false},
	"const": {useGeneral, schema.Draft6, schema.Draft2020, false},
	"allOf": {useGeneral, schema.Draft4, schema.Draft2020, false},
	"anyOf": {useGeneral, schema.Draft4, schema.Draft2020, false},
	"oneOf": {useGeneral, schema.Draft4, schema.Draft2020, false},
	"$ref":  {useGeneral, schema.Draft4, schema.Draft2020, false},

	"minimum":          {useNumber, schema.Draft4, schema.Draft2020, false},
	"maximum":          {useNumber, schema.Draft4, schema.Draft2020, false},
	"exclusiveMinimum": {useNumber, schema.Draft4, schema.Draft2020, false},
	"exclusiveMaximum": {useNumber, schema.Draft4, schema.Draft2020, false},
	"multipleOf":       {useNumber, schema.Draft4, schema.Draft2020, false},

	"minLength": {useString, schema.Draft4, schema.Draft2020, false},
	"maxLength": {useString, schema.Draft4, schema.Draft2020, false},
	"pattern":   {useString, schema.Draft4, schema.Draft2020, false},
	"format":    {useString, schema.Draft4, schema.Draft2020, false},

	"items":           {useArray, schema.Draft4, schema.Draft2020, false},
	"prefixItems":     {useArray, schema.Draft2020, schema.Draft2020, false},
	"additionalItems": {useArray, schema.Draft4, schema.Draft2020, false}, // where items is a list, which servers write in all of them
	"minItems":        {useArray, schema.Draft4, schema.Draft2020, false},
	"maxItems":        {useArray, schema.Draft4, schema.Draft2020, false},
	"uniqueItems":     {useArray, schema.Draft4, schema.Draft2020, false},

	"properties":           {useObject, schema.Draft4, schema.Draft2020, false},
	"required":             {useObject, schema.Draft4, schema.Draft2020, false},
	"additionalProperties": {useObject, schema.Draft4, schema.Draft2020, false},
	"patternProperties":    {useObject, schema.Draft4, schema.Draft2020, false},
	"minProperties":        {useObject, schema.Draft4, schema.Draft2020, false},
	"maxProperties":        {useObject, schema.Draft4, schema.Draft2020, false},

	"not":                   {useGeneral, schema.Draft4, schema.Draft2020, true},
	"if":                    {useGeneral, schema.Draft7, schema.Draft2020, true},
	"then":                  {useGeneral, schema.Draft7, schema.Draft2020, true},
	"else":                  {useGeneral, schema.Draft7, schema.Draft2020, true},
	"$dynamicRef":           {useGeneral, schema.Draft2020, schema.Draft2020, true},
	"$recursiveRef":         {useGeneral, schema.Draft2019, schema.Draft2019, true},
	"contains":              {useArray, schema.Draft6, schema.Draft2020, true},
	"minContains":           {useArray, schema.Draft2019, schema.Draft2020, true},
	"maxContains":           {useArray, schema.Draft2019, schema.Draft2020, true},
	"unevaluatedItems":      {useArray, schema.Draft2019, schema.Draft2020, true},
	"propertyNames":         {useObject, schema.Draft6, schema.Draft2020, true},
	"dependencies":          {useObject, schema.Draft4, schema.Draft7, true},
	"dependentRequired":     {useObject, schema.Draft2019, schema.Draft2020, true},
	"dependentSchemas":      {useObject, schema.Draft2019, schema.Draft2020, true},
	"unevaluatedProperties": {useObject, schema.Draft2019, schema.Draft2020, true},
}

// silent are the keywords that neither restrict nor say anything about values.
var silent = map[string]bool{
	"$schema": true, "$id": true, "id": true, "$anchor": true, "$dynamicAnchor": true,
	"$recursiveAnchor": true, "$vocabulary": true, "$defs": true, "definitions": true,
	"$comment": true, "examples": true,
	"title": true, "description": true, "default": true, // compared on their own
}

// classUse maps a class of kinds to the use of the keywords that speak of it.
func classUse(class schema.Kinds) use {
	switch class {
	case schema.Numbers:
		return useNumber
	case schema.Strings:
		return useString
	case schema.Arrays:
		return useArray
	case schema.Objects:
		return useObject
	}
	return useGeneral
}

// restricts returns what the keyword called name is in dialect d.
func restricts(d schema.Dialect, name string) (keyword, bool) {
	k, ok := keywords[name]
	if !ok || d < k.from || d > k.to {
		return keyword{}, false
	}
	return k, true
}

// readable reports whether the value of a keyword is of the kind that the
// keyword takes. One that is not restricts nothing, but is not understood either.
func readable(name string, v *schema.Value) bool {
	switch name {
	case "enum":
		return v.Kind == schema.Array && len(v.Items) > 0
	case "allOf", "anyOf", "oneOf":
		return schemas(v, schema.Array) && len(v.Items) > 0
	case "prefixItems":
		return schemas(v, schema.Array)
	case "items":
		return isSchema(v) || schemas(v, schema.Array)
	case "properties", "patternProperties":
		return schemas(v, schema.Object)
	case "additionalProperties", "additionalItems":
		return isSchema(v)
	case "required":
		if v.Kind != schema.Array {
			return false
		}
		for _, item := range v.Items {
			if item.Kind != schema.String {
				return false
			}
		}
		return true
	case "minimum", "maximum":
		return rational(v) != nil
	case "exclusiveMinimum", "exclusiveMaximum":
		return v.Kind == schema.Bool || rational(v) != nil
	case "multipleOf":
		r := rational(v)
		return r != nil && r.Sign() > 0
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		_, ok := count(v)
		return ok
	case "pattern", "format", "$ref":
		return v.Kind == schema.String
	case "uniqueItems":
		return v.Kind == schema.Bool
	}
	return true // type is read where it stands; const takes anything
}

func isSchema(v *schema.Value) bool { return v.Kind == schema.Object || v.Kind == schema.Bool }

// schemas reports whether v is a list or an object of schemas.
func schemas(v *schema.Value, kind schema.Kind) bool {
	if v.Kind != kind {
		return false
	}
	for _, item := range v.Items {
		if !isSchema(item) {
			return false
		}
	}
	for _, m := range v.Members {
		if !isSchema(m.Value) {
			return false
		}
	}
	return true
}

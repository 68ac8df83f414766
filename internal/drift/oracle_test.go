package drift_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/mutate"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A validator says whether values are valid by a schema.
type validator struct{ *jsonschema.Schema }

func compile(s any) (v validator, err error) {
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s.json", numbers(s)); err != nil {
		return v, err
	}
	v.Schema, err = c.Compile("mem:///s.json")
	return v, err
}

func (v validator) valid(x any) bool { return v.Validate(numbers(x)) == nil }

// numbers makes what the validator wants of decoded JSON.
func numbers(x any) any {
	switch x := x.(type) {
	case float64:
		text, err := json.Marshal(x)
		if err != nil {
			panic(err)
		}
		return json.Number(text)
	case object:
		out := make(object, len(x))
		for k, v := range x {
			out[k] = numbers(v)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, v := range x {
			out[i] = numbers(v)
		}
		return out
	}
	return x
}

// readable reports whether types made of s hold x: looser than validity. Every
// required field is there, no listed value is new, no variant is unknown. It is
// the rule of the issue once more, without any of the comparison's own code.
func readable(root, s any, x any, optional bool, depth int) bool {
	if depth > 60 {
		return true
	}
	if b, ok := s.(bool); ok {
		return b
	}
	o, ok := s.(object)
	if !ok {
		return true
	}
	if x == nil && optional {
		return true
	}
	if ref, ok := o["$ref"].(string); ok {
		if !strings.HasPrefix(ref, "#") {
			return true
		}
		if !readable(root, deref(root, s), x, optional, depth+1) {
			return false
		}
	}
	if t := o["type"]; t != nil && !ofType(t, x, o) {
		return false
	}
	if l, ok := o["enum"].([]any); ok && len(l) > 0 && !slices.ContainsFunc(l, func(y any) bool { return reflect.DeepEqual(x, y) }) {
		return false
	}
	if c, ok := o["const"]; ok && !reflect.DeepEqual(x, c) {
		return false
	}
	parts, _ := o["allOf"].([]any)
	for _, p := range parts {
		if !readable(root, p, x, optional, depth+1) {
			return false
		}
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		branches, _ := o[k].([]any)
		if len(branches) > 0 && !slices.ContainsFunc(branches, func(b any) bool { return readable(root, b, x, optional, depth+1) }) {
			return false
		}
	}
	switch x := x.(type) {
	case object:
		for _, name := range mutate.Required(o) {
			if _, ok := x[name]; !ok {
				return false
			}
		}
		for name, value := range x {
			p, declared := mutate.Properties(o)[name]
			switch rest, _ := o["additionalProperties"].(object); {
			case declared:
				if p != false && !readable(root, p, value, !slices.Contains(mutate.Required(o), name), depth+1) {
					return false
				}
			case o["patternProperties"] != nil && rest == nil && o["additionalProperties"] == false:
				if !readable(root, o["patternProperties"].(object)["^z"], value, false, depth+1) {
					return false
				}
			case rest != nil && o["patternProperties"] == nil && !readable(root, rest, value, false, depth+1):
				return false
			}
		}
	case []any:
		prefix, _ := o["prefixItems"].([]any)
		low, _ := o["minItems"].(float64)
		for i := range prefix {
			if i < int(low) && i >= len(x) {
				return false
			}
		}
		for i, value := range x {
			switch {
			case i < len(prefix):
				if !readable(root, prefix[i], value, i >= int(low), depth+1) {
					return false
				}
			case o["items"] == false:
				return false
			case !readable(root, o["items"], value, false, depth+1):
				return false
			}
		}
	}
	return true
}

func ofType(t, x any, s object) bool {
	if l, ok := t.([]any); ok {
		return slices.ContainsFunc(l, func(t any) bool { return ofType(t, x, s) })
	}
	switch t {
	case "null":
		return x == nil
	case "boolean":
		_, ok := x.(bool)
		return ok
	case "string":
		_, ok := x.(string)
		return ok
	case "array":
		_, ok := x.([]any)
		return ok
	case "object":
		_, ok := x.(object)
		return ok
	case "number":
		_, ok := x.(float64)
		return ok
	case "integer":
		f, ok := x.(float64)
		return ok && f == math.Trunc(f)
	}
	return true
}

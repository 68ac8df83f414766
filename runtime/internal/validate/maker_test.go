package validate_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A maker makes random schemas of one dialect and values that meet their names.
type maker struct {
	*rand.Rand
	dialect int    // an index of dialects
	address string // of the resource in the document
	inmost  string // of the one in that, as it stands there
	inside  bool   // the resource
	holes   bool   // some references lead nowhere
}

var dialects = []string{
	"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-07/schema#",
	"https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
}

const draft4, draft6, draft7, draft2019, draft2020 = 0, 1, 2, 3, 4

type object = map[string]any

func pick[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// name is one of few, now and then one that a reference has to escape or that could
// be taken for a keyword.
func (m *maker) name() string {
	if m.IntN(12) == 0 {
		return pick(m, "a/b", "a~1", "a%25", "é \"", "$ref", "$id", "const", "properties", "0", "")
	}
	return pick(m, "a", "b", "c", "aa")
}

// number is one whose spelling matters now and then.
func (m *maker) number() json.Number {
	return json.Number(pick(m, "0", "1", "2", "3", "-1", "1.0", "2.5", "1e0", "0.1", "30e-1", "1e2", "-0.0",
		"9007199254740993", "9007199254740992", "1e300", "12345678901234567890123", "0.30000000000000000001", "1E-300"))
}

func (m *maker) value(depth int) any {
	switch n := m.IntN(10); {
	case depth > 0 && n < 4:
		v := object{}
		for range m.IntN(4) {
			v[m.name()] = m.value(depth - 1)
		}
		return v
	case depth > 0 && n < 6:
		v := []any{}
		for range m.IntN(4) {
			v = append(v, m.value(depth-1))
		}
		return v
	case n < 8:
		return m.number()
	}
	return pick[any](m, nil, true, false, "", "a", "ab", "b", "\U0001f600")
}

func (m *maker) document() object {
	m.address = pick(m, "http://a.example/i.json", "http://a.example/dir/i.json", "http://b.example/i.json")
	m.inmost = pick(m, "inner.json", "dir/", "../up.json?q=%41", "/i.json", "urn:x:y", "#n")
	root := m.object(3)
	root["$schema"] = dialects[m.dialect]
	defs := object{"d": m.schema(2), "e": m.schema(2), "f": m.object(2), "yes": object{}, "no": object{"not": object{}}}
	f := defs["f"].(object)
	switch m.dialect {
	case draft2019:
		f["$anchor"] = "n"
		root["$recursiveAnchor"] = m.IntN(2) == 0
	case draft2020:
		f[pick(m, "$anchor", "$dynamicAnchor")] = "n"
	}
	defs["i"] = m.resource()
	root["definitions"] = defs
	if m.IntN(2) == 0 && (m.dialect >= draft2019 || root["$ref"] == nil) {
		root[m.idKeyword()] = "http://a.example/root.json"
	}
	m.aim(root)
	return root
}

// elsewhere stands for a reference to any place of the document.
const elsewhere = "elsewhere"

// aim makes the references to elsewhere lead to places in root, which need be no
// definitions.
func (m *maker) aim(root object) {
	var pointers []string
	var aimless []object
	var visit func(v any, pointer string)
	visit = func(v any, pointer string) {
		switch v := v.(type) {
		case object:
			pointers = append(pointers, pointer)
			if v["$ref"] == elsewhere {
				aimless = append(aimless, v)
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				visit(v[name], schema.JoinPointer(pointer, name))
			}
		case []any:
			for i, item := range v {
				visit(item, schema.JoinPointer(pointer, strconv.Itoa(i)))
			}
		}
	}
	visit(root, "")
	for _, s := range aimless {
		pointer := pick(m, pointers...)
		s["$ref"] = "#" + (&url.URL{Fragment: pointer}).EscapedFragment()
	}
}

func (m *maker) idKeyword() string {
	if m.dialect == draft4 {
		return "id"
	}
	return "$id"
}

// resource is a schema with an $id, and definitions of its own under the same names.
func (m *maker) resource() object {
	m.inside = true
	defer func() { m.inside = false }()
	i := m.object(2)
	if m.dialect <= draft7 {
		delete(i, "$ref")
	}
	i[m.idKeyword()] = m.address
	f := m.object(1)
	switch m.dialect {
	case draft2019:
		f["$anchor"] = "n"
		i["$recursiveAnchor"] = m.IntN(2) == 0
	case draft2020:
		f[pick(m, "$anchor", "$dynamicAnchor")] = "n"
	}
	i["definitions"] = object{"d": m.schema(1), "e": m.schema(1), "f": f, "i": m.inner(), "yes": object{}, "no": object{"not": object{}}}
	return i
}

// inner is a schema in the resource that has a name of its own: a resource again, at
// times of another dialect, or an anchor as the old ones write it.
func (m *maker) inner() any {
	i := m.object(1)
	if i["$ref"] != nil && m.dialect <= draft7 {
		return i
	}
	i[m.idKeyword()] = m.inmost
	if m.inmost == "#n" {
		if m.dialect >= draft2019 {
			delete(i, m.idKeyword())
		}
		return i
	}
	f := object{"type": "integer"}
	if m.dialect >= draft2019 {
		f["$anchor"] = "n"
	}
	i["definitions"] = object{"d": object{}, "e": object{"type": "string"}, "f": f, "i": object{"minLength": 2}, "yes": object{}, "no": object{"not": object{}}}
	if m.dialect >= draft2019 && m.IntN(3) == 0 {
		i["$schema"] = dialects[pick(m, draft7, draft2019, draft2020)]
	}
	return i
}

// reference refers to a definition, an anchor or a resource.
func (m *maker) reference() object {
	refs := []string{"#/definitions/d", m.address + "#/definitions/i", "#/definitions/e", "#/definitions/f", "#/definitions/i", "#", m.address, m.address + "#/definitions/d"}
	if m.dialect >= draft2019 {
		refs = append(refs, "#n", m.address+"#n")
	}
	if base, err := url.Parse(m.address); err == nil && m.inmost != "#n" {
		if inner, err := base.Parse(m.inmost); err == nil {
			refs = append(refs, inner.String(), inner.String()+"#/definitions/e")
		}
	}
	if !m.inside {
		refs = append(refs, elsewhere, elsewhere)
	}
	switch {
	case m.dialect == draft2019 && m.IntN(4) == 0:
		return object{"$recursiveRef": "#"}
	case m.dialect == draft2020 && m.IntN(4) == 0:
		return object{"$dynamicRef": pick(m, "#n", "#n", "#/definitions/e", m.address+"#n")}
	}
	return object{"$ref": pick(m, refs...)}
}

func (m *maker) schema(depth int) any {
	if m.dialect > draft4 && m.IntN(10) == 0 {
		return m.IntN(2) == 0
	}
	if m.holes && m.IntN(6) == 0 {
		s := object{}
		if m.IntN(2) == 0 {
			s = m.object(depth)
			delete(s, "$dynamicRef")
			delete(s, "$recursiveRef")
		}
		s["$ref"] = pick(m, "gone:1", "gone:2")
		if m.dialect <= draft7 {
			delete(s, "const")
		}
		return s
	}
	return m.object(depth)
}

func (m *maker) schemas(depth int) []any {
	list := []any{m.schema(depth)}
	for range m.IntN(3) {
		list = append(list, m.schema(depth))
	}
	return list
}

func (m *maker) schemasByName(depth int, name func() string) object {
	by := object{}
	for range 1 + m.IntN(2) {
		by[name()] = m.schema(depth)
	}
	return by
}

// object is a schema of one to three keywords, and those that go with them.
func (m *maker) object(depth int) object {
	s := object{}
	if m.IntN(5) == 0 {
		s = m.reference()
	}
	for range 1 + m.IntN(3) {
		m.assert(s)
		if depth > 0 {
			m.apply(s, depth-1)
			if m.IntN(2) == 0 {
				m.apply(s, depth-1)
			}
		}
	}
	if s["$ref"] != nil && m.dialect <= draft7 {
		delete(s, "const") // the other implementation asserts it against the specification
	}
	return s
}

// assert adds a keyword without schemas.
func (m *maker) assert(s object) {
	switch m.IntN(22) {
	case 0, 1, 2:
		s["type"] = pick(m, "null", "boolean", "integer", "number", "string", "array", "object")
	case 3:
		s["type"] = []string{pick(m, "null", "boolean", "integer"), pick(m, "string", "array", "object")}
	case 4:
		s["enum"] = []any{m.value(1), "a", m.number()}
		if list := s["enum"].([]any); jsonText(list[0]) == jsonText(list[1]) || m.dialect < draft2019 { // unique, say the old ones
			s["enum"] = []any{"a", object{"a": m.number()}}
		}
	case 5:
		if m.dialect > draft4 {
			s["const"] = m.value(1)
		}
	case 6:
		s["required"] = []string{m.name()}
	case 7:
		s["minProperties"] = m.IntN(3)
	case 8:
		s["maxProperties"] = m.IntN(3)
	case 9:
		s["minItems"] = pick(m, json.Number("1"), "1.0", "2")
		if m.dialect == draft4 {
			s["minItems"] = 1
		}
	case 10:
		s["maxItems"] = 1 + m.IntN(2)
	case 11:
		s["uniqueItems"] = m.IntN(4) > 0
	case 12:
		s["minLength"] = m.IntN(3)
	case 13:
		s["maxLength"] = m.IntN(3)
	case 14:
		s["pattern"] = pick(m, "^a", "b$", "^.$")
	case 15, 16:
		keyword := pick(m, "minimum", "maximum")
		s[keyword] = m.number()
		if exclusive := "exclusiveM" + keyword[1:]; m.dialect == draft4 {
			s[exclusive] = m.IntN(2) == 0
		} else if m.IntN(2) == 0 {
			s[exclusive] = m.number()
		}
	case 17:
		s["multipleOf"] = pick(m, json.Number("2"), "0.1", "1.5", "3e0", "1e-7", "0.3", "7e-1", "1e2")
	case 18, 19:
		if m.dialect >= draft2019 {
			s["contains"] = pick[any](m, object{"type": "integer"}, object{"minimum": 1}, true, false, m.reference())
			if m.IntN(2) == 0 {
				s["minContains"] = m.IntN(3)
			}
			if m.IntN(2) == 0 {
				s["maxContains"] = m.IntN(3)
			}
		}
	case 20:
		if m.dialect >= draft2019 {
			s["dependentRequired"] = object{m.name(): []string{m.name()}}
		}
	}
}

// apply adds a keyword with schemas.
func (m *maker) apply(s object, depth int) {
	switch m.IntN(24) {
	case 0, 1, 2:
		s["properties"] = m.schemasByName(depth, m.name)
	case 3:
		s["patternProperties"] = m.schemasByName(depth, func() string { return pick(m, "^a", "a$", "[bc]", "") })
	case 4:
		s["additionalProperties"] = m.schema(depth)
		if m.dialect == draft4 && m.IntN(2) == 0 {
			s["additionalProperties"] = false
		}
	case 5:
		if m.dialect > draft4 {
			s["propertyNames"] = m.schema(depth)
		}
	case 6:
		s["dependencies"] = m.schemasByName(depth, m.name)
		if m.IntN(2) == 0 {
			s["dependencies"].(object)[m.name()] = []string{m.name()}
		}
	case 7:
		if m.dialect >= draft2019 {
			s["dependentSchemas"] = m.schemasByName(depth, m.name)
		}
	case 8, 9:
		s["items"] = m.schema(depth)
	case 10:
		if m.dialect < draft2020 {
			s["items"] = m.schemas(depth)
		} else {
			s["prefixItems"] = m.schemas(depth)
		}
	case 11:
		if m.dialect < draft2020 {
			s["additionalItems"] = m.schema(depth)
		}
	case 12:
		if m.dialect > draft4 {
			s["contains"] = m.schema(depth)
		}
	case 13:
		s["allOf"] = m.schemas(depth)
	case 14, 15:
		s["anyOf"] = m.schemas(depth)
	case 16:
		s["oneOf"] = m.schemas(depth)
	case 17:
		s["not"] = m.schema(depth)
	case 18, 19:
		s["if"] = m.schema(depth)
		if m.IntN(3) > 0 {
			s["then"] = m.schema(depth)
		}
		if m.IntN(3) > 0 {
			s["else"] = m.schema(depth)
		}
	case 20, 21:
		s["unevaluatedProperties"] = pick[any](m, false, object{"type": "integer"}, m.object(depth))
	case 22, 23:
		s["unevaluatedItems"] = pick[any](m, false, object{"type": "integer"}, m.object(depth))
	}
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

package snapshot

import (
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// clean returns schema v without secrets: prose is redacted, examples that hold
// one are left out, and the smallest schema around one anywhere else becomes {}.
func (p part) clean(v *schema.Value, pointer string) *schema.Value {
	if p.tainted(v) {
		p.report(p.tool, pointer, CodeSecretRedacted, "the schema holds a secret of this server and is not stored")
		return &schema.Value{Kind: schema.Object}
	}
	if v.Kind != schema.Object {
		return v
	}
	var members []schema.Member
	for _, m := range v.Members {
		switch {
		case isProse(m):
			m.Value = &schema.Value{Kind: schema.String, Text: p.redactor.Text(m.Value.Text)}
		case isExamples(m) && holdsSecret(m.Value, p.redactor):
			continue // they say nothing about types
		default:
			m.Value = p.cleanBelow(m, schema.JoinPointer(pointer, m.Name))
		}
		members = append(members, m)
	}
	return schema.ObjectOf(members)
}

// cleanBelow cleans the schemas in m, a keyword that is not tainted itself.
func (p part) cleanBelow(m schema.Member, pointer string) *schema.Value {
	switch shape(m) {
	case schema.OneSchema:
		return p.clean(m.Value, pointer)
	case schema.SchemaList:
		out := &schema.Value{Kind: schema.Array}
		for i, item := range m.Value.Items {
			out.Items = append(out.Items, p.clean(item, schema.JoinPointer(pointer, strconv.Itoa(i))))
		}
		return out
	case schema.SchemaMap:
		var members []schema.Member
		for _, s := range m.Value.Members {
			s.Value = p.clean(s.Value, schema.JoinPointer(pointer, s.Name))
			members = append(members, s)
		}
		return schema.ObjectOf(members)
	}
	return m.Value
}

// tainted reports whether v holds a secret in a place of its own that decides
// about types: a key or data, but not prose and not a schema below.
func (p part) tainted(v *schema.Value) bool {
	if v.Kind != schema.Object {
		return holdsSecret(v, p.redactor)
	}
	return slices.ContainsFunc(v.Members, func(m schema.Member) bool {
		if p.redactor.Found(m.Name) {
			return true
		}
		switch shape(m) {
		case schema.SchemaMap:
			return slices.ContainsFunc(m.Value.Members, func(s schema.Member) bool { return p.redactor.Found(s.Name) })
		case schema.NoSchema:
			return !isProse(m) && !isExamples(m) && holdsSecret(m.Value, p.redactor)
		}
		return false
	})
}

// shape is what m holds in fact: OneSchema, SchemaList or SchemaMap, and
// NoSchema for data, also where a keyword has a value of the wrong kind.
func shape(m schema.Member) schema.Position {
	position := schema.Dialect(0).Position(m.Name)
	switch kind := m.Value.Kind; {
	case position == schema.SchemaOrList && kind == schema.Array:
		return schema.SchemaList
	case position == schema.SchemaOrList:
		return schema.OneSchema
	case position == schema.SchemaList && kind != schema.Array, position == schema.SchemaMap && kind != schema.Object:
		return schema.NoSchema
	}
	return position
}

func isProse(m schema.Member) bool {
	switch m.Name {
	case "title", "description", "$comment":
		return m.Value.Kind == schema.String
	}
	return false
}

func isExamples(m schema.Member) bool { return m.Name == "examples" || m.Name == "example" }

// holdsSecret reports whether r finds something in any text of v.
func holdsSecret(v *schema.Value, r *redact.Redactor) bool {
	if r.Found(v.Text) {
		return true
	}
	for _, item := range v.Items {
		if holdsSecret(item, r) {
			return true
		}
	}
	for _, m := range v.Members {
		if r.Found(m.Name) || holdsSecret(m.Value, r) {
			return true
		}
	}
	return false
}

package snapshot

import (
	"errors"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A part reads the members of one tool.
type part struct {
	*builder
	tool string
}

// prose reads a string for people. Null is as good as absent.
func (p part) prose(name string, fields map[string][]byte) string {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return ""
	}
	v, err := schema.Parse(raw)
	if err != nil || v.Kind != schema.String {
		p.report(p.tool, "/"+name, CodeMemberIgnored, "%s is no string and is left out", name)
		return ""
	}
	return p.redactor.Text(v.Text)
}

// schema reads inputSchema or outputSchema. Any kind is kept: lowering judges.
func (p part) schema(name string, fields map[string][]byte, old *schema.Value) *schema.Value {
	raw, ok := fields[name]
	if !ok {
		return nil
	}
	v, err := p.parse(raw)
	if err != nil {
		p.report(p.tool, "/"+name, CodeSchemaDropped, "%s cannot be used and becomes raw JSON: %v", name, err)
		v = &schema.Value{Kind: schema.Object}
	}
	if p.redactor != nil {
		v = p.clean(v, "/"+name)
	}
	return keep(old, v)
}

// object reads annotations or execution.
func (p part) object(name string, fields map[string][]byte, old *schema.Value) *schema.Value {
	raw, ok := fields[name]
	if !ok || string(raw) == "null" {
		return nil
	}
	v, err := schema.Parse(raw)
	if err != nil || v.Kind != schema.Object {
		p.report(p.tool, "/"+name, CodeMemberIgnored, "%s is no object and is left out", name)
		return nil
	}
	var kept []schema.Member
	for _, m := range v.Members {
		switch {
		case m.Name == "title" && m.Value.Kind == schema.String:
			m.Value = &schema.Value{Kind: schema.String, Text: p.redactor.Text(m.Value.Text)}
		case p.redactor.Found(m.Name) || holdsSecret(m.Value, p.redactor):
			p.report(p.tool, "/"+name, CodeSecretRedacted, "a member of %s holds a secret of this server and is left out", name)
			continue
		}
		kept = append(kept, m)
	}
	return keep(old, schema.ObjectOf(kept))
}

// keep returns old itself when v differs from it in nothing but the order of
// keys, so that a server that shuffles them changes no byte; otherwise v.
func keep(old, v *schema.Value) *schema.Value {
	if old != nil && schema.SameText(old, v) {
		return old
	}
	return v
}

func (p part) parse(raw []byte) (*schema.Value, error) {
	if len(raw) > maxSchema {
		return nil, errors.New("it is larger than 4 MiB")
	}
	v, err := schema.Parse(raw)
	if err != nil {
		return nil, err
	}
	paths := pathsOf(v)
	switch {
	case paths.longest > maxPath:
		return nil, errors.New("the names on the way to one of its parts are longer than 16 KiB")
	case paths.sum > maxPaths:
		return nil, errors.New("the names on the way to its parts are longer than 8 MiB in all: there are too many parts below long names")
	case p.paths+paths.sum > allPaths && paths.sum > fewPaths:
		return nil, errors.New("the names on the way to the parts of all schemas of this server are longer than 32 MiB in all")
	}
	p.paths += paths.sum
	return v, nil
}

// A paths sums up the JSON pointers of all parts of a value, without escapes. Each is
// spelled out sooner or later, as a place, and as an owner of names: 5,000 parts
// below one name of 16 KiB would be gigabytes.
type paths struct{ count, sum, longest int }

func pathsOf(v *schema.Value) paths {
	all := paths{count: 1}
	add := func(step int, below paths) {
		all.count += below.count
		all.sum += below.sum + below.count*step
		all.longest = max(all.longest, step+below.longest)
	}
	for _, item := range v.Items {
		add(1, pathsOf(item))
	}
	for _, m := range v.Members {
		add(1+len(m.Name), pathsOf(m.Value))
	}
	return all
}

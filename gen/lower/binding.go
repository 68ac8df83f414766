package lower

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// binding returns the configured type of v.
func (s *side) binding(v *view) (typ, bool) {
	if len(s.p.in.Options.Bindings) == 0 {
		return typ{}, false
	}
	for _, key := range s.bindingKeys(v) {
		if target, ok := s.p.in.Options.Bindings[key]; ok {
			q, _ := parseBinding(target)
			s.p.used[key] = true
			return typ{t: q, null: v.kinds()&schema.Nulls != 0 && v.kinds() != schema.AllKinds}, true
		}
	}
	return typ{}, false
}

// bindingKeys are the names that the configuration may know v by: its places,
// those that only refer to it first, then its key as a definition.
func (s *side) bindingKeys(v *view) []string {
	if len(v.conj) == 0 {
		return nil // it says nothing: no type to replace
	}
	places := slices.Concat(v.chain, v.all)
	sole, ok := v.conj.sole()
	if ok {
		places = append(places, sole)
	}
	var keys []string
	for _, n := range places {
		keys = append(keys, s.tool.wire+"#"+s.root+n.Pointer)
	}
	if key := defKey(sole.Pointer); key != "" {
		keys = append(keys, key)
	}
	return keys
}

// parseBinding splits "import/path.Type".
func parseBinding(target string) (model.Qualified, bool) {
	i := strings.LastIndexByte(target, '.')
	if i <= 0 {
		return model.Qualified{}, false
	}
	q := model.Qualified{Path: target[:i], Name: target[i+1:]}
	return q, token.IsIdentifier(q.Name) && token.IsExported(q.Name)
}

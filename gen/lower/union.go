package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A label is what a variant is called within its union.
type label struct {
	owner string // its own part of the owner: a JSON value, a $ref, a kind or a set of keys
	word  string // its own part of the Go name
}

// union declares the union of parts, two or more, or one and anything else.
func (s *side) union(v *view, parts []part, sh *shape) typ {
	decl := &model.Union{}
	t := typ{t: model.Ref{Decl: decl}, nilable: true}
	sh.typ = typ{t: t.t, nilable: true, null: sh.null}
	in := s.declare(decl, v)
	sh.info = in
	labels := s.labelsOf(parts)
	for i, p := range parts {
		// The place is known before the variant is made: names of types within
		// it are made of the places of the branches.
		for _, l := range p.leaves {
			if _, known := s.labels[l.branch.Pointer]; !known && l.branch.Value != nil {
				s.labels[l.branch.Pointer] = labels[i]
			}
		}
		variant := s.variant(v, p, labels[i], in)
		if variant != nil && !slices.Contains(decl.Variants, variant) {
			decl.Variants = append(decl.Variants, variant)
		}
	}
	raw := &model.Named{Underlying: model.RawMessage, Raw: true}
	s.declareVariant(raw, v, in, label{"raw", "Raw"})
	decl.Variants = append(decl.Variants, raw)
	return t
}

// variant makes the declared type of one part of a union, nil when nothing
// better than the raw variant is to be had.
func (s *side) variant(v *view, p part, l label, in *info) model.Decl {
	target := v
	if len(p.leaves) == 1 {
		target = p.leaves[0].view
	}
	t := s.variantShape(target, p).now()
	if t.bare {
		return nil
	}
	if ref, ok := t.t.(model.Ref); ok {
		s.p.infos[ref.Decl].asVariant(in, l)
		return ref.Decl
	}
	named := &model.Named{Underlying: t.t}
	if t.t == model.Time {
		named.Underlying = model.String // a defined type would lose time.Time's own JSON
	}
	s.declareVariant(named, target, in, l)
	return named
}

// variantShape makes the shape of p. Where v itself is just p, that is v's own
// shape, which may stand elsewhere too; else it is one beside v's own.
func (s *side) variantShape(v *view, p part) *shape {
	key := v.key + "#" + p.class.name()
	if len(p.leaves) == 1 && s.soleClass(p.leaves[0], p.class) {
		if _, bound := s.binding(v); !bound {
			return s.shapeOf(v, nil)
		}
		s.say(diag.Warning, CodeVariantBinding, v.place.Pointer, "a variant of a union cannot be bound to a type")
	}
	sh := s.memo[key]
	if sh == nil {
		sh = &shape{}
		s.memo[key] = sh
		sh.typ = s.ofClass(v, p, sh)
		if sh.info != nil {
			sh.info.def = "" // a part of the definition, not the definition
		}
	}
	return sh
}

// labelsOf names the parts of a union, each differently: objects by the value
// that tells them apart, else by their $ref, else by their keys; the rest by kind.
func (s *side) labelsOf(parts []part) []label {
	labels := make([]label, len(parts))
	objects := 0
	for _, p := range parts {
		if p.class == kObject {
			objects++
		}
	}
	tags := s.tags(parts)
	for i, p := range parts {
		switch {
		case p.class != kObject:
			labels[i] = kindLabel(p)
		case objects == 1:
			labels[i] = label{"object", "Object"}
		default:
			labels[i] = s.objectLabel(parts, i, tags[i])
		}
	}
	return s.distinct(labels, parts)
}

// distinct tells equal labels apart: by the kinds of their keys, and where
// those agree too, by a number.
func (s *side) distinct(labels []label, parts []part) []label {
	count := make(map[string]int)
	for _, l := range labels {
		count[l.owner]++
	}
	for i, l := range labels {
		if count[l.owner] > 1 && parts[i].class == kObject {
			labels[i].owner = s.keysAndKinds(parts[i].leaves[0].view)
		}
	}
	seen := make(map[string]int)
	for i, l := range labels {
		seen[l.owner]++
		if n := seen[l.owner]; n > 1 {
			labels[i].owner += " " + strconv.Itoa(n)
		}
	}
	return labels
}

func (s *side) keysAndKinds(v *view) string {
	var keys []string
	for _, p := range v.props() {
		kinds := "any"
		if k := s.view(p.conj, nil).kinds(); k != kAll {
			kinds = k.name()
		}
		keys = append(keys, p.name+" "+kinds)
	}
	slices.Sort(keys)
	return "{" + strings.Join(keys, ",") + "}"
}

func kindLabel(p part) label {
	k := p.class
	if k == kNumber {
		k = 0
		for _, l := range p.leaves {
			k |= l.kinds() & kNumber
		}
	}
	switch k {
	case kString:
		return label{"string", "Text"}
	case kInt:
		return label{"integer", "Integer"}
	case kBool:
		return label{"boolean", "Bool"}
	case kArray:
		return label{"array", "List"}
	default:
		return label{"number", "Number"}
	}
}

// tags returns, for each object among parts, the value of the property that
// tells the objects apart; "" where there is none.
func (s *side) tags(parts []part) []string {
	out := make([]string, len(parts))
	var keys []string
	values := make([]map[string]string, len(parts))
	for i, p := range parts {
		if p.class != kObject {
			continue
		}
		values[i] = make(map[string]string)
		for _, prop := range p.leaves[0].props() {
			if len(prop.conj) == 0 {
				continue
			}
			list, _ := s.tag(s.view(prop.conj, nil))
			if len(list) == 0 {
				continue
			}
			values[i][prop.name] = strings.Join(list, ",")
			if !slices.Contains(keys, prop.name) {
				keys = append(keys, prop.name)
			}
		}
	}
	unique := func(key string, i int) bool {
		for j := range parts {
			if j != i && values[j][key] == values[i][key] {
				return false
			}
		}
		return values[i][key] != ""
	}
	all := func(key string) bool {
		for i, p := range parts {
			if p.class == kObject && !unique(key, i) {
				return false
			}
		}
		return true
	}
	if i := slices.IndexFunc(keys, all); i >= 0 {
		keys = keys[i : i+1] // one property tells all of them apart
	}
	for i := range parts {
		for _, key := range keys {
			if out[i] == "" && unique(key, i) {
				out[i] = values[i][key]
			}
		}
	}
	return out
}

// objectLabel names parts[i], one of several objects.
func (s *side) objectLabel(parts []part, i int, tag string) label {
	l := parts[i].leaves[0]
	if tag != "" {
		return label{tag, wordOf(tag)}
	}
	if ref := l.branch.Child("$ref").Value; ref != nil && ref.Kind == schema.String {
		return label{ref.Text, wordOf(ref.Text[strings.LastIndexAny(ref.Text, "/#")+1:])}
	}
	var keys []string
	own := ""
	for _, p := range l.props() {
		keys = append(keys, p.name)
		if own == "" && !declaredElsewhere(parts, i, p.name) {
			own = p.name
		}
	}
	slices.Sort(keys)
	if own == "" {
		own = "Object"
	}
	return label{"{" + strings.Join(keys, ",") + "}", wordOf(own)}
}

func declaredElsewhere(parts []part, i int, name string) bool {
	for j, other := range parts {
		if j != i && other.class == kObject &&
			slices.ContainsFunc(other.leaves[0].props(), func(p property) bool { return p.name == name }) {
			return true
		}
	}
	return false
}

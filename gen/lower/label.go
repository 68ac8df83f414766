package lower

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A label is what a variant is called within its union.
type label struct {
	owner  string     // its own part of the owner: a JSON value, a $ref, a kind or a set
	word   string     // its own part of the Go name
	keys   []string   // quoted, of one object among several
	sets   [][]string // the values and the keys by which the variant may be known: a server adds to them
	tagged []tagged   // whose values it may be known by, too
	known  bool       // owner is taken from a pin, see remember
	of     *view      // the object, one of several
}

// anyObject is the word for an object of which there is nothing to say.
const anyObject = "Object"

// onlyObject owns the object in a union without another one.
const onlyObject = "object"

// labelsOf names the parts of a union, each differently: objects by the value
// that tells them apart, else by their $ref, else by their keys; the rest by kind.
func (s *side) labelsOf(parts []part) []label {
	labels := make([]label, len(parts))
	objects := 0
	for _, p := range parts {
		if p.class == schema.Objects {
			objects++
		}
	}
	tags := s.tags(parts)
	for i, p := range parts {
		switch {
		case p.class != schema.Objects:
			labels[i] = kindLabel(p)
		case objects == 1:
			labels[i] = label{owner: onlyObject, word: anyObject}
		default:
			labels[i] = s.objectLabel(parts, i, tags)
		}
	}
	return s.distinct(labels, parts, tags)
}

// distinct tells equal labels apart: by the kinds of their keys, and where
// those agree too, by a number. What has no other name is called after the keys
// that not all have.
func (s *side) distinct(labels []label, parts []part, tags *tagTable) []label {
	alike := make(map[string][]int)
	for i, l := range labels {
		alike[l.owner] = append(alike[l.owner], i)
	}
	for i, l := range labels {
		group := alike[l.owner]
		switch {
		case parts[i].class != schema.Objects:
		case len(group) > 1 && group[0] == i:
			s.distinctByKind(labels, parts, group)
		case len(group) == 1 && l.word == anyObject:
			if some := tags.someKeys(i); len(some) > 0 && len(some) <= maxTagWords {
				labels[i].word = wordOf(strings.Join(some, ","))
			}
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

// distinctByKind tells apart the objects of group, which have the same keys. What
// has no other name is called after the first key whose kind is its own, like
// ValueText.
func (s *side) distinctByKind(labels []label, parts []part, group []int) {
	count := make(map[string]int)
	for _, i := range group {
		for _, k := range s.keysAndKinds(parts[i].leaves[0].view) {
			count[k]++
		}
	}
	for _, i := range group {
		l, v := &labels[i], parts[i].leaves[0].view
		own := s.keysAndKinds(v)
		if j := slices.IndexFunc(own, func(k string) bool { return count[k] == 1 }); j >= 0 && l.word == anyObject {
			p := v.props()[j]
			l.word = wordOf(p.name) + kindName(s.view(p.conj, nil).kinds())
		}
		l.own(own)
	}
}

func (s *side) keysAndKinds(v *view) []string {
	w := v.vocabulary()
	if w.kinds == nil {
		for n, p := range v.props() {
			w.kinds = append(w.kinds, w.quoted[n]+" "+kindWord(s.view(p.conj, nil).kinds()))
		}
	}
	return w.kinds
}

// kindWord returns how a label spells k. Pins remember it: several kinds are a
// "value" forever, whatever they are.
func kindWord(k schema.Kinds) string {
	if k == schema.AllKinds || k == schema.Numbers || bits.OnesCount8(uint8(k)) == 1 {
		return k.String()
	}
	return "value"
}

func kindLabel(p part) label {
	k := p.class
	if k == schema.Numbers {
		k = 0
		for _, l := range p.leaves {
			k |= l.kinds() & schema.Numbers
			if t := l.typeKinds(); t != schema.AllKinds {
				k |= t & schema.Numbers // of listed numbers, too: the list may grow
			}
		}
	}
	return label{owner: k.String(), word: kindName(k)}
}

// kindName is what a value of one kind is called in a name.
func kindName(k schema.Kinds) string {
	switch k {
	case schema.Strings:
		return "Text"
	case schema.Integers:
		return "Integer"
	case schema.Numbers, schema.Fractions:
		return "Number"
	case schema.Bools:
		return "Bool"
	case schema.Arrays:
		return "List"
	case schema.Objects:
		return anyObject
	case schema.Nulls:
		return "Null"
	default:
		return "Value"
	}
}

// maxTagWords is how many values of a property a variant is named after: beyond
// it, its own definition or key reads better.
const maxTagWords = 2

// objectLabel names parts[i], one of several objects, after the values that tell
// it apart, else after its definition, else after the first key that is its own.
func (s *side) objectLabel(parts []part, i int, tags *tagTable) label {
	tag, like := tags.own[i], tags.like[i]
	words := tags.words[i]
	ref, named := namedRef(parts[i].leaves[0].branch)
	var l label
	switch {
	case len(tag) > 0:
		l.own(tag)
	case named:
		l.owner = ref
	default:
		l.own(words.quoted)
	}
	// What tells variants apart may change with what is added to them.
	l.keys, l.of = words.quoted, parts[i].leaves[0].view
	l.sets = append(l.sets, []string{ref}, words.quoted)
	l.tagged = tags.tagged[i]
	switch {
	case len(tag) > 0 && len(tag) <= maxTagWords:
		l.word = wordOf(strings.Join(tag, ","))
	case named:
		l.word = wordOf(ref[strings.LastIndexAny(ref, "/#")+1:])
	case tags.ownKey(i) >= 0:
		l.word = wordOf(parts[i].leaves[0].props()[tags.ownKey(i)].name)
	case len(tag) > 0:
		l.word = wordOf(tag[0])
	case len(like) > 0:
		l.word = wordOf(like[0])
	default:
		l.word = anyObject
	}
	return l
}

// namedRef returns the $ref of a branch, and whether it ends in a name: that of
// a definition, an anchor or a document, not that of a place.
func namedRef(branch schema.Node) (ref string, named bool) {
	v := branch.Child("$ref").Value
	if v == nil || v.Kind != schema.String {
		return "", false
	}
	_, fragment, _ := strings.Cut(v.Text, "#")
	if strings.HasPrefix(fragment, "/") {
		return v.Text, defKey(fragment) != ""
	}
	return v.Text, v.Text != "#" && v.Text != ""
}

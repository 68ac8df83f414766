package lower

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// A word is one step of the path that names an inline type.
type word struct {
	text    string // as an identifier
	element bool   // the type is an item or value of what text names
	kind    bool   // text is the kind of a variant of what stands before it, and says little alone
}

// locate finds the owner pointer, the words and the definition of every
// declared type. It runs after all variants have their labels.
func (p *lowering) locate() {
	unions := slices.DeleteFunc(slices.Clone(p.all), func(in *info) bool { return len(in.labels) == 0 })
	slices.SortStableFunc(unions, func(a, b *info) int { return cmp.Compare(len(a.at().Pointer), len(b.at().Pointer)) })
	for _, in := range unions { // outer ones first: they are on the way to the others
		in.locate()
		p.remember(in)
	}
	for _, in := range p.all {
		in.locate()
	}
	for _, in := range p.all { // unions first exist, then what is named after them
		if in.union != nil {
			in.pointer = schema.JoinPointer(in.union.pointer, in.label.owner)
		}
	}
	p.separate()
}

func (in *info) locate() {
	in.pointer, in.words, in.anchor = in.s.place(in.at())
	switch {
	case in.root:
		in.pointer, in.words, in.anchor, in.def = in.s.root, nil, "", ""
	case in.union != nil:
		in.def = ""
	case len(in.view.conj) == 1:
		in.def = defKey(in.pointer)
	default:
		in.def = ""
		in.pointer = in.s.mergedPointer(in.view)
	}
}

// separate numbers the types that are left with one owner, such as those of two
// schemas that only their place in allOf tells apart.
func (p *lowering) separate() {
	taken := make(map[string]int)
	for _, in := range p.all {
		key := in.s.tool.wire + "#" + in.pointer
		if in.union != nil {
			key = "variant:" + key
		}
		taken[key]++
		if n := taken[key]; n > 1 {
			in.pointer += " " + strconv.Itoa(n)
		}
	}
}

// at returns the place that the type of in belongs to.
func (in *info) at() schema.Node {
	if sole, ok := in.view.conj.sole(); ok {
		return sole
	}
	return in.view.place
}

// mergedPointer is the owner pointer of a type that several schemas make up.
func (s *side) mergedPointer(v *view) string {
	var all []string
	for _, n := range v.all {
		pointer, _, _ := s.place(n)
		if !slices.Contains(all, pointer) {
			all = append(all, pointer)
		}
	}
	return strings.Join(all, "&")
}

// place walks the pointer of n. Branches of a union stand for their variant,
// never for their index; other indexes of allOf, anyOf and oneOf are left out.
func (s *side) place(n schema.Node) (pointer string, words []word, anchor string) {
	pointer = s.root
	at := "" // raw pointer so far, which labels are known by
	next := func(tokens []string) ([]string, string) {
		if len(tokens) == 0 {
			return nil, ""
		}
		at = schema.JoinPointer(at, tokens[0])
		return tokens[1:], tokens[0]
	}
	keep := func(token string) { pointer = schema.JoinPointer(pointer, token) }
	tokens := slices.Collect(schema.SplitPointer(n.Pointer))
	for len(tokens) > 0 {
		var keyword, token string
		tokens, keyword = next(tokens)
		switch keyword {
		case "properties":
			tokens, token = next(tokens)
			keep(keyword)
			keep(token)
			words = append(words, word{text: wordOf(token)})
		case "patternProperties":
			tokens, token = next(tokens)
			keep(keyword)
			keep(token)
			words = element(words, "Value")
		case "additionalProperties":
			keep(keyword)
			words = element(words, "Value")
		case "additionalItems":
			keep(keyword)
			words = element(words, "Item")
		case "items", "prefixItems":
			keep(keyword)
			if len(tokens) > 0 && isIndex(tokens[0]) {
				tokens, token = next(tokens)
				keep(token)
				words = append(words, word{text: "V" + token})
				continue
			}
			words = element(words, "Item")
		case "allOf", "anyOf", "oneOf":
			tokens, _ = next(tokens)
			if l, ok := s.labels[at]; ok {
				keep(l.owner)
				words = append(words, word{text: l.word, kind: l.keys == nil})
			}
		case "$defs", "definitions":
			tokens, token = next(tokens)
			keep(keyword)
			keep(token)
			words, anchor = nil, pointer
		default:
			keep(keyword)
			words = append(words, word{text: wordOf(keyword)})
		}
	}
	return pointer, words, anchor
}

func isIndex(token string) bool { return token != "" && strings.Trim(token, "0123456789") == "" }

// element says that what follows is an item or value of the last word. A list
// or map that is itself a definition or a result has no such word.
func element(words []word, name string) []word {
	last := len(words) - 1
	switch {
	case last < 0:
		return append(words, word{text: name})
	case words[last].kind: // SortItem, where Sort is a text or a list
		words[last].text = name
	default:
		words[last].element = true
	}
	return words
}

// wordOf returns the identifier part for a label or an enum value, which
// follows another word and so may begin with a digit.
func wordOf(text string) string {
	if unquoted, err := jsontext.AppendUnquote(nil, text); err == nil {
		text = string(unquoted)
	}
	return strings.TrimPrefix(names.Path("t", text), "T")
}

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
			p.seat(in)
		}
	}
	p.separate()
}

// seat finds the owner pointer of a variant. Of several unions that have it, the
// first names it, unless earlier names know it in another.
func (p *lowering) seat(in *info) {
	known := func(at seat) bool {
		pointer := schema.JoinPointer(at.union.pointer, at.label.owner)
		return p.in.Pins["variant:"+escapeTool.Replace(in.s.tool.wire)+"#"+pointer] != ""
	}
	if len(in.also) > 0 && len(p.in.Pins) > 0 && !known(seat{in.union, in.label}) {
		if i := slices.IndexFunc(in.also, known); i >= 0 {
			in.union, in.label = in.also[i].union, in.also[i].label
			in.label.known = true // else the first would name it the next time
		}
	}
	in.pointer = schema.JoinPointer(in.union.pointer, in.label.owner)
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

// A spot is what a pointer into the schema says about types that stand there.
type spot struct {
	pointer string // as owners spell it
	words   []word
	anchor  string // the spot of the definition around it, "" for the root
}

// place returns the spot of n. What leads there is looked up rather than walked:
// the types of a deep schema share most of it.
func (s *side) place(n schema.Node) (pointer string, words []word, anchor string) {
	at, done := s.nearest(n.Pointer)
	w := walk{s: s, spot: at, raw: n.Pointer, done: done}
	for w.done < len(w.raw) {
		w.step()
		if !w.short {
			s.spots[w.raw[:w.done]] = spot{w.pointer, slices.Clone(w.words), w.anchor}
		}
	}
	return w.pointer, w.words, w.anchor
}

// nearest returns the spot of the longest known part of a pointer, and its length.
func (s *side) nearest(raw string) (spot, int) {
	for end := len(raw); end > 0; end = strings.LastIndexByte(raw[:end], '/') {
		known, ok := s.spots[raw[:end]]
		if !ok || isListKeyword(raw[strings.LastIndexByte(raw[:end], '/')+1:end]) && isIndex(firstToken(raw[end:])) {
			continue // a list's items are one spot, those of a tuple many
		}
		known.words = slices.Clone(known.words)
		return known, end
	}
	return spot{pointer: s.root}, 0
}

func isListKeyword(token string) bool { return token == "items" || token == "prefixItems" }

// firstToken returns the first token of a pointer, as spelled there.
func firstToken(raw string) string {
	token, _, _ := strings.Cut(strings.TrimPrefix(raw, "/"), "/")
	return token
}

// A walk follows a pointer from one spot to the next.
type walk struct {
	spot
	s     *side
	raw   string
	done  int  // bytes of raw
	short bool // raw ends where a token is missing
}

// next takes the next token.
func (w *walk) next() string {
	if w.done == len(w.raw) {
		w.short = true
		return ""
	}
	start := w.done
	w.done += 1 + len(firstToken(w.raw[start:]))
	for token := range schema.SplitPointer(w.raw[start:w.done]) {
		return token
	}
	return ""
}

func (w *walk) keep(token string) { w.pointer = schema.JoinPointer(w.pointer, token) }

// step takes one keyword and what belongs to it. Branches of a union stand for
// their variant, never for their index; other indexes of allOf, anyOf and oneOf
// are left out.
func (w *walk) step() {
	switch keyword := w.next(); keyword {
	case "properties":
		token := w.next()
		w.keep(keyword)
		w.keep(token)
		w.words = append(w.words, word{text: wordOf(token)})
	case "patternProperties":
		token := w.next()
		w.keep(keyword)
		w.keep(token)
		w.words = element(w.words, "Value")
	case "additionalProperties":
		w.keep(keyword)
		w.words = element(w.words, "Value")
	case "additionalItems":
		w.keep(keyword)
		w.words = element(w.words, "Item")
	case "items", "prefixItems":
		w.keep(keyword)
		if w.done < len(w.raw) && isIndex(firstToken(w.raw[w.done:])) {
			token := w.next()
			w.keep(token)
			w.words = append(w.words, word{text: "V" + token})
			return
		}
		w.words = element(w.words, "Item")
	case "allOf", "anyOf", "oneOf":
		w.next()
		if l, ok := w.s.labels[w.raw[:w.done]]; ok {
			w.keep(l.owner)
			w.words = append(w.words, word{text: l.word, kind: l.keys == nil})
		}
	case "$defs", "definitions":
		token := w.next()
		w.keep(keyword)
		w.keep(token)
		w.words, w.anchor = nil, w.pointer
	default:
		w.keep(keyword)
		w.words = append(w.words, word{text: wordOf(keyword)})
	}
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

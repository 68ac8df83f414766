package lower

import (
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/names"
)

// candidates returns the names that the type of in would like, best first.
func (n *naming) candidates(in *info) []string {
	if list, ok := n.noted[in]; ok {
		return list
	}
	method := in.s.tool.model.Method
	switch {
	case in.root:
		return []string{method + in.s.dir.noun()}
	case in.union != nil:
		name := in.union.decl.Ident() + in.label.word
		if _, object := in.decl.(*model.Struct); object {
			return []string{name, name + "Object"} // the text variant may be called Text
		}
		return []string{name}
	case in.def != "":
		key := names.Exported(in.def)
		if n.collides(in, method+key) {
			return []string{key, method + in.s.dir.noun() + key}
		}
		return []string{key, names.Join(method, key), method + key}
	}
	return n.inlineCandidates(in)
}

// inlineCandidates are the suffixes of a type's path: first with what words next
// to each other repeat said once, then whole.
func (n *naming) inlineCandidates(in *info) []string {
	method, prefix := in.s.tool.model.Method, n.prefix(in)
	ofTool := in.anchor == "" // not of a definition
	var once, whole []string
	add := func(list *[]string, name string) {
		if !slices.Contains(once, name) && !slices.Contains(whole, name) {
			*list = append(*list, name)
		}
	}
	suffix := ""
	for _, path := range paths(in.words) {
		joined := names.Join(prefix, names.Join(path...))
		suffix = strings.Join(path, "")
		if ofTool && (n.collides(in, joined) || n.collides(in, prefix+suffix)) {
			add(&once, method+in.s.dir.noun()+suffix)
			continue
		}
		add(&once, joined)
		add(&whole, prefix+suffix)
	}
	out := slices.Concat(once, whole)
	switch {
	case !ofTool && !strings.HasPrefix(prefix, method):
		add(&out, method+out[0])
	case ofTool && (suffix == arguments.noun() || suffix == results.noun()): // a property called like a root
		add(&out, method+in.s.dir.noun()+suffix)
	}
	return out
}

// prefix is what the names of types within a definition or a tool begin with.
func (n *naming) prefix(in *info) string {
	if in.anchor == "" {
		return in.s.tool.model.Method
	}
	if def := n.defs[in.s][in.anchor]; def != nil {
		return def.decl.Ident()
	}
	return names.Exported(defKey(in.anchor))
}

// maxSuffixes bounds the suffixes of a path that a type may be called by, beside
// the whole path: deep in a schema each name more is a long one.
const maxSuffixes = 12

// paths returns the suffixes of words, shortest first: with the last word in
// the singular where the type is an element of a list, then as they are. None
// begins with the kind of a variant.
func paths(words []word) [][]string {
	if len(words) == 0 {
		return [][]string{{"Value"}}
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	var out [][]string
	last := len(words) - 1
	suffixes := func(texts []string) {
		for i := last; i >= 0; i-- {
			if i == 0 || !words[i].kind && i > last-maxSuffixes {
				out = append(out, texts[i:])
			}
		}
	}
	if words[last].element {
		one := slices.Clone(texts)
		one[last] = singular(one[last])
		suffixes(one)
	}
	suffixes(texts)
	return out
}

// noteArguments remembers the names that the arguments of a tool may take, and
// for the round itself whose they are.
func (n *naming) noteArguments(round []*info) {
	clear(n.noted)
	for _, in := range round {
		if in.s.dir != arguments || in.root {
			continue
		}
		set := n.arguments[in.s.tool]
		if set == nil {
			set = make(map[string]bool)
			n.arguments[in.s.tool] = set
		}
		n.noted[in] = n.candidates(in)
		for _, name := range n.noted[in] {
			set[name] = true
		}
	}
}

// collides reports whether a type of the same tool's arguments may be called name.
func (n *naming) collides(in *info, name string) bool {
	return in.s.dir == results && n.arguments[in.s.tool][name]
}

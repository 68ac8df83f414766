package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// maxVariants bounds the branches of one union, nested ones included.
const maxVariants = 200

// unionKeywords hold the schemas of which a value satisfies one or more.
var unionKeywords = [...]string{"oneOf", "anyOf"}

// A leaf is one way to satisfy a union: a view without undecided unions.
type leaf struct {
	*view
	branch schema.Node // the innermost branch that was chosen; Value nil when v had no union
	taken  []decision  // that led here, outer ones first
}

// A decision is the branch that was chosen of a union.
type decision struct {
	use
	branch schema.Node
}

// uses returns all decided unions, of which view.used holds only those that can
// still be met.
func (l leaf) uses() []use {
	uses := slices.Clone(l.used)
	for _, d := range l.taken {
		uses = append(uses, d.use)
	}
	return uses
}

// leaves returns the ways to satisfy v, one when it has no union that matters
// for the type. It reports false when there are too many.
func (v *view) leaves() ([]leaf, bool) {
	k := v.known
	if v.ways != nil || k.expands && !k.fits {
		return v.ways, k.fits
	}
	if !k.expands || v.alts { // what alts lack is known of this view only
		k.ways, k.fits = v.expand()
		k.plain = len(k.ways) == 1 && k.ways[0].view == v
		k.expands = true
	}
	v.ways = k.ways
	if k.plain {
		v.ways = []leaf{{view: v}}
	}
	return v.ways, k.fits
}

func (v *view) expand() ([]leaf, bool) {
	var out []leaf
	seen := make(map[string]bool)
	var expand func(l leaf) bool
	expand = func(l leaf) bool {
		if !v.s.step() || len(out) > maxVariants {
			return false
		}
		choices, more := l.choices()
		if !more {
			if !seen[l.key] {
				seen[l.key] = true
				out = append(out, l)
			}
			return true
		}
		for _, c := range choices {
			if !expand(c) {
				return false
			}
		}
		return true
	}
	if !expand(leaf{view: v}) || len(out) > maxVariants {
		return nil, false
	}
	return out, true
}

// choices decides the first open union of l that matters for the type.
func (l leaf) choices() ([]leaf, bool) {
	for i, e := range l.conj {
		if e.alts == nil {
			continue
		}
		var out []leaf
		for _, alt := range e.alts {
			c := slices.Concat(l.conj[:i], l.conj[i+1:], alt)
			next := *l.s.view(c, l.uses())
			next.broken = next.broken || l.broken
			out = append(out, leaf{&next, l.branch, l.taken})
		}
		return out, true
	}
	for _, n := range l.nodes {
		for _, keyword := range unionKeywords {
			if isUsed(l.used, n.Value, keyword) {
				continue
			}
			list := n.Child(keyword)
			if list.Value == nil || len(list.Value.Items) < 2 {
				continue
			}
			branches := l.s.list(list)
			if !l.informs(branches) {
				continue
			}
			return l.decide(n, keyword, branches), true
		}
	}
	return nil, false
}

func (l leaf) decide(n schema.Node, keyword string, branches []schema.Node) []leaf {
	here := use{n.Value, keyword}
	used := append(l.uses(), here)
	var out []leaf
	seen := make(map[string]bool, len(branches))
	for _, b := range branches {
		if len(out) > maxVariants {
			break // enough to be refused
		}
		text := string(schema.Canonical(b.Value))
		if seen[text] {
			continue
		}
		seen[text] = true
		next := l.s.view(append(slices.Clone(l.conj), elem{node: b}), used)
		if !l.founded(next.met, used, []use{here}) {
			continue // the union itself: it adds nothing
		}
		if next.kinds() == 0 && l.kinds() != 0 {
			continue // what stands beside the union rules this branch out
		}
		out = append(out, leaf{next, b, append(slices.Clone(l.taken), decision{here, b})})
	}
	return out
}

// founded reports whether the branches that were chosen of unions say something
// that does not lead back to a union of path. One that does would hold because it
// holds; where it does not, what was chosen elsewhere satisfies it here too.
func (l leaf) founded(unions, used, path []use) bool {
	for _, u := range unions {
		if slices.Contains(path, u) {
			return false
		}
		i := slices.IndexFunc(l.taken, func(d decision) bool { return d.use == u })
		if i < 0 {
			continue
		}
		branch := l.s.view(single(l.taken[i].branch), used)
		if !l.founded(branch.met, used, append(slices.Clone(path), u)) {
			return false
		}
	}
	return true
}

// informs reports whether any branch says more about the type than l does.
// Branches that only say required, not or bounds are left to validation.
func (l leaf) informs(branches []schema.Node) bool {
	return slices.ContainsFunc(branches, func(b schema.Node) bool {
		v := l.s.view(single(b), nil)
		if v.kinds()&l.kinds() != l.kinds() || v.enum() != nil || v.hasUnion() {
			return true
		}
		return slices.ContainsFunc(v.nodes, func(n schema.Node) bool {
			for _, keyword := range []string{"items", "prefixItems", "patternProperties", "additionalProperties"} {
				if c := child(n, keyword).Value; c != nil && c.Kind != schema.Bool {
					return true
				}
			}
			return slices.ContainsFunc(children(n.Child("properties")), func(p schema.Node) bool {
				return len(l.s.view(single(p), nil).conj) > 0 && !isFalse(p.Value)
			})
		})
	})
}

func isFalse(v *schema.Value) bool { return v != nil && v.Kind == schema.Bool && !v.Bool }

// hasUnion reports whether v holds a union of several branches.
func (v *view) hasUnion() bool {
	return slices.ContainsFunc(v.nodes, func(n schema.Node) bool {
		for _, keyword := range unionKeywords {
			if list := n.Child(keyword).Value; list != nil && len(list.Items) > 1 {
				return true
			}
		}
		return false
	})
}

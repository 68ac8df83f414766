package lower

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// own makes a set of values or keys the owner of l. One element stands for
// itself.
func (l *label) own(set []string) {
	set = slices.Sorted(slices.Values(set))
	l.sets = append(l.sets, set)
	l.owner = strings.Join(set, ",")
	if len(set) != 1 {
		l.owner = "{" + l.owner + "}"
	}
}

// splitSet returns the elements of an owner's set: JSON values, or quoted keys,
// which may have a kind behind them.
func splitSet(owner string) []string {
	if strings.HasPrefix(owner, "{") && strings.HasSuffix(owner, "}") {
		owner = owner[1 : len(owner)-1]
	}
	var out []string
	quoted, start := false, 0
	for i := 0; i < len(owner); i++ {
		switch c := owner[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			out = append(out, owner[start:i])
			start = i + 1
		}
	}
	return append(out, owner[start:])
}

// An orphan is an owner that names a variant of an earlier schema only.
type orphan struct {
	owner           string
	set, unnumbered []string
	numbered        bool
}

func newOrphan(owner string) orphan {
	bare := withoutNumber(owner)
	return orphan{owner, splitSet(owner), splitSet(bare), bare != owner}
}

// remember finds the variants of the union in that earlier names know by fewer
// keys or values: an object that gained a property is the same variant. It
// keeps its owner, and with it the names of all that is in it.
func (p *lowering) remember(in *info) {
	place := escapeTool.Replace(in.s.tool.wire) + "#" + in.pointer + "/"
	pinned := p.pinnedVariants()["variant:"+place]
	if len(pinned) == 0 {
		return
	}
	var orphans []orphan
	for _, owner := range pinned {
		if !slices.ContainsFunc(in.labels, func(l label) bool { return l.owner == owner }) {
			orphans = append(orphans, newOrphan(owner))
		}
	}
	only := -1 // what the only object has become
	if slices.ContainsFunc(orphans, func(o orphan) bool { return o.owner == onlyObject }) {
		only = in.closest(p.pinnedFields("field:"+place+onlyObject+"/properties/"), pinned)
	}
	for i := range in.labels {
		l := &in.labels[i]
		if slices.Contains(pinned, l.owner) {
			continue
		}
		if len(orphans) == 0 {
			return
		}
		fits := func(o orphan) bool {
			if o.owner == onlyObject {
				return i == only
			}
			return in.mayBe(l, o.set) || o.numbered && in.mayBe(l, o.unnumbered)
		}
		if j := slices.IndexFunc(orphans, fits); j >= 0 {
			l.owner, l.known = orphans[j].owner, true
			clear(in.s.spots) // some were called after the other owner
			orphans = slices.Delete(orphans, j, j+1)
		}
	}
}

// closest returns the index of the object in the union in, called by none of pinned,
// that has these fields and the fewest others, or -1.
func (in *info) closest(fields, pinned []string) int {
	best := -1
	for i, l := range in.labels {
		if l.of == nil || slices.Contains(pinned, l.owner) || !within(fields, l.keys) {
			continue
		}
		if best < 0 || len(l.keys) < len(in.labels[best].keys) {
			best = i
		}
	}
	return best
}

// mayBe reports whether a variant of in that was known by these values or keys
// may be l: it has them all, and others beside.
func (in *info) mayBe(l *label, known []string) bool {
	if slices.ContainsFunc(l.sets, func(set []string) bool { return within(known, set) }) {
		return true
	}
	if slices.ContainsFunc(l.tagged, func(g tagged) bool { return within(known, g.tag.values) }) {
		return true
	}
	// Others had the same keys once, see distinct.
	return l.of != nil && within(known, in.s.keysAndKinds(l.of))
}

// withoutNumber cuts off the number that distinct puts behind equal owners.
func withoutNumber(owner string) string {
	if i := strings.LastIndexByte(owner, ' '); i >= 0 && isIndex(owner[i+1:]) {
		return owner[:i]
	}
	return owner
}

// pinnedVariants returns the pinned labels by the owner of their union, those
// of the largest sets first.
func (p *lowering) pinnedVariants() map[string][]string {
	if p.variants != nil {
		return p.variants
	}
	p.variants = make(map[string][]string)
	for owner := range p.in.Pins {
		if !strings.HasPrefix(owner, "variant:") {
			continue
		}
		parent := parentOf(owner)
		for token := range schema.SplitPointer(owner[len(parent)-1:]) {
			p.variants[parent] = append(p.variants[parent], token)
		}
	}
	for _, labels := range p.variants {
		slices.SortFunc(labels, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(splitSet(b)), len(splitSet(a))), cmp.Compare(a, b))
		})
	}
	return p.variants
}

// pinnedFields returns the quoted keys of the pinned fields of one owner.
func (p *lowering) pinnedFields(parent string) []string {
	if p.pinned == nil {
		p.pinned = make(map[string][]string)
		for owner := range p.in.Pins {
			if !strings.HasPrefix(owner, "field:") {
				continue
			}
			parent := parentOf(owner)
			for key := range schema.SplitPointer(owner[len(parent)-1:]) {
				p.pinned[parent] = append(p.pinned[parent], strconv.Quote(key))
			}
		}
	}
	return p.pinned[parent]
}

// manyPairs is from where on a set is quicker than a look at each pair.
const manyPairs = 1000

// within reports whether all hold some. Neither has an element twice.
func within(some, all []string) bool {
	if len(some) > len(all) {
		return false
	}
	has := func(s string) bool { return slices.Contains(all, s) }
	if len(some)*len(all) > manyPairs && has(some[0]) {
		set := make(map[string]bool, len(all))
		for _, s := range all {
			set[s] = true
		}
		has = func(s string) bool { return set[s] }
	}
	return !slices.ContainsFunc(some, func(s string) bool { return !has(s) })
}

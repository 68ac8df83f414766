package drift

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// shape compares two shapes of one class.
func (c *comparer) shape(o, n *shape, at position) {
	if !c.step() {
		return
	}
	c.restrictions(o, n, at)
	old, now := o.values(), n.values()
	switch {
	case old != nil && now != nil && (c.relation == read || !n.bounded()):
		c.listed(n.v, schema.SetOf(old), schema.SetOf(now))
		return
	case c.relation == read && old != nil:
		c.found(resultEnumWidened, n.pointer(), list(old), "any "+n.kinds.String())
		return
	case c.relation == read && now != nil:
		if slices.ContainsFunc(now, func(x *schema.Value) bool { return !c.admits(o, x, n) }) {
			c.found(resultTypeWidened, n.pointer(), "any "+o.kinds.String(), list(now))
		} else {
			c.found(resultEnumNarrowed, n.pointer(), "any "+o.kinds.String(), list(now))
		}
		return
	case old != nil:
		refused := slices.DeleteFunc(slices.Clone(old), func(x *schema.Value) bool { return c.admits(n, x, o) })
		switch {
		case len(refused) > 0:
			c.found(argumentEnumNarrowed, n.pointer(), list(refused), n.describe())
		case now == nil:
			c.found(argumentEnumWidened, n.pointer(), list(old), "any "+n.kinds.String())
		}
		return
	case now != nil:
		c.found(argumentEnumNarrowed, n.pointer(), "any "+o.kinds.String(), list(now))
		return
	}
	switch o.class {
	case schema.Numbers:
		c.number(o, n)
	case schema.Strings:
		c.text(o, n)
	case schema.Arrays:
		c.array(o, n)
	case schema.Objects:
		c.object(o, n, at)
	}
}

// listed compares two lists of values.
func (c *comparer) listed(n *view, old, now *schema.Set) {
	lost, gained := missing(old, now), missing(now, old)
	worse, better := lost, gained
	narrowed, widened := argumentEnumNarrowed, argumentEnumWidened
	if c.relation == read {
		worse, better = gained, lost
		narrowed, widened = resultEnumWidened, resultEnumNarrowed
	}
	switch {
	case len(worse) > 0:
		c.found(narrowed, n.pointer(), list(lost), list(gained))
	case len(better) > 0:
		c.found(widened, n.pointer(), list(lost), list(gained))
	}
}

// admits reports whether x, one of the values of another shape, is surely valid
// by s, or readable, as the relation has it.
func (c *comparer) admits(s *shape, x *schema.Value, of *shape) bool {
	if schema.KindsOf(x)&s.kinds == 0 {
		return false
	}
	if s.values() != nil && !s.lists(x) {
		return false
	}
	if c.relation != read && len(s.opaque) > 0 {
		return false
	}
	switch s.class {
	case schema.Numbers:
		return c.admitsNumber(s, x)
	case schema.Strings:
		return c.relation == read || admitsText(s, x.Text, of)
	case schema.Arrays, schema.Objects:
		return s.values() != nil || !s.bounded()
	}
	return true
}

func (c *comparer) admitsNumber(s *shape, x *schema.Value) bool {
	low, high, multiples := limits(s.nodes, s.kinds == schema.Integers)
	r := rational(x)
	if r == nil {
		return false
	}
	end := limit{value: r}
	if c.relation == read {
		return s.kinds != schema.Integers || c.options.ExactNumbers || integerTypeOf(low, high).holds(end, end)
	}
	return end.within(low, 1) && end.within(high, -1) && !slices.ContainsFunc(multiples, func(m *big.Rat) bool {
		return !new(big.Rat).Quo(r, m).IsInt()
	})
}

func admitsText(s *shape, text string, of *shape) bool {
	low, high := s.counts("minLength", "maxLength")
	n := utf8.RuneCountInString(text)
	return n >= low && (high < 0 || n <= high) &&
		within(s.texts("pattern"), of.texts("pattern")) && within(s.texts("format"), of.texts("format"))
}

// within reports whether all texts of a are in b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

func (c *comparer) number(o, n *shape) {
	integers := o.kinds == schema.Integers && n.kinds == schema.Integers
	oldLow, oldHigh, oldMultiples := limits(o.nodes, integers)
	nowLow, nowHigh, nowMultiples := limits(n.nodes, integers)
	if c.relation == read && o.kinds == schema.Integers && !c.options.ExactNumbers && (!oldLow.same(nowLow) || !oldHigh.same(nowHigh)) {
		if !integerTypeOf(oldLow, oldHigh).holds(nowLow, nowHigh) {
			c.found(resultRangeWidened, n.pointer(), span(oldLow, oldHigh), span(nowLow, nowHigh))
			return
		}
	}
	if !oldLow.same(nowLow) {
		c.bound(n, oldLow.within(nowLow, 1), "minimum "+oldLow.String(), "minimum "+nowLow.String())
	}
	if !oldHigh.same(nowHigh) {
		c.bound(n, oldHigh.within(nowHigh, -1), "maximum "+oldHigh.String(), "maximum "+nowHigh.String())
	}
	fine := func(m *big.Rat, known []*big.Rat, integers bool) bool {
		return integers && m.IsInt() && m.Num().IsInt64() && m.Num().Int64() == 1 || slices.ContainsFunc(known, func(k *big.Rat) bool {
			return new(big.Rat).Quo(k, m).IsInt()
		})
	}
	tighter := slices.ContainsFunc(nowMultiples, func(m *big.Rat) bool { return !fine(m, oldMultiples, o.kinds == schema.Integers) })
	looser := slices.ContainsFunc(oldMultiples, func(m *big.Rat) bool { return !fine(m, nowMultiples, n.kinds == schema.Integers) })
	if tighter || looser {
		c.bound(n, !tighter, "multipleOf", "multipleOf")
	}
}

func span(low, high limit) string { return "from " + low.String() + " to " + high.String() }

// bound notes a bound that differs; within says that the old range is in the new one.
func (c *comparer) bound(n *shape, within bool, before, after string) {
	code := argumentBoundTightened
	if within {
		code = argumentBoundLoosened
	}
	c.found(c.choose(code, resultConstraintChanged), n.pointer(), before, after)
}

// between compares two bounds on a count, like minLength and maxLength.
func (c *comparer) between(o, n *shape, low, high string) {
	oldLow, oldHigh := o.counts(low, high)
	nowLow, nowHigh := n.counts(low, high)
	c.ends(n, low, high, oldLow, oldHigh, nowLow, nowHigh)
}

// ends compares the bounds on a count, which are called low and high.
func (c *comparer) ends(n *shape, low, high string, oldLow, oldHigh, nowLow, nowHigh int) {
	if oldLow != nowLow {
		c.bound(n, oldLow > nowLow, low+" "+strconv.Itoa(oldLow), low+" "+strconv.Itoa(nowLow))
	}
	if oldHigh != nowHigh {
		text := func(n int) string {
			if n < 0 {
				return ""
			}
			return high + " " + strconv.Itoa(n)
		}
		c.bound(n, nowHigh < 0 || oldHigh >= 0 && oldHigh < nowHigh, text(oldHigh), text(nowHigh))
	}
}

// counts returns the tightest bounds on a count; high is -1 when there is none.
func (s *shape) counts(minimum, maximum string) (low, high int) {
	high = -1
	for _, n := range s.nodes {
		if i, ok := count(n.Value.Get(minimum)); ok {
			low = max(low, i)
		}
		if i, ok := count(n.Value.Get(maximum)); ok && (high < 0 || i < high) {
			high = i
		}
	}
	return low, high
}

// texts returns the strings under a keyword, sorted, each once.
func (s *shape) texts(name string) []string {
	var out []string
	for _, n := range s.nodes {
		if v := n.Value.Get(name); v != nil && v.Kind == schema.String {
			out = append(out, v.Text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *comparer) text(o, n *shape) {
	c.between(o, n, "minLength", "maxLength")
	c.words(n, o.texts("pattern"), n.texts("pattern"),
		c.choose(argumentPatternAdded, resultConstraintChanged), c.choose(argumentPatternRemoved, resultConstraintChanged))
	old, now := o.texts("format"), n.texts("format")
	if c.relation == read && c.options.Times && slices.Contains(old, "date-time") && !slices.Contains(now, "date-time") {
		c.found(resultTimeLost, n.pointer(), join(old), join(now))
		return
	}
	c.words(n, old, now, c.choose(argumentFormatAdded, resultFormatChanged), c.choose(argumentFormatRemoved, resultFormatChanged))
}

// words compares two sets of texts that must all hold.
func (c *comparer) words(n *shape, old, now []string, added, removed Code) {
	switch {
	case !within(now, old):
		c.found(added, n.pointer(), join(old), join(now))
	case len(now) < len(old):
		c.found(removed, n.pointer(), join(old), join(now))
	}
}

func join(texts []string) string { return strings.Join(texts, ", ") }

// bounded reports whether anything but a list of values restricts s.
func (s *shape) bounded() bool {
	for _, n := range s.nodes {
		for _, m := range n.Value.Members {
			if m.Name != "enum" && m.Name != "const" && m.Name != "format" && s.heeds(n, m.Name) {
				return true
			}
		}
	}
	return false
}

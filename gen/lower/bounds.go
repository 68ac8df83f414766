package lower

import (
	"math/big"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A limit is one end of a range of numbers; nil value means none.
type limit struct {
	value *big.Rat
	text  string // as the server spells it
	open  bool   // the end itself is outside
}

// bounds returns the narrowest range that every part of v allows.
func (v *view) bounds() (low, high limit) {
	for _, n := range v.nodes {
		low = tighter(low, v.s.limit(n, "minimum"), 1)
		low = tighter(low, v.s.exclusive(n, "exclusiveMinimum", "minimum"), 1)
		high = tighter(high, v.s.limit(n, "maximum"), -1)
		high = tighter(high, v.s.exclusive(n, "exclusiveMaximum", "maximum"), -1)
	}
	return low, high
}

// tighter returns the narrower of two ends; sign is 1 for lower ends.
func tighter(a, b limit, sign int) limit {
	switch {
	case b.value == nil:
		return a
	case a.value == nil:
		return b
	}
	c := a.value.Cmp(b.value) * sign
	if c < 0 || c == 0 && b.open {
		return b
	}
	return a
}

func (s *side) limit(n schema.Node, keyword string) limit {
	if n.Value.Get(keyword) == nil {
		return limit{}
	}
	c := n.Child(keyword)
	if c.Value.Kind != schema.Number {
		s.malformed(c, keyword+" takes a number")
		return limit{}
	}
	return limit{value: schema.Rational(c.Value.Text), text: c.Value.Text}
}

// exclusive reads exclusiveMinimum and exclusiveMaximum: a number, but in draft-04
// a boolean beside minimum or maximum.
func (s *side) exclusive(n schema.Node, keyword, beside string) limit {
	if n.Value.Get(keyword) == nil {
		return limit{open: true}
	}
	c := n.Child(keyword)
	var l limit
	switch {
	case n.Dialect() != schema.Draft4:
		l = s.limit(n, keyword)
	case c.Value.Kind != schema.Bool:
		s.malformed(c, keyword+" takes a boolean in draft-04")
	case c.Value.Bool:
		l = s.limit(n, beside)
	}
	l.open = true
	return l
}

var (
	minInt64  = schema.Rational("-9223372036854775808")
	maxInt64  = schema.Rational("9223372036854775807")
	maxUint64 = schema.Rational("18446744073709551615")
)

// integerSize chooses between int, uint64 and json.Number for integers in the
// given range. Ends that are not stated do not count: int is what people
// expect, and a value outside is an error, never rounded.
func integerSize(low, high *big.Rat) size {
	below := low != nil && low.Cmp(minInt64) < 0 || high != nil && high.Cmp(minInt64) < 0
	above := high != nil && high.Cmp(maxInt64) > 0 || low != nil && low.Cmp(maxInt64) > 0
	switch {
	case below:
		return sizeNumber
	case !above:
		return sizeInt
	case low != nil && low.Sign() >= 0 && (high == nil || high.Cmp(maxUint64) <= 0) && low.Cmp(maxUint64) <= 0:
		return sizeUint64
	default:
		return sizeNumber
	}
}

// size is a Go type for integers.
type size uint8

const (
	sizeInt size = iota
	sizeUint64
	sizeNumber
)

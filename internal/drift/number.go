package drift

import (
	"math/big"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// rational returns the exact value of v, nil when it is no number or one that is
// not worth it.
func rational(v *schema.Value) *big.Rat {
	if v == nil || v.Kind != schema.Number {
		return nil
	}
	return schema.Rational(v.Text)
}

// count reads a count, like that of minItems. One beyond every list is cut.
func count(v *schema.Value) (int, bool) {
	const beyond = 1 << 40
	r := rational(v)
	if r == nil || !r.IsInt() || r.Sign() < 0 {
		return 0, false
	}
	if n := r.Num(); n.IsInt64() && n.Int64() < beyond {
		return int(n.Int64()), true
	}
	return beyond, true
}

// A limit is one end of a range of numbers. A nil value is none.
type limit struct {
	value *big.Rat
	open  bool // the end itself is outside
}

// within reports whether the range that ends at l is inside of the one that ends
// at other. sign is 1 for lower ends, -1 for upper ones.
func (l limit) within(other limit, sign int) bool {
	switch {
	case other.value == nil:
		return true
	case l.value == nil:
		return false
	}
	c := l.value.Cmp(other.value) * sign
	return c > 0 || c == 0 && (l.open || !other.open)
}

func (l limit) same(other limit) bool { return l.within(other, 1) && other.within(l, 1) }

// String returns the number, with "exclusive" when it is not in the range.
func (l limit) String() string {
	if l.value == nil {
		return ""
	}
	text := l.value.RatString()
	if !l.value.IsInt() {
		f, _ := l.value.Float64()
		text = strconv.FormatFloat(f, 'g', -1, 64)
	}
	if l.open {
		text += " exclusive"
	}
	return text
}

// closed returns the end that integers have: above 0 is from 1 on.
func (l limit) closed(sign int) limit {
	if l.value == nil {
		return l
	}
	whole := new(big.Int).Div(l.value.Num(), l.value.Denom()) // rounded down
	if !l.value.IsInt() && sign > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	if l.value.IsInt() && l.open {
		whole.Add(whole, big.NewInt(int64(sign)))
	}
	return limit{value: new(big.Rat).SetInt(whole)}
}

// limits returns the narrowest range that nodes allow, and all multipleOf.
func limits(nodes []schema.Node, integers bool) (low, high limit, multiples []*big.Rat) {
	for _, n := range nodes {
		low = narrower(low, bound(n, "minimum", "exclusiveMinimum"), 1)
		low = narrower(low, exclusive(n, "exclusiveMinimum"), 1)
		high = narrower(high, bound(n, "maximum", "exclusiveMaximum"), -1)
		high = narrower(high, exclusive(n, "exclusiveMaximum"), -1)
		if m := rational(n.Value.Get("multipleOf")); m != nil && m.Sign() > 0 {
			multiples = append(multiples, m)
		}
	}
	if integers {
		low, high = low.closed(1), high.closed(-1)
	}
	return low, high, multiples
}

func narrower(a, b limit, sign int) limit {
	if b.within(a, sign) {
		return b
	}
	return a
}

// bound reads minimum or maximum, and draft-04's boolean beside it.
func bound(n schema.Node, name, beside string) limit {
	flag := n.Value.Get(beside)
	return limit{rational(n.Value.Get(name)), n.Dialect() == schema.Draft4 && flag != nil && flag.Kind == schema.Bool && flag.Bool}
}

func exclusive(n schema.Node, name string) limit {
	if n.Dialect() == schema.Draft4 {
		return limit{}
	}
	return limit{rational(n.Value.Get(name)), true}
}

var (
	minInt64  = big.NewRat(-1<<63, 1)
	maxInt64  = big.NewRat(1<<63-1, 1)
	maxUint64 = new(big.Rat).SetInt(new(big.Int).SetUint64(1<<64 - 1))
)

// An integerType is the Go type of integers, which follows from their bounds.
type integerType uint8

const (
	goInt integerType = iota
	goUint64
	goNumber // json.Number: any
)

func integerTypeOf(low, high limit) integerType {
	switch {
	case low.value != nil && low.value.Cmp(minInt64) < 0 || high.value != nil && high.value.Cmp(minInt64) < 0:
		return goNumber
	case (high.value == nil || high.value.Cmp(maxInt64) <= 0) && (low.value == nil || low.value.Cmp(maxInt64) <= 0):
		return goInt
	case low.value != nil && low.value.Sign() >= 0 && (high.value == nil || high.value.Cmp(maxUint64) <= 0) && low.value.Cmp(maxUint64) <= 0:
		return goUint64
	default:
		return goNumber
	}
}

// holds reports whether a range of integers fits t. An end that is not stated
// counts as one that fits, except that unsigned numbers must be stated to be so.
func (t integerType) holds(low, high limit) bool {
	switch t {
	case goInt:
		fits := func(l limit) bool {
			return l.value == nil || l.value.Cmp(minInt64) >= 0 && l.value.Cmp(maxInt64) <= 0
		}
		return fits(low) && fits(high)
	case goUint64:
		return low.value != nil && low.value.Sign() >= 0 && (high.value == nil || high.value.Cmp(maxUint64) <= 0)
	default:
		return true
	}
}

package validate

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// A decimal is a JSON number, exactly: digits times ten to the exp. Digits have no
// zeros at either end, and zero has none at all, so that equal numbers are equal
// decimals. Nothing here expands an exponent: 1e1000000000 costs what 1 costs.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

// maxExponent is where exponents end: beyond, they count as this one.
const maxExponent = 1 << 50

// parseDecimal reads a JSON number literal.
func parseDecimal(literal string) decimal {
	var d decimal
	literal, d.neg = strings.CutPrefix(literal, "-")
	mantissa := literal
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		mantissa = literal[:i]
		d.exp = exponent(literal[i+1:])
	}
	if whole, fraction, ok := strings.Cut(mantissa, "."); ok {
		d.exp -= int64(len(fraction))
		mantissa = whole + fraction
	}
	mantissa = strings.TrimLeft(mantissa, "0")
	d.digits = strings.TrimRight(mantissa, "0")
	d.exp += int64(len(mantissa) - len(d.digits))
	if d.digits == "" {
		return decimal{}
	}
	return d
}

func exponent(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > maxExponent || n < -maxExponent {
		if strings.HasPrefix(s, "-") {
			return -maxExponent
		}
		return maxExponent
	}
	return n
}

func (d decimal) integer() bool { return d.exp >= 0 }

// size is the number of digits before the point, 0 or less for fractions.
func (d decimal) size() int64 { return int64(len(d.digits)) + d.exp }

// small is the value of a whole number of at most nine digits.
func (d decimal) small() int {
	n, _ := strconv.Atoi("0" + d.digits + strings.Repeat("0", int(d.exp)))
	return n
}

func (d decimal) compare(o decimal) int {
	sign := func(d decimal) int {
		switch {
		case d.digits == "":
			return 0
		case d.neg:
			return -1
		}
		return 1
	}
	if c := cmp.Compare(sign(d), sign(o)); c != 0 || d.digits == "" {
		return c
	}
	// Digits start at their first nonzero one, so they compare as text once the
	// sizes are equal.
	c := cmp.Or(cmp.Compare(d.size(), o.size()), strings.Compare(d.digits, o.digits))
	if d.neg {
		return -c
	}
	return c
}

// maxDivisible is the number of digits up to which division is done.
const maxDivisible = 2000

// multipleOf reports whether d is a whole multiple of m; known is false for
// numbers too long to divide.
func (d decimal) multipleOf(m decimal) (multiple, known bool) {
	switch {
	case d.digits == "":
		return true, true
	case m.digits == "", len(d.digits) > maxDivisible, len(m.digits) > maxDivisible:
		return false, false
	case d.exp < m.exp: // the digits of d do not end in 0, so no power of ten divides them
		return false, true
	}
	a, _ := new(big.Int).SetString(d.digits, 10)
	b, _ := new(big.Int).SetString(m.digits, 10)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(d.exp-m.exp), b)
	a.Mod(a.Mul(a, scale), b)
	return a.Sign() == 0, true
}

// appendKey appends text that equal numbers have in common.
func (d decimal) appendKey(b []byte) []byte {
	if d.neg {
		b = append(b, '-')
	}
	b = append(append(b, d.digits...), 'e')
	return strconv.AppendInt(b, d.exp, 10)
}

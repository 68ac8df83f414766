package schema

import (
	"math/big"
	"strconv"
	"strings"
)

// maxZeros bounds the zeros that Decimal spells out. Every 64-bit integer comes
// out without an exponent; 1e1000000000 does not come out as a gigabyte.
const maxZeros = 20

// Decimal returns the one exact spelling of a JSON number that mcpbind compares
// and hashes by: no sign on zero, no needless zero, no exponent ("100", "0.25",
// "-3") unless more than 20 zeros would be needed ("1e400", "1.5e-30"). It
// reports false for a text that is no JSON number, and for a number other than
// zero whose exponent has more than 18 digits.
func Decimal(literal string) (string, bool) {
	n, ok := splitNumber(literal)
	if !ok {
		return "", false
	}
	digits := strings.TrimLeft(n.whole+n.fraction, "0")
	stripped := len(n.whole) + len(n.fraction) - len(digits)
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "0", true
	}
	exponent, err := strconv.ParseInt(n.exponent, 10, 64)
	if err != nil || exponent >= 1e18 || exponent <= -1e18 {
		return "", false
	}
	sign := ""
	if n.negative {
		sign = "-"
	}
	// The value is 0.digits times ten to the power of point.
	point := int64(len(n.whole)-stripped) + exponent
	size := int64(len(digits))
	switch {
	case point >= size && point-size <= maxZeros:
		return sign + digits + strings.Repeat("0", int(point-size)), true
	case point > 0 && point < size:
		return sign + digits[:point] + "." + digits[point:], true
	case point <= 0 && -point <= maxZeros:
		return sign + "0." + strings.Repeat("0", int(-point)) + digits, true
	}
	mantissa := digits[:1]
	if size > 1 {
		mantissa += "." + digits[1:]
	}
	return sign + mantissa + "e" + strconv.FormatInt(point-1, 10), true
}

// maxRational bounds the numbers that [Rational] makes: one like 1e1000000 is not
// worth its digits.
const maxRational = 400 // digits, and for exponents 999

// Rational returns the exact value of a number literal for comparing bounds, nil
// for one that is no number, too large or too small.
func Rational(literal string) *big.Rat {
	text, ok := Decimal(literal)
	if !ok || len(text) > maxRational {
		return nil
	}
	if _, exponent, found := strings.Cut(text, "e"); found && len(strings.TrimPrefix(exponent, "-")) > 3 {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// A number is a JSON number literal, cut up. The exponent is never "".
type number struct {
	negative                  bool
	whole, fraction, exponent string
}

func splitNumber(s string) (n number, ok bool) {
	s, n.negative = strings.CutPrefix(s, "-")
	n.exponent = "0"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, n.exponent = s[:i], s[i+1:]
		unsigned := n.exponent
		if unsigned != "" && (unsigned[0] == '+' || unsigned[0] == '-') {
			unsigned = unsigned[1:]
		}
		if !allDigits(unsigned) {
			return number{}, false
		}
	}
	whole, fraction, dotted := strings.Cut(s, ".")
	n.whole, n.fraction = whole, fraction
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || dotted && !allDigits(fraction) {
		return number{}, false
	}
	return n, true
}

// allDigits reports whether s is one decimal digit or more.
func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// numberText is the canonical spelling of a number; one that Decimal refuses
// stays as spelled and equals only itself.
func numberText(literal string) string {
	if d, ok := Decimal(literal); ok {
		return d
	}
	return literal
}

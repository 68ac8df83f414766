package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errFraction = errors.New("a number with a fraction where an integer is expected")
	errNaN      = errors.New("NaN and infinities are no JSON numbers")
	errNumber   = errors.New("a json.Number that is no JSON number")
)

func errRange(t reflect.Type) error {
	return fmt.Errorf("a number outside the range of %s", t.Kind())
}

// number moves past the next value, which must be a number, and returns its literal.
func (d *decoder) number() ([]byte, error) {
	if c := d.peek(); kindOf(c) != kindNumber {
		return nil, errWant("a number", c)
	}
	return d.value(), nil
}

type intCoder struct{}

func (intCoder) decode(d *decoder, v reflect.Value) error {
	negative, n, err := d.integer(v.Type())
	if err != nil {
		return err
	}
	i := int64(n)
	if negative {
		i = -i
	}
	// Of all magnitudes past MaxInt64 only MinInt64's has a place.
	if n > math.MaxInt64 && (!negative || n > 1<<63) || v.OverflowInt(i) {
		return errRange(v.Type())
	}
	v.SetInt(i)
	return nil
}

func (intCoder) encode(e *encoder, v reflect.Value) error {
	e.buf = strconv.AppendInt(e.buf, v.Int(), 10)
	return nil
}

type uintCoder struct{}

func (uintCoder) decode(d *decoder, v reflect.Value) error {
	negative, n, err := d.integer(v.Type())
	if err != nil {
		return err
	}
	if negative && n != 0 || v.OverflowUint(n) {
		return errRange(v.Type())
	}
	v.SetUint(n)
	return nil
}

func (uintCoder) encode(e *encoder, v reflect.Value) error {
	e.buf = strconv.AppendUint(e.buf, v.Uint(), 10)
	return nil
}

type floatCoder struct{}

func (floatCoder) decode(d *decoder, v reflect.Value) error {
	lit, err := d.number()
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(lit), v.Type().Bits())
	if err != nil { // only ever out of range: the literal is valid
		return errRange(v.Type())
	}
	v.SetFloat(f)
	return nil
}

func (floatCoder) encode(e *encoder, v reflect.Value) error {
	return e.float(v.Float(), v.Type().Bits())
}

func (e *encoder) float(f float64, bits int) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errNaN
	}
	e.buf = jsontext.AppendFloat(e.buf, f, bits)
	return nil
}

// numberCoder is for json.Number: the literal as it stands.
type numberCoder struct{}

func (numberCoder) decode(d *decoder, v reflect.Value) error {
	lit, err := d.number()
	if err != nil {
		return err
	}
	v.SetString(string(lit))
	return nil
}

func (numberCoder) encode(e *encoder, v reflect.Value) error {
	return e.number(json.Number(v.String()))
}

func (e *encoder) number(n json.Number) error {
	switch {
	case n == "":
		e.buf = append(e.buf, '0')
	case isNumber(string(n)):
		e.buf = append(e.buf, n...)
	default:
		return errNumber
	}
	return nil
}

// isNumber reports whether s is a number of JSON's grammar.
func isNumber(s string) bool {
	digits := func() bool {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	if s != "" && s[0] == '0' {
		s = s[1:]
	} else if !digits() {
		return false
	}
	if s != "" && s[0] == '.' {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if !digits() {
			return false
		}
	}
	return s == ""
}

// integer moves past the next value, which must be a whole number, and returns its
// sign and magnitude, in time linear in its length whatever its exponent. t is the
// type to name in an error.
func (d *decoder) integer(t reflect.Type) (negative bool, n uint64, err error) {
	lit, err := d.number()
	if err != nil {
		return false, 0, err
	}
	if negative, n, ok := short(lit); ok {
		return negative, n, nil
	}
	var digits [32]byte
	dec := parseDecimal(digits[:0], lit)
	switch {
	case len(dec.digits) == 0:
		return false, 0, nil
	case dec.exp < 0:
		return false, 0, errFraction
	case len(dec.digits)+dec.exp > 20: // MaxUint64 has 20 digits
		return false, 0, errRange(t)
	}
	for i := range len(dec.digits) + dec.exp {
		digit := uint64(0)
		if i < len(dec.digits) {
			digit = uint64(dec.digits[i] - '0')
		}
		if n > (math.MaxUint64-digit)/10 {
			return false, 0, errRange(t)
		}
		n = n*10 + digit
	}
	return dec.negative, n, nil
}

// short parses the common case: up to 18 digits and nothing else.
func short(lit []byte) (negative bool, n uint64, ok bool) {
	if lit[0] == '-' {
		negative, lit = true, lit[1:]
	}
	if len(lit) > 18 {
		return false, 0, false
	}
	for _, c := range lit {
		if c < '0' || c > '9' {
			return false, 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return negative, n, true
}

// A decimal is a number in its one shortest form: digits times ten to the exp,
// digits without zeros at either end, none for zero.
type decimal struct {
	negative bool
	digits   []byte
	exp      int
}

// maxExponent is where exponents are cut off: beyond the length of any literal.
const maxExponent = 1 << 40

// parseDecimal reads a valid number literal; digits are appended to buf.
func parseDecimal(buf, lit []byte) decimal {
	dec := decimal{digits: buf}
	point := false
	for i, c := range lit {
		switch c {
		case '-':
			dec.negative = true
		case '.':
			point = true
		case 'e', 'E':
			dec.exp += parseExponent(lit[i+1:])
			return dec.trim()
		default:
			if len(dec.digits) > 0 || c != '0' {
				dec.digits = append(dec.digits, c)
			}
			if point {
				dec.exp--
			}
		}
	}
	return dec.trim()
}

func parseExponent(lit []byte) int {
	n, sign := 0, 1
	for _, c := range lit {
		switch c {
		case '+':
		case '-':
			sign = -1
		default:
			if n < maxExponent {
				n = n*10 + int(c-'0')
			}
		}
	}
	return sign * n
}

func (dec decimal) trim() decimal {
	n := len(dec.digits)
	for n > 0 && dec.digits[n-1] == '0' {
		n--
		dec.exp++
	}
	dec.digits = dec.digits[:n]
	if n == 0 {
		return decimal{}
	}
	return dec
}

// String returns a text that two decimals share exactly when they are equal.
func (dec decimal) String() string {
	sign := ""
	if dec.negative {
		sign = "-"
	}
	return sign + string(dec.digits) + "e" + strconv.Itoa(dec.exp)
}

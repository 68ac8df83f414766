package validate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// toRE2 writes an ECMA-262 pattern, read with the u flag, as an RE2 pattern that
// matches exactly the same texts; size is about the number of states it takes.
// ok is false for what RE2 cannot do (look-around, back references) and for
// anything unusual: another engine reads that.
func toRE2(source string) (text string, size int, ok bool) {
	t := &translator{rest: source}
	size, ok = t.alternatives(0)
	if !ok || t.rest != "" {
		return "", 0, false
	}
	return t.out.String(), size, true
}

const (
	maxGroups    = 50 // nesting of groups
	propertySize = 40 // states that the table of a Unicode property is worth
)

type translator struct {
	rest string
	out  strings.Builder
}

// Classes of ECMA-262 in RE2's notation, to stand inside brackets.
const (
	spaces    = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notSpaces = `\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	anyRune  = `[\x00-\x{10ffff}]`
	noRune   = `[^\x00-\x{10ffff}]`
	lineRune = `[^\n\r\x{2028}\x{2029}]` // what . matches
)

func (t *translator) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(t.rest, prefix)
	t.rest = rest
	return ok
}

func (t *translator) next() rune {
	r, n := utf8.DecodeRuneInString(t.rest)
	t.rest = t.rest[n:]
	return r
}

// alternatives reads up to the end or the closing parenthesis of the group.
func (t *translator) alternatives(depth int) (size int, ok bool) {
	if depth > maxGroups {
		return 0, false
	}
	for t.rest != "" && t.rest[0] != ')' {
		if t.accept("|") {
			t.out.WriteByte('|')
			size++
			continue
		}
		n, quantifiable, ok := t.atom(depth)
		if !ok {
			return 0, false
		}
		factor, ok := t.quantifier(quantifiable)
		if !ok {
			return 0, false
		}
		if size += n*factor + 1; size > maxPatternStates {
			return 0, false
		}
	}
	return size, true
}

func (t *translator) atom(depth int) (size int, quantifiable, ok bool) {
	switch r := t.next(); r {
	case '^', '$':
		t.out.WriteRune(r) // without the m flag both mean the ends of the text
		return 1, false, true
	case '.':
		t.out.WriteString(lineRune)
		return 1, true, true
	case '(':
		if strings.HasPrefix(t.rest, "?") && !t.accept("?:") {
			return 0, false, false
		}
		t.out.WriteString("(?:")
		size, ok := t.alternatives(depth + 1)
		if !ok || !t.accept(")") {
			return 0, false, false
		}
		t.out.WriteByte(')')
		return size + 1, true, true
	case '[':
		ok := t.class()
		return 2, true, ok
	case '\\':
		return t.escapedAtom()
	case '*', '+', '?', '{', '}', ']', ')', utf8.RuneError:
		return 0, false, false
	default:
		t.literal(r)
		return 1, true, true
	}
}

// escapedAtom reads an atom after its backslash.
func (t *translator) escapedAtom() (size int, quantifiable, ok bool) {
	for _, boundary := range []string{"b", "B"} { // of ASCII words in both
		if t.accept(boundary) {
			t.out.WriteString(`\` + boundary)
			return 1, false, true
		}
	}
	set, literal, ok := t.escape()
	switch {
	case !ok:
		return 0, false, false
	case set == "":
		t.literal(literal)
		return 1, true, true
	}
	t.out.WriteString("[" + set + "]")
	if strings.HasSuffix(set, "}") {
		return propertySize, true, true
	}
	return 2, true, true
}

// quantifier copies one quantifier; factor is how often RE2 writes the atom out.
func (t *translator) quantifier(quantifiable bool) (factor int, ok bool) {
	if t.rest == "" || !strings.ContainsRune("*+?{", rune(t.rest[0])) {
		return 1, true
	}
	if !quantifiable {
		return 0, false
	}
	factor = 1
	if t.accept("{") {
		inner, rest, found := strings.Cut(t.rest, "}")
		least, most, ranged := strings.Cut(inner, ",")
		if !found || !digits(least) || ranged && most != "" && !digits(most) {
			return 0, false
		}
		t.rest = rest
		t.out.WriteString("{" + inner + "}")
		low, _ := strconv.Atoi(least)
		high, _ := strconv.Atoi(most)
		factor = max(low, high, 1)
	} else {
		t.out.WriteRune(t.next())
	}
	if t.accept("?") { // lazy: the same texts match
		t.out.WriteByte('?')
	}
	return factor, true
}

func digits(s string) bool {
	return s != "" && len(s) <= 4 && strings.Trim(s, "0123456789") == ""
}

// class reads a bracketed class after its opening bracket.
func (t *translator) class() bool {
	negated := t.accept("^")
	if t.accept("]") {
		t.out.WriteString(map[bool]string{true: anyRune, false: noRune}[negated])
		return true
	}
	t.out.WriteByte('[')
	if negated {
		t.out.WriteByte('^')
	}
	for !t.accept("]") {
		if t.rest == "" || !t.classRange() {
			return false
		}
	}
	t.out.WriteByte(']')
	return true
}

// classRange reads one member of a class, or two with a dash between them.
func (t *translator) classRange() bool {
	set, low, ok := t.classAtom()
	if !ok {
		return false
	}
	if set != "" {
		t.out.WriteString(set)
		// A dash after a set is an error with the u flag, unless it ends the class.
		return !strings.HasPrefix(t.rest, "-") || strings.HasPrefix(t.rest, "-]")
	}
	t.hex(low)
	if !strings.HasPrefix(t.rest, "-") || strings.HasPrefix(t.rest, "-]") {
		return true
	}
	t.accept("-")
	set, high, ok := t.classAtom()
	if !ok || set != "" || high < low {
		return false
	}
	t.out.WriteByte('-')
	t.hex(high)
	return true
}

func (t *translator) classAtom() (set string, r rune, ok bool) {
	switch r := t.next(); r {
	case '\\':
		switch {
		case t.accept("b"):
			return "", '\b', true
		case t.accept("-"):
			return "", '-', true
		}
		return t.escape()
	case utf8.RuneError:
		return "", 0, false
	default:
		return "", r, true
	}
}

// escape reads an escape after its backslash: a set, to stand inside brackets, or
// one rune.
func (t *translator) escape() (set string, r rune, ok bool) {
	switch r := t.next(); r {
	case 'd', 'D', 'w', 'W':
		return `\` + string(r), 0, true // ASCII in both
	case 's':
		return spaces, 0, true
	case 'S':
		return notSpaces, 0, true
	case 'p', 'P':
		set, ok := t.property()
		return `\` + string(r) + set, 0, ok
	case 't':
		return "", '\t', true
	case 'n':
		return "", '\n', true
	case 'v':
		return "", '\v', true
	case 'f':
		return "", '\f', true
	case 'r':
		return "", '\r', true
	case 'x':
		r, ok := t.hexDigits(2)
		return "", r, ok
	case 'u':
		r, ok := t.unicode()
		return "", r, ok
	case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
		return "", r, true
	case '-', '_', '@', '#', '%', '&', ',', ':', ';', '<', '=', '>', '!', '"', '\'', '`', '~', ' ':
		return "", r, true // not with the u flag, but common, and with one meaning
	}
	return "", 0, false
}

// unicode reads \uXXXX, a surrogate pair of them, or \u{X...}, after the u.
func (t *translator) unicode() (rune, bool) {
	if t.accept("{") {
		inner, rest, ok := strings.Cut(t.rest, "}")
		n, err := strconv.ParseUint(inner, 16, 32)
		t.rest = rest
		return rune(n), ok && err == nil && n <= unicode.MaxRune && utf8.ValidRune(rune(n))
	}
	r, ok := t.hexDigits(4)
	if ok && 0xd800 <= r && r < 0xdc00 && t.accept(`\u`) {
		low, ok := t.hexDigits(4)
		return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, ok && 0xdc00 <= low && low < 0xe000
	}
	return r, ok && utf8.ValidRune(r) // no text here holds half a pair
}

func (t *translator) hexDigits(n int) (rune, bool) {
	if len(t.rest) < n {
		return 0, false
	}
	v, err := strconv.ParseUint(t.rest[:n], 16, 32)
	t.rest = t.rest[n:]
	return rune(v), err == nil
}

// property reads {Name} after \p: a general category by its short name, or a
// script. The rest goes to the engine that knows every property.
func (t *translator) property() (string, bool) {
	if !t.accept("{") {
		return "", false
	}
	name, rest, ok := strings.Cut(t.rest, "}")
	t.rest = rest
	if _, category := unicode.Categories[name]; ok && category && len(name) <= 2 {
		return "{" + name + "}", true
	}
	script, isScript := strings.CutPrefix(name, "Script=")
	if _, known := unicode.Scripts[script]; ok && isScript && known {
		return "{" + script + "}", true
	}
	return "", false
}

func (t *translator) literal(r rune) {
	if r < utf8.RuneSelf && !isAlphanumeric(r) {
		t.hex(r)
		return
	}
	t.out.WriteRune(r)
}

// hex writes a rune so that it stands for itself wherever it stands.
func (t *translator) hex(r rune) { fmt.Fprintf(&t.out, `\x{%x}`, r) }

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

package validate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// Bounds of what a message quotes.
const (
	maxQuoted = 80 // bytes of one text
	maxListed = 12 // elements of a list
)

func quoteText(s string) string { return `"` + line(s) + `"` }
func quoteName(s string) string { return quoteText(s) }

// line is as much of s as a message quotes. What comes far behind that is not read.
func line(s string) string { return safetext.LineN(s[:min(len(s), 16*maxQuoted)], maxQuoted) }

// quoteValue quotes a value of the schema as JSON, at the price of writing all of it.
func (e *evaluation) quoteValue(v *schema.Value) string {
	e.spend(1 + weight(v)/4)
	return line(v.JSON())
}

// quoteValues quotes those that a list may have room for; more is how many there are besides.
func (e *evaluation) quoteValues(literals []*literal) (texts []string, more int) {
	quoted := min(len(literals), maxListed+1)
	for _, l := range literals[:quoted] {
		texts = append(texts, e.quoteValue(l.value))
	}
	return texts, len(literals) - quoted
}

// list joins phrases and the number of further ones, no more than fit a line: "a, b or c".
func list(phrases []string, more int, or string) string {
	if more > 0 || len(phrases) > maxListed+1 {
		shown := phrases[:min(len(phrases), maxListed)]
		return fmt.Sprintf("%s%s%d more", strings.Join(shown, ", "), or, len(phrases)-len(shown)+more)
	}
	last := len(phrases) - 1
	if last < 1 {
		return strings.Join(phrases, "")
	}
	return strings.Join(phrases[:last], ", ") + or + phrases[last]
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// phrases names the types, with number covering integer.
func (t typeSet) phrases() []string {
	if t&typeNumber != 0 {
		t &^= typeInteger
	}
	var phrases []string
	for _, name := range []struct {
		t      typeSet
		phrase string
	}{
		{typeString, "a string"}, {typeInteger, "an integer"}, {typeNumber, "a number"}, {typeBoolean, "a boolean"},
		{typeArray, "an array"}, {typeObject, "an object"}, {typeNull, "null"},
	} {
		if t&name.t != 0 {
			phrases = append(phrases, name.phrase)
		}
	}
	return phrases
}

func kindPhrase(v *schema.Value, wanted typeSet) string {
	switch {
	case v.Kind != schema.Number:
		return typesOf(v).phrases()[0]
	case wanted&typeInteger != 0: // so it is no whole number
		return "a number with a fraction"
	}
	return "a number"
}

func unexpectedProperty(known []string) string {
	if len(known) == 0 {
		return "unexpected property"
	}
	quoted := min(len(known), maxListed+1)
	var names []string
	for _, name := range known[:quoted] {
		names = append(names, quoteName(name))
	}
	return "unexpected property; the schema has " + list(names, len(known)-quoted, " and ")
}

// forbidden says what a schema under not rules out, where one keyword does.
func (e *evaluation) forbidden(n *node) string {
	const other = `matches the schema under "not", which it must not`
	if n.refs != nil || n.allOf != nil || n.anyOf != nil || n.oneOf != nil || n.not != nil || n.cond != nil ||
		n.array != nil || n.text != nil || n.number != nil || n.format != nil {
		return other
	}
	switch {
	case n.object != nil && len(n.object.required) == 1 && n.object.properties == nil:
		return "must not have the property " + quoteName(n.object.required[0])
	case n.object != nil:
		return other
	case n.enum != nil:
		texts, more := e.quoteValues(n.enum.literals)
		return "must not be " + list(texts, more, " or ")
	case n.constant != nil:
		return "must not be " + e.quoteValue(n.constant.value)
	case n.types != 0:
		return "must not be " + list(n.types.phrases(), 0, " or ")
	}
	return other
}

func limit(inclusive, exclusive string, isExclusive bool, d decimal) string {
	if isExclusive {
		inclusive = exclusive
	}
	return "must be " + inclusive + " " + d.String()
}

// maxPlain is the number of digits up to which a number is written out.
const maxPlain = 21

// String writes d as JSON, without an exponent where that is short.
func (d decimal) String() string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	switch size := d.size(); {
	case d.digits == "":
		return "0"
	case d.exp >= 0 && size <= maxPlain:
		return sign + d.digits + strings.Repeat("0", int(d.exp))
	case d.exp < 0 && size > 0:
		return sign + line(line(d.digits[:size])+"."+line(d.digits[size:]))
	case d.exp < 0 && size > -6:
		return sign + line("0."+strings.Repeat("0", int(-size))+line(d.digits))
	}
	return sign + line(d.digits) + "e" + strconv.FormatInt(d.exp, 10)
}

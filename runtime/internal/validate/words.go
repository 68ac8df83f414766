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

func quoteText(s string) string { return `"` + safetext.LineN(s, maxQuoted) + `"` }
func quoteName(s string) string { return quoteText(s) }

// quoteValue quotes a value of the schema as JSON.
func quoteValue(v *schema.Value) string { return safetext.LineN(v.JSON(), maxQuoted) }

func quoteValues(literals []*literal) []string {
	var texts []string
	for _, l := range literals[:min(len(literals), maxListed+1)] {
		texts = append(texts, quoteValue(l.value))
	}
	for range literals[len(texts):] {
		texts = append(texts, "")
	}
	return texts
}

// list joins phrases, no more than fit a line: "a, b or c".
func list(phrases []string, or string) string {
	switch more := len(phrases) - maxListed; {
	case more > 1:
		return fmt.Sprintf("%s%s%d more", strings.Join(phrases[:maxListed], ", "), or, more)
	case len(phrases) < 2:
		return strings.Join(phrases, "")
	}
	last := len(phrases) - 1
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
	var names []string
	for _, name := range known[:min(len(known), maxListed+2)] {
		names = append(names, quoteName(name))
	}
	for range known[len(names):] {
		names = append(names, "")
	}
	return "unexpected property; the schema has " + list(names, " and ")
}

// forbidden says what a schema under not rules out, where one keyword does.
func forbidden(n *node) string {
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
		return "must not be " + list(quoteValues(n.enum.literals), " or ")
	case n.constant != nil:
		return "must not be " + quoteValue(n.constant.value)
	case n.types != 0:
		return "must not be " + list(n.types.phrases(), " or ")
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
		return sign + safetext.LineN(d.digits[:size]+"."+d.digits[size:], maxQuoted)
	case d.exp < 0 && size > -6:
		return sign + safetext.LineN("0."+strings.Repeat("0", int(-size))+d.digits, maxQuoted)
	}
	return sign + safetext.LineN(d.digits, maxQuoted) + "e" + strconv.FormatInt(d.exp, 10)
}

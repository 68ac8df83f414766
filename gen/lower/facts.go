package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// facts returns sentences about what the schema says of values of some kinds,
// beside type and prose.
func (v *view) facts(of schema.Kinds) []string {
	return append(v.limits(of), remarks(slices.Concat(v.chain, v.nodes), of)...)
}

// limits returns what values of some kinds have to be like. What is said of other
// kinds, such as the length of a number, limits nothing.
func (v *view) limits(of schema.Kinds) []string {
	nodes := v.holding()
	var out []string
	add := func(format, fact string) { out = append(out, fmt.Sprintf(format, fact)) }
	count := func(minimum, maximum, one, many string) {
		low, high := v.length(minimum, maximum)
		out = append(out, counted(low, high, one, many)...)
	}
	k := v.kinds() & of &^ schema.Nulls
	if low, high := v.bounds(); k&schema.Numbers != 0 {
		out = append(out, rangeOf(low, high)...)
		if m := first(nodes, "multipleOf", schema.Number); m != nil {
			add("A multiple of %s.", m.Text)
		}
	}
	if k&schema.Strings != 0 {
		count("minLength", "maxLength", "character", "characters")
		if p := firstText(nodes, "pattern"); p != "" {
			add("Matches %s.", quoted(p))
		}
	}
	if f := firstText(nodes, "format"); f != "" && k&(schema.Strings|schema.Numbers) != 0 {
		add("Format: %s.", f)
	}
	if k&schema.Strings != 0 {
		if e := firstText(nodes, "contentEncoding"); e != "" {
			add("Encoded as %s.", e)
		}
		if m := firstText(nodes, "contentMediaType"); m != "" {
			add("Media type: %s.", m)
		}
	}
	if k&schema.Arrays != 0 {
		count("minItems", "maxItems", "item", "items")
		if isTrue(nodes, "uniqueItems") {
			out = append(out, "No item occurs twice.")
		}
	}
	if k&schema.Objects != 0 {
		count("minProperties", "maxProperties", "key", "keys")
	}
	return out
}

// maxListed is how many values a fact lists.
const maxListed = 10

// lists returns which values of some kinds v lists, for types that have no
// constants for them: where some values are listed and others allowed, where they are
// lists or objects, or one of the booleans.
func (v *view) lists(of schema.Kinds) []string {
	leaves, _ := v.leaves()
	var set schema.Set
	every := true
	for _, l := range leaves {
		k := l.kinds() & of &^ schema.Nulls
		e := l.enum()
		switch {
		case k == 0:
		case e == nil:
			every = false
		default:
			for _, x := range e.values {
				if schema.KindsOf(x)&k != 0 {
					set.Add(x)
				}
			}
		}
	}
	values := set.Values()
	if len(values) == 0 || len(values) == 2 && values[0].Kind == schema.Bool && values[1].Kind == schema.Bool {
		return nil
	}
	list := make([]string, 0, maxListed)
	for _, x := range values[:min(maxListed, len(values))] {
		list = append(list, quotedJSON(x))
	}
	text := strings.Join(list, ", ")
	if more := len(values) - len(list); more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	switch {
	case !every && text == `""`:
		return []string{"May be empty."}
	case !every:
		return []string{"Known values: " + text + "."}
	case len(values) == 1:
		return []string{"Always " + text + "."}
	}
	return []string{"One of " + text + "."}
}

// remarks returns what is worth knowing of values of some kinds and limits nothing.
func remarks(nodes []schema.Node, of schema.Kinds) []string {
	var out []string
	for _, n := range nodes {
		if d := n.Value.Get("default"); d != nil && schema.KindsOf(d)&of != 0 {
			out = append(out, "The server's default is "+quotedJSON(d)+".")
			break
		}
	}
	out = append(out, examples(nodes, of)...)
	for _, flag := range []struct{ keyword, fact string }{
		{"readOnly", "The server sets it."},
		{"writeOnly", "It is never sent back."},
		{"deprecated", "Deprecated by the server."},
	} {
		if isTrue(nodes, flag.keyword) {
			out = append(out, flag.fact)
		}
	}
	return out
}

func isTrue(nodes []schema.Node, keyword string) bool {
	v := first(nodes, keyword, schema.Bool)
	return v != nil && v.Bool
}

// maxSafeInteger is the largest number up to which float64 has every integer.
const maxSafeInteger = "9007199254740991"

// rangeOf says what numbers are allowed. The bounds that zod gives every
// integer, those of [maxSafeInteger], say nothing to a reader.
func rangeOf(low, high limit) []string {
	for _, l := range []*limit{&low, &high} {
		if strings.TrimPrefix(l.text, "-") == maxSafeInteger {
			*l = limit{}
		}
	}
	switch {
	case low.value == nil && high.value == nil:
		return nil
	case high.value == nil && low.open:
		return []string{"More than " + low.text + "."}
	case high.value == nil:
		return []string{"At least " + low.text + "."}
	case low.value == nil && high.open:
		return []string{"Less than " + high.text + "."}
	case low.value == nil:
		return []string{"At most " + high.text + "."}
	case low.open && high.open:
		return []string{"More than " + low.text + " and less than " + high.text + "."}
	case low.open:
		return []string{"More than " + low.text + ", at most " + high.text + "."}
	case high.open:
		return []string{"From " + low.text + " to less than " + high.text + "."}
	}
	return []string{"From " + low.text + " to " + high.text + "."}
}

func counted(low, high int, one, many string) []string {
	unit := func(n int) string {
		if n == 1 {
			return "1 " + one
		}
		return strconv.Itoa(n) + " " + many
	}
	switch {
	case low <= 0 && high < 0:
		return nil
	case high < 0:
		return []string{"At least " + unit(low) + "."}
	case low <= 0:
		return []string{"At most " + unit(high) + "."}
	case low == high:
		return []string{"Exactly " + unit(low) + "."}
	}
	return []string{"From " + strconv.Itoa(low) + " to " + unit(high) + "."}
}

func quoted(s string) string {
	if len(s) > maxQuote {
		s = strings.ToValidUTF8(s[:maxQuote], "") + "..."
	}
	if !strings.ContainsAny(s, "`") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

func quotedJSON(v *schema.Value) string {
	s := v.JSON()
	if len(s) > maxQuote {
		s = strings.ToValidUTF8(s[:maxQuote], "") + "..."
	}
	return s
}

// examples returns a sentence with the first three examples of some kinds.
func examples(nodes []schema.Node, of schema.Kinds) []string {
	for _, n := range nodes {
		list := n.Value.Get("examples")
		if list == nil || list.Kind != schema.Array {
			continue
		}
		var out []string
		for _, x := range list.Items {
			if schema.KindsOf(x)&of != 0 && len(out) < 3 {
				out = append(out, quotedJSON(x))
			}
		}
		if len(out) == 0 {
			continue
		}
		word := "Examples: "
		if len(out) == 1 {
			word = "Example: "
		}
		return []string{word + strings.Join(out, ", ") + "."}
	}
	return nil
}

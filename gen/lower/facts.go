package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// facts returns sentences about what the schema says beside type and prose.
func (v *view) facts() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	nodes := slices.Concat(v.chain, v.nodes)
	k := v.kinds() &^ schema.Nulls
	if low, high := v.bounds(); k&schema.Numbers != 0 {
		out = append(out, rangeOf(low, high)...)
	}
	for _, n := range nodes {
		if m := n.Value.Get("multipleOf"); m != nil && m.Kind == schema.Number {
			add("A multiple of %s.", m.Text)
			break
		}
	}
	if k&schema.Strings != 0 {
		low, high := v.length("minLength", "maxLength")
		out = append(out, counted(low, high, "character", "characters")...)
		if p := firstText(nodes, "pattern"); p != "" {
			add("Matches %s.", quoted(p))
		}
	}
	if f := firstText(nodes, "format"); f != "" && k&(schema.Strings|schema.Numbers) != 0 {
		add("Format: %s.", f)
	}
	if e := firstText(nodes, "contentEncoding"); e != "" {
		add("Encoded as %s.", e)
	}
	if m := firstText(nodes, "contentMediaType"); m != "" {
		add("Media type: %s.", m)
	}
	if k&schema.Arrays != 0 {
		low, high := v.length("minItems", "maxItems")
		out = append(out, counted(low, high, "item", "items")...)
		if truthy(nodes, "uniqueItems") {
			add("No item occurs twice.")
		}
	}
	if k&schema.Objects != 0 {
		low, high := v.length("minProperties", "maxProperties")
		out = append(out, counted(low, high, "key", "keys")...)
	}
	for _, n := range nodes {
		if d := n.Value.Get("default"); d != nil {
			add("The server's default is %s.", quotedJSON(d))
			break
		}
	}
	out = append(out, examples(nodes)...)
	if truthy(nodes, "readOnly") {
		add("The server sets it.")
	}
	if truthy(nodes, "writeOnly") {
		add("It is never sent back.")
	}
	if truthy(nodes, "deprecated") {
		add("Deprecated by the server.")
	}
	return out
}

func truthy(nodes []schema.Node, keyword string) bool {
	for _, n := range nodes {
		if v := n.Value.Get(keyword); v != nil && v.Kind == schema.Bool {
			return v.Bool
		}
	}
	return false
}

// rangeOf says what numbers are allowed. The bounds that zod gives every
// integer, those of exact float64, say nothing to a reader.
func rangeOf(low, high limit) []string {
	for _, l := range []*limit{&low, &high} {
		if t := strings.TrimPrefix(l.text, "-"); t == "9007199254740991" {
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

// examples returns a sentence with the first three examples.
func examples(nodes []schema.Node) []string {
	for _, n := range nodes {
		list := n.Value.Get("examples")
		if list == nil || list.Kind != schema.Array || len(list.Items) == 0 {
			continue
		}
		var out []string
		for _, x := range list.Items[:min(3, len(list.Items))] {
			out = append(out, quotedJSON(x))
		}
		word := "Examples: "
		if len(out) == 1 {
			word = "Example: "
		}
		return []string{word + strings.Join(out, ", ") + "."}
	}
	return nil
}

package drift

import (
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// missing returns the values of s that other does not have.
func missing(s, other *schema.Set) []*schema.Value {
	var out []*schema.Value
	for _, v := range s.Values() {
		if !other.Has(v) {
			out = append(out, v)
		}
	}
	return out
}

// list shows values as JSON, cut to what a line holds.
func list(values []*schema.Value) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > 4*maxText {
			b.WriteString("…")
			break
		}
		b.WriteString(v.JSON())
	}
	return b.String()
}

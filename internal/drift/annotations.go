package drift

import (
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// hints are what annotations may promise. The pessimistic value is what the
// specification makes of an absent one.
var hints = []struct {
	name      string
	dangerous bool // also the default
	code      Code
	writes    bool // has a meaning only for tools that are not read-only
}{
	{"readOnlyHint", false, readOnlyLost, false},
	{"destructiveHint", true, destructiveGained, true},
	{"idempotentHint", false, idempotentLost, true},
	{"openWorldHint", true, openWorldGained, false},
}

// compareTool compares what a tool says beside its schemas.
func compareTool(before, after Tool) []Change {
	old, now := value(before.Annotations), value(after.Annotations)
	return slices.Concat(compareHints(old, now), compareWords(before, after, old, now), compareExecution(before, after))
}

func compareHints(old, now *schema.Value) []Change {
	var out []Change
	for _, h := range hints {
		was, is := hint(old, h.name, h.dangerous), hint(now, h.name, h.dangerous)
		// A tool that was read-only promised nothing else that counts.
		moot := h.writes && (hint(now, "readOnlyHint", false) || hint(old, "readOnlyHint", false) && is == h.dangerous)
		if was == is || moot {
			continue
		}
		code := hintSafer
		if is == h.dangerous {
			code = h.code
		}
		out = append(out, newChange(code, "/annotations/"+h.name, strconv.FormatBool(was), strconv.FormatBool(is)))
	}
	return out
}

// compareWords compares what a tool, and its annotations old and now, say to people.
func compareWords(before, after Tool, old, now *schema.Value) []Change {
	var out []Change
	if before.Title != after.Title {
		out = append(out, newChange(descriptionChanged, "/title", before.Title, after.Title))
	}
	if before.Description != after.Description {
		a, b := differing(before.Description, after.Description)
		out = append(out, newChange(descriptionChanged, "/description", a, b))
	}
	if a, b := member(old, "title"), member(now, "title"); a != b {
		out = append(out, newChange(descriptionChanged, "/annotations/title", a, b))
	}
	return out
}

func compareExecution(before, after Tool) []Change {
	a, b := member(value(before.Execution), "taskSupport"), member(value(after.Execution), "taskSupport")
	switch {
	case a == b:
		return nil
	case b == "required":
		return []Change{newChange(taskRequired, "/execution/taskSupport", a, b)}
	default:
		return []Change{newChange(executionChanged, "/execution/taskSupport", a, b)}
	}
}

// value reads JSON; nil when there is none or it is not readable.
func value(raw []byte) *schema.Value {
	if len(raw) == 0 || len(raw) > maxBytes {
		return nil
	}
	v, err := schema.Parse(raw)
	if err != nil {
		return nil
	}
	return v
}

func hint(annotations *schema.Value, name string, preset bool) bool {
	if v := annotations.Get(name); v != nil && v.Kind == schema.Bool {
		return v.Bool
	}
	return preset
}

func member(v *schema.Value, name string) string {
	if m := v.Get(name); m != nil && m.Kind == schema.String {
		return m.Text
	}
	return ""
}

// differing cuts what two texts begin with in common, so that what is quoted of
// them shows how they differ.
func differing(a, b string) (string, string) {
	const keep = 20 // bytes of what is common
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n <= maxText/2 {
		return a, b
	}
	n -= keep
	for n > 0 && n < len(a) && a[n]&0xc0 == 0x80 {
		n--
	}
	return "…" + a[n:], "…" + b[n:]
}

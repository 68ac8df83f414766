package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/compare"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/drift"
)

// place says what the texts of an example are.
type place string

const (
	ofTool     place = "tool"             // members of the tool
	ofArgument place = "argument `a`"     // the schema of one argument
	ofResult   place = "result field `a`" // of one field of the result
	ofInput    place = "the arguments"    // the whole inputSchema
	ofOutput   place = "the result"       // the whole outputSchema
	withTimes  place = "field `a`, as time.Time"
	validated  place = "field `a`, validated"
)

// An example shows one rule. It is run, and printed in docs/drift.md.
type example struct {
	code          drift.Code
	place         place
	before, after string
}

var examples = []example{
	{"tool-removed", ofTool, `{"name": "t"}`, ``},
	{"tool-added", ofTool, ``, `{"name": "t"}`},
	{"read-only-lost", ofTool, `"annotations": {"readOnlyHint": true}`, ``},
	{"destructive-gained", ofTool, `"annotations": {"destructiveHint": false}`, ``},
	{"idempotent-lost", ofTool, `"annotations": {"idempotentHint": true}`, ``},
	{"open-world-gained", ofTool, `"annotations": {"openWorldHint": false}`, ``},
	{"hint-safer", ofTool, ``, `"annotations": {"readOnlyHint": true}`},
	{"task-required", ofTool, ``, `"execution": {"taskSupport": "required"}`},
	{"execution-changed", ofTool, ``, `"execution": {"taskSupport": "optional"}`},
	{"description-changed", ofTool, `"description": "Finds."`, `"description": "Seeks."`},
	{"default-changed", ofArgument, `{"type": "integer", "default": 10}`, `{"type": "integer", "default": 20}`},
	{"keyword-changed", ofArgument, `{"type": "string"}`, `{"type": "string", "deprecated": true}`},
	{"schema-unreadable", ofInput, `{"type": "object"}`, `{"$schema": "https://example.com/mine"}`},
	{"schema-too-complex", ofArgument, `{}`, `{"allOf": [` + strings.TrimSuffix(strings.Repeat(`{"anyOf": [{"minLength": 1}, {"minLength": 2}, {"maxLength": 3}]}, `, 5), ", ") + `]}`},

	{"argument-required-added", ofInput, `{"properties": {}}`, `{"properties": {"a": {}}, "required": ["a"]}`},
	{"argument-added", ofInput, `{"properties": {}}`, `{"properties": {"a": {}}}`},
	{"argument-extra-clash", ofInput, `{"additionalProperties": {"type": "string"}}`, `{"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}`},
	{"argument-removed", ofInput, `{"properties": {"a": {}}}`, `{"additionalProperties": false}`},
	{"argument-undeclared", ofInput, `{"properties": {"a": {}}}`, `{"properties": {}}`},
	{"argument-now-required", ofInput, `{"properties": {"a": {}}}`, `{"properties": {"a": {}}, "required": ["a"]}`},
	{"argument-now-optional", ofInput, `{"properties": {"a": {}}, "required": ["a"]}`, `{"properties": {"a": {}}}`},
	{"argument-type-narrowed", ofArgument, `{"type": "number"}`, `{"type": "integer"}`},
	{"argument-type-widened", ofArgument, `{"type": "string"}`, `{"type": ["string", "null"]}`},
	{"argument-enum-narrowed", ofArgument, `{"enum": ["x", "y"]}`, `{"enum": ["x"]}`},
	{"argument-enum-widened", ofArgument, `{"enum": ["x"]}`, `{"enum": ["x", "y"]}`},
	{"argument-bound-tightened", ofArgument, `{"type": "integer", "maximum": 100}`, `{"type": "integer", "maximum": 50}`},
	{"argument-bound-loosened", ofArgument, `{"type": "string", "maxLength": 9}`, `{"type": "string"}`},
	{"argument-pattern-added", ofArgument, `{"type": "string"}`, `{"type": "string", "pattern": "^a"}`},
	{"argument-pattern-removed", ofArgument, `{"type": "string", "pattern": "^a"}`, `{"type": "string"}`},
	{"argument-format-added", ofArgument, `{"type": "string"}`, `{"type": "string", "format": "uri"}`},
	{"argument-format-removed", ofArgument, `{"type": "string", "format": "uri"}`, `{"type": "string"}`},
	{"argument-extra-refused", ofInput, `{"additionalProperties": true}`, `{"additionalProperties": false}`},
	{"argument-extra-accepted", ofInput, `{"additionalProperties": false}`, `{"additionalProperties": true}`},
	{"argument-extra-closed", ofInput, `{"properties": {"a": {}}}`, `{"properties": {"a": {}}, "additionalProperties": false}`},
	{"argument-variant-removed", ofArgument, `{"anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"x": {"const": 2}}, "required": ["x"]}]}`, `{"anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"x": {"const": 3}}, "required": ["x"]}, {"properties": {"x": {"const": 4}}, "required": ["x"]}]}`},
	{"argument-variant-added", ofArgument, `{"type": "object", "properties": {"x": {"const": 1}}, "required": ["x"]}`, `{"type": "object", "anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"y": {"const": 2}}, "required": ["y"]}]}`},
	{"argument-variant-widened", ofArgument, `{"type": "string", "anyOf": [{"maxLength": 2}, {"pattern": "^a"}]}`, `{"type": "string"}`},
	{"argument-variant-ambiguous", ofArgument, `{"type": "object", "properties": {"x": {}}}`, `{"oneOf": [{"type": "object", "properties": {"x": {}}}, {"type": "object", "properties": {"y": {}}}]}`},
	{"argument-unknown-keyword", ofArgument, `{"type": "string"}`, `{"type": "string", "not": {"pattern": "^a"}}`},
	{"argument-keyword-removed", ofArgument, `{"type": "string", "not": {"pattern": "^a"}}`, `{"type": "string"}`},

	{"result-schema-removed", ofTool, `"outputSchema": {"type": "object"}`, ``},
	{"result-schema-added", ofTool, ``, `"outputSchema": {"type": "object"}`},
	{"result-field-removed", ofOutput, `{"properties": {"a": {}}}`, `{"properties": {}}`},
	{"result-field-added", ofOutput, `{"properties": {}, "additionalProperties": false}`, `{"properties": {"a": {}}, "additionalProperties": false}`},
	{"result-extra-clash", ofOutput, `{"additionalProperties": {"type": "string"}}`, `{"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}`},
	{"result-field-now-optional", ofOutput, `{"properties": {"a": {}}, "required": ["a"]}`, `{"properties": {"a": {}}}`},
	{"result-field-now-required", ofOutput, `{"properties": {"a": {}}}`, `{"properties": {"a": {}}, "required": ["a"]}`},
	{"result-type-widened", ofResult, `{"type": "integer"}`, `{"type": "number"}`},
	{"result-type-narrowed", ofResult, `{"type": "number"}`, `{"type": "integer"}`},
	{"result-enum-widened", ofResult, `{"enum": ["x"]}`, `{"enum": ["x", "y"]}`},
	{"result-enum-narrowed", ofResult, `{"enum": ["x", "y"]}`, `{"enum": ["x"]}`},
	{"result-range-widened", ofResult, `{"type": "integer", "maximum": 100}`, `{"type": "integer", "maximum": 1e30}`},
	{"result-format-changed", ofResult, `{"type": "string", "format": "date"}`, `{"type": "string"}`},
	{"result-time-lost", withTimes, `{"type": "string", "format": "date-time"}`, `{"type": "string"}`},
	{"result-constraint-changed", ofResult, `{"type": "string", "maxLength": 5}`, `{"type": "string", "maxLength": 9}`},
	{"result-extra-opened", ofOutput, `{"additionalProperties": false}`, `{}`},
	{"result-extra-closed", ofOutput, `{}`, `{"additionalProperties": false}`},
	{"result-variant-added", ofResult, `{"type": "object", "anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"x": {"const": 2}}, "required": ["x"]}]}`, `{"type": "object", "anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"x": {"const": 2}}, "required": ["x"]}, {"properties": {"x": {"const": 3}}, "required": ["x"]}]}`},
	{"result-variant-removed", ofResult, `{"type": "object", "anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}, {"properties": {"x": {"const": 2}}, "required": ["x"]}]}`, `{"type": "object", "properties": {"x": {"const": 1}}, "required": ["x"]}`},
	{"result-variant-ambiguous", ofResult, `{"anyOf": [{"type": "object", "properties": {"k": {"const": 1}, "x": {}}}, {"type": "object", "properties": {"k": {"const": 2}, "y": {}}}]}`, `{"anyOf": [{"type": "object", "properties": {"k": {"const": 1}, "x": {}, "y": {}}}, {"type": "object", "properties": {"k": {"const": 2}, "y": {}}}]}`},
	{"result-invalid", validated, `{"type": "string", "maxLength": 5}`, `{"type": "string", "maxLength": 9}`},

	{"source-method-removed", ofTool, `{"name": "t"}`, ``},
	{"source-signature-changed", ofTool, ``, `"outputSchema": {"type": "object"}`},
	{"source-type-removed", ofArgument, `{"enum": ["x"]}`, `{"type": "string"}`},
	{"source-type-changed", ofArgument, `{"enum": ["x"]}`, `{"enum": [1]}`},
	{"source-field-removed", ofInput, `{"properties": {"a": {}}}`, `{"properties": {}}`},
	{"source-field-changed", ofArgument, `{"type": "integer"}`, `{"type": "number"}`},
	{"source-constant-removed", ofArgument, `{"enum": ["x", "y"]}`, `{"enum": ["x"]}`},
	{"source-variant-removed", ofArgument, `{"anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "integer"}]}`, `{"anyOf": [{"type": "string"}, {"type": "boolean"}]}`},
}

// catalogs returns the two lists of tools of e.
func (e example) catalogs() (before, after string) {
	text := func(part string) string {
		switch {
		case e.place == ofTool && strings.HasPrefix(e.before+e.after, "{"):
			return `{"tools": [` + part + `]}`
		case e.place == ofTool:
			if part != "" {
				part = ", " + part
			}
			return `{"tools": [{"name": "t"` + part + `}]}`
		case e.place == ofInput:
			return `{"tools": [{"name": "t", "inputSchema": ` + part + `}]}`
		case e.place == ofOutput:
			return `{"tools": [{"name": "t", "outputSchema": ` + part + `}]}`
		case e.place == ofArgument:
			return `{"tools": [{"name": "t", "inputSchema": {"type": "object", "properties": {"a": ` + part + `}}}]}`
		default:
			return `{"tools": [{"name": "t", "outputSchema": {"type": "object", "properties": {"a": ` + part + `}}}]}`
		}
	}
	return text(e.before), text(e.after)
}

// changes compares e's tools. Source changes are listed on their own, too.
func (e example) changes(t *testing.T) []drift.Change {
	t.Helper()
	before, after := e.catalogs()
	u := usage{validated: e.place == validated}
	if e.place == withTimes {
		u.options.Formats = map[string]string{"date-time": "time"}
	}
	changes, err := (&app{}).diffFiles("s", u, []byte(before), []byte(after))
	if err != nil {
		t.Fatal(err)
	}
	old, err := parseSide([]byte(before), nil)
	if err != nil {
		t.Fatal(err)
	}
	now, err := parseSide([]byte(after), old)
	if err != nil {
		t.Fatal(err)
	}
	return append(changes, sourceOf(t, old, now)...)
}

func sourceOf(t *testing.T, old, now *snapshot.Snapshot) []drift.Change {
	t.Helper()
	a, b, err := lowerBoth("s", usage{}, old, now)
	if err != nil {
		t.Fatal(err)
	}
	return compare.Source(a, b)
}

// TestDriftRules runs the example of each rule, and keeps docs/drift.md in step.
func TestDriftRules(t *testing.T) {
	var table strings.Builder
	table.WriteString("| code | grade | what changed | example | before | after |\n|---|---|---|---|---|---|\n")
	var shown []drift.Code
	for _, e := range examples {
		shown = append(shown, e.code)
		message := compare.Message(e.code)
		grade := drift.Source
		if r, ok := drift.RuleOf(e.code); ok {
			message, grade = r.Message, r.Grade
			if r.Unknown {
				message += " (unknown, treated as breaking)"
			}
		}
		changes := e.changes(t)
		if !slices.ContainsFunc(changes, func(c drift.Change) bool { return c.Code == e.code && c.Grade() == grade }) {
			t.Errorf("%s: the example gives %v", e.code, changes)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s | %s | %s |\n", e.code, grade, message, e.place, cell(e.before), cell(e.after))
	}
	want := append(drift.Codes(), compare.Codes()...)
	slices.Sort(want)
	slices.Sort(shown)
	if !slices.Equal(shown, want) {
		t.Errorf("examples show %v, rules are %v", shown, want)
	}

	const file, begin, end = "../../../../docs/drift.md", "<!-- rules -->\n", "<!-- end of rules -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(data), begin)
	_, tail, found2 := strings.Cut(rest, end)
	if !found || !found2 {
		t.Fatalf("%s has no %q and %q", file, begin, end)
	}
	text := head + begin + table.String() + end + tail
	if os.Getenv("MCPBIND_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != string(data) {
		t.Errorf("docs/drift.md does not list the rules as they are; run the test with MCPBIND_UPDATE=1")
	}
}

func cell(text string) string {
	if text == "" {
		return "nothing"
	}
	if len(text) > 160 {
		text = text[:157] + "..."
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

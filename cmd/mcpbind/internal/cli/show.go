package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// show prints one tool as people read it: what it does, what it takes, what it
// returns.
func (a *app) show(t snapshot.Tool) error {
	a.stdout.printf("%s", safetext.LineN(t.Name, 80))
	if h := hints(t.Annotations); h != "-" {
		a.stdout.printf("  (%s)", h)
	}
	a.stdout.print("\n")
	if text := strings.TrimSpace(cmp.Or(t.Description, t.Title)); text != "" {
		a.stdout.block("  ", text)
	}
	if err := a.showMembers("Parameters", t.InputSchema); err != nil || t.OutputSchema == nil {
		return err
	}
	return a.showMembers("Result", t.OutputSchema)
}

// showMembers prints a table of the properties of an object's schema.
func (a *app) showMembers(title string, s *schema.Value) error {
	root := object(s)
	if root == nil {
		a.stdout.printf("\n%s: any JSON\n", title)
		return nil
	}
	properties := root.Get("properties")
	if properties == nil || len(properties.Members) == 0 {
		a.stdout.printf("\n%s: %s\n", title, cmp.Or(typeOf(root, 0), "any"))
		return nil
	}
	required := map[string]bool{}
	if list := root.Get("required"); list != nil {
		for _, name := range list.Items {
			required[name.Text] = true
		}
	}
	a.stdout.printf("\n%s:\n", title)
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, m := range properties.Members {
		need := "optional"
		if required[m.Name] {
			need = "required"
		}
		row := []string{"  " + safetext.LineN(m.Name, 60), safetext.LineN(typeOf(m.Value, 0), 60), need, safetext.LineN(about(m.Value), 200)}
		_, _ = table.Write([]byte(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n"))
	}
	return table.Flush()
}

// object returns the schema that root is, references followed, nil when it is no
// object.
func object(root *schema.Value) *schema.Value {
	if root == nil || root.Kind != schema.Object {
		return nil
	}
	doc, err := schema.NewDocument(root)
	if err != nil {
		return root
	}
	node := doc.RootNode()
	for range 8 { // more than one is rare, and a cycle ends
		ref := node.Value.Get("$ref")
		if ref == nil {
			break
		}
		next, err := doc.Resolve(node, ref.Text)
		if err != nil || next.Value == nil || next.Value.Kind != schema.Object {
			break
		}
		node = next
	}
	return node.Value
}

// about is what a schema says of itself, on one line, with its default.
func about(v *schema.Value) string {
	text := ""
	for _, key := range []string{"description", "title"} {
		if said := v.Get(key); said != nil && text == "" {
			text = strings.Join(strings.Fields(said.Text), " ")
		}
	}
	if fallback := v.Get("default"); fallback != nil {
		text = strings.TrimSpace(text + " (default " + string(fallback.AppendJSON(nil)) + ")")
	}
	return text
}

// typeOf names the type that a schema describes, as far as a few words can; ""
// stands for any.
func typeOf(v *schema.Value, depth int) string {
	const deepest = 3
	if v == nil || v.Kind != schema.Object || depth > deepest {
		return "any"
	}
	if ref := v.Get("$ref"); ref != nil {
		return ref.Text[strings.LastIndexByte(ref.Text, '/')+1:]
	}
	if constant := v.Get("const"); constant != nil {
		return string(constant.AppendJSON(nil))
	}
	if list := v.Get("enum"); list != nil {
		return oneOf(list.Items, func(item *schema.Value) string { return string(item.AppendJSON(nil)) })
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := v.Get(key); list != nil {
			return oneOf(list.Items, func(item *schema.Value) string { return typeOf(item, depth+1) })
		}
	}
	switch kind := v.Get("type"); {
	case kind == nil:
		return "any"
	case kind.Kind == schema.Array:
		return oneOf(kind.Items, func(item *schema.Value) string { return item.Text })
	case kind.Text == "array":
		if items := v.Get("items"); items != nil {
			return "array of " + typeOf(items, depth+1)
		}
		return "array"
	default:
		return kind.Text
	}
}

func oneOf(items []*schema.Value, name func(*schema.Value) string) string {
	var names []string
	for _, item := range items {
		if n := name(item); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, " or ")
}

// A listed tool is one as list --json prints it. Schemas are as the snapshot has
// them.
type listed struct {
	Server       string          `json:"server"`
	Name         string          `json:"name"`
	Title        string          `json:"title,omitzero"`
	Description  string          `json:"description,omitzero"`
	InputSchema  json.RawMessage `json:"inputSchema,omitzero"`
	OutputSchema json.RawMessage `json:"outputSchema,omitzero"`
	Annotations  json.RawMessage `json:"annotations,omitzero"`
}

// printJSON prints tools as one JSON array. Runes that do not show are escaped:
// a terminal obeys some.
func (a *app) printJSON(tools []listed) error {
	var compact bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(slices.Concat([]listed{}, tools)); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	text := jsontext.Value(compact.Bytes())
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r == '\n' || !safetext.Hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	a.stdout.print(strings.TrimRight(b.String(), "\n") + "\n")
	return nil
}

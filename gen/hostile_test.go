package gen_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/format"
	"testing"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/check"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// hostileTool says text wherever a server can say something.
func hostileTool(name, text string) json.RawMessage {
	type object = map[string]any
	leaf := object{"type": "string", "description": text, "title": text, "default": text, "format": text, "pattern": text}
	raw, _ := json.Marshal(object{
		"name": name, "title": text, "description": text,
		"annotations": object{"title": text, "readOnlyHint": true},
		"inputSchema": object{
			"type": "object", "description": text, "title": text,
			"required": []string{text, "const"},
			"properties": object{
				text:       leaf,
				text + "2": object{"type": []string{"string", "null"}, "enum": []any{text, text + "x", "a", nil}},
				"const":    object{"const": text},
				"nested":   object{"type": "object", "properties": object{text: leaf}, "additionalProperties": leaf},
				"union": object{"oneOf": []any{
					object{"type": "object", "properties": object{text: object{"const": text}}, "required": []string{text}},
					object{"type": "object", "properties": object{text: object{"const": text + "y"}}, "required": []string{text}},
					leaf,
				}},
				"ref": object{"$ref": "#/$defs/" + text},
			},
			"$defs": object{text: object{"type": "object", "properties": object{text: leaf}}},
		},
		"outputSchema": object{"type": "object", "properties": object{text: object{"type": "array", "items": leaf}}},
	})
	return raw
}

// hostileTexts are what has been known to get out of comments and literals, or
// to meet names of ours.
var hostileTexts = []string{
	"", "plain", "*/ func init() {} /*", "//go:embed x", "a\n//go:linkname a b", "\r//line x:1", "\u2028//export f",
	"+build ignore", "`", "\"", "\\", "\x00", "\ufeff", "\xff", "\u202e", "a\u00a0\nb\u2000\n\u3000", "名称", "type", "- a\n- b\n  c\n\n1. d", "/", "~1", "%", "#", ":",
	"''quoted''", "``quoted``", "MarshalJSON", "Value", "Extra", "Client", "isX", "context", "runtime", "GobEncode", "String", "Error", "New",
	"Tools", "init", "_", "V0", "Rest", "Input", "Output", "Variants", "json", "codec", "nil", "any", "v", "b", "in",
}

// TestHostileText generates from two tools that say each other's names, in both
// extremes of the options, and holds the output to gofmt's form.
func TestHostileText(t *testing.T) {
	for _, text := range hostileTexts {
		tools := []json.RawMessage{hostileTool("tool", text), hostileTool(text, "tool"), hostileTool("text", text)}
		for _, options := range []lower.Options{{}, {KeepUnknown: true, Numbers: lower.NumbersExact}} {
			for name, src := range generateHostile(t, tools, text, options).Files {
				if again, err := format.Source(src); err != nil || !bytes.Equal(again, src) {
					t.Errorf("text %q: gofmt changes %s: %v\n%s", text, name, err, src)
				}
			}
		}
	}
}

// FuzzHostileText asserts that no text of a server gets past the comments and
// literals that are meant for it: the output has exactly the declarations of the
// model, which check.Package tells. Only the server's name, which is not the
// server's choice, may make the whole package impossible.
func FuzzHostileText(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text, "tool", "demo", false)
		f.Add("text", text, text, true)
	}
	f.Fuzz(func(t *testing.T, text, tool, server string, full bool) {
		var options lower.Options
		if full {
			options = lower.Options{KeepUnknown: true, Numbers: lower.NumbersExact}
		}
		generateHostile(t, []json.RawMessage{hostileTool(tool, text)}, server, options)
	})
}

func generateHostile(t *testing.T, tools []json.RawMessage, server string, options lower.Options) gen.Output {
	t.Helper()
	snap, _, err := snapshot.New(snapshot.Catalog{Tools: tools}, nil, nil)
	if err != nil {
		return gen.Output{}
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: server, Source: "snapshots/x.json", Options: options})
	if errors.Is(err, check.ErrRejected) || err != nil && server == "demo" {
		t.Fatalf("tools %s, server %q: %v", tools, server, err)
	}
	return out
}

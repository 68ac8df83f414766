package cli

import (
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/mcpbind/mcpbind/internal/drift"
)

// The document that --format json prints. Its schema is published as
// docs/drift.schema.json: members may be added, none changes its meaning.
type (
	driftDocument struct {
		Format  int           `json:"format" jsonschema:"enum=1" jsonschema_description:"Version of this format."`
		Level   string        `json:"level" jsonschema:"enum=call,enum=privilege,enum=source,enum=doc,enum=safe" jsonschema_description:"The grade from which on a change counts as drift."`
		Drift   bool          `json:"drift" jsonschema_description:"Whether any change is of that grade or a worse one."`
		Servers []driftServer `json:"servers" jsonschema_description:"One entry per server that was asked for, in order of name."`
	}
	driftServer struct {
		Server  string        `json:"server" jsonschema_description:"Configured name of the server, or the name of the snapshot."`
		Error   string        `json:"error,omitempty" jsonschema_description:"Why the server could not be compared. This is no drift."`
		Changes []driftChange `json:"changes" jsonschema_description:"By tool, then grade, place and code."`
	}
	driftChange struct {
		Tool    string   `json:"tool" jsonschema_description:"Name of the tool as the server knows it."`
		Pointer string   `json:"pointer" jsonschema_description:"JSON pointer into the tool; empty for the tool as a whole."`
		Grades  []string `json:"grades" jsonschema:"minItems=1,enum=call,enum=privilege,enum=source,enum=doc,enum=safe" jsonschema_description:"Whom the change breaks, the worst first."`
		Code    string   `json:"code" jsonschema_description:"The rule, as docs/drift.md lists it. Codes are stable."`
		Before  string   `json:"before,omitempty" jsonschema_description:"What stood there, in short and safe to print."`
		After   string   `json:"after,omitempty" jsonschema_description:"What stands there now."`
		Message string   `json:"message" jsonschema_description:"What changed."`
		Hint    string   `json:"hint,omitempty" jsonschema_description:"What to do, or what it means."`
		Unknown bool     `json:"unknown,omitempty" jsonschema_description:"The rule could not decide, and the change is treated as breaking."`
	}
)

func (a *app) driftJSON(r report, comparisons []comparison) error {
	doc := driftDocument{Format: 1, Level: r.level.String(), Servers: []driftServer{}}
	for _, c := range comparisons {
		s := driftServer{Server: c.server, Changes: []driftChange{}}
		if c.err != nil {
			s.Error = explain(c.server, c.err)
		}
		for _, change := range c.changes {
			doc.Drift = doc.Drift || r.counts(change)
			s.Changes = append(s.Changes, documented(change))
		}
		doc.Servers = append(doc.Servers, s)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	a.stdout.print(string(text) + "\n")
	return nil
}

func documented(c drift.Change) driftChange {
	out := driftChange{
		Tool: c.Tool, Pointer: c.Pointer, Code: string(c.Code), Before: c.Before, After: c.After,
		Message: c.Message, Hint: c.Hint, Unknown: c.Unknown,
	}
	for _, g := range c.Grades {
		out.Grades = append(out.Grades, g.String())
	}
	return out
}

// driftSchema returns the JSON Schema of what --format json prints.
func driftSchema() ([]byte, error) {
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true, AllowAdditionalProperties: true}
	schema := reflector.Reflect(&driftDocument{})
	schema.Title = "mcpbind drift report"
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of the report: %w", err)
	}
	return append(text, '\n'), nil
}

package snapshot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// What one server may bring. Beyond a limit a part is left out with a
// diagnostic; beyond maxCatalog there is no snapshot at all.
const (
	maxTools   = 10_000
	maxName    = 1 << 10  // bytes of a tool name
	maxSchema  = 4 << 20  // bytes of one schema
	maxPath    = 16 << 10 // bytes of the names on the way to a part of a schema
	maxPaths   = 8 << 20  // of those, for all parts of a schema
	allPaths   = 32 << 20 // and of all schemas, but for those with few
	fewPaths   = 64 << 10
	maxCatalog = 16 << 20 // bytes of all tools
)

// New makes the snapshot of what a server advertises now. A tool that cannot be
// read costs that tool, a part that cannot be stored costs that part; each is a
// diagnostic, with Server left for the caller to fill in. The error is for a
// catalog that is too large as a whole.
//
// Previous, if not nil, is the snapshot to replace: pins are taken from it, and
// so is the text of whatever is equal up to the order of keys. What r finds is
// never stored. Neither c nor previous is modified.
func New(c Catalog, previous *Snapshot, r *redact.Redactor) (*Snapshot, []diag.Diagnostic, error) {
	size := 0
	for _, raw := range c.Tools {
		size += len(raw)
	}
	if size > maxCatalog {
		return nil, nil, fmt.Errorf("the tools are %d bytes of JSON, more than the %d that fit a snapshot", size, maxCatalog)
	}
	b := &builder{redactor: r, previous: cmp.Or(previous, &Snapshot{})}
	s := &Snapshot{
		Observed: b.observed(c.Observed),
		Tools:    b.tools(c.Tools),
		Digests:  map[string]string{},
		Pins:     map[string]string{},
	}
	for _, t := range s.Tools {
		s.Digests[t.Name] = t.digest()
	}
	maps.Copy(s.Pins, b.previous.Pins)
	if previous != nil && slices.Equal(s.Tools, previous.Tools) {
		s.Observed = previous.Observed // a new version alone is no change
	}
	return s, diag.Sort(b.diagnostics), nil
}

type builder struct {
	redactor    *redact.Redactor
	previous    *Snapshot
	diagnostics []diag.Diagnostic
	paths       int // bytes of the names on the way to all parts so far
}

func (b *builder) observed(o Observed) Observed {
	return Observed{b.redactor.Text(o.Name), b.redactor.Text(o.Version), b.redactor.Text(o.Protocol)}
}

// tools reads the tools, sorted by name. Of equal names the first wins.
func (b *builder) tools(raws []json.RawMessage) []Tool {
	if len(raws) > maxTools {
		b.report("", "", CodeToolSkipped, "%d tools: only the first %d are read", len(raws), maxTools)
		raws = raws[:maxTools]
	}
	var tools []Tool
	seen := map[string]bool{}
	for i, raw := range raws {
		t, ok := b.tool(i, raw)
		if !ok {
			continue
		}
		if seen[t.Name] {
			b.report(t.Name, "", CodeToolDuplicate, "the server advertises this tool more than once: only the first counts")
			continue
		}
		seen[t.Name] = true
		tools = append(tools, t)
	}
	slices.SortFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return tools
}

// tool reads the tool at position i of the server's list.
func (b *builder) tool(i int, raw []byte) (Tool, bool) {
	fields, err := memberMap(raw)
	name := text(fields["name"]) // with an error too, if it stands before what is wrong
	switch {
	case err != nil:
		if len(name) > maxName {
			name = ""
		}
		b.report(b.redactor.Text(name), "", CodeToolSkipped, "tool %d of the list cannot be read: %v", i+1, err)
		return Tool{}, false
	case name == "":
		b.report("", "", CodeToolSkipped, "tool %d of the list has no name", i+1)
		return Tool{}, false
	case len(name) > maxName:
		b.report("", "", CodeToolSkipped, "the name of tool %d of the list has %d bytes, more than %d", i+1, len(name), maxName)
		return Tool{}, false
	case b.redactor.Found(name):
		b.report(b.redactor.Text(name), "", CodeToolSkipped, "the name of the tool holds a secret of this server")
		return Tool{}, false
	}
	old, _ := b.previous.Tool(name)
	p := part{builder: b, tool: name}
	return Tool{
		Name:         name,
		Title:        p.prose("title", fields),
		Description:  p.prose("description", fields),
		InputSchema:  p.schema("inputSchema", fields, old.InputSchema),
		OutputSchema: p.schema("outputSchema", fields, old.OutputSchema),
		Annotations:  p.object("annotations", fields, old.Annotations),
		Execution:    p.object("execution", fields, old.Execution),
	}, true
}

// digest computes what the tool's line in digests says.
func (t Tool) digest() string {
	return schema.Digest(t.Annotations, t.InputSchema, t.OutputSchema)
}

// Tool returns the tool called name.
func (s *Snapshot) Tool(name string) (Tool, bool) {
	i, ok := slices.BinarySearchFunc(s.Tools, name, func(t Tool, name string) int { return cmp.Compare(t.Name, name) })
	if !ok {
		return Tool{}, false
	}
	return s.Tools[i], true
}

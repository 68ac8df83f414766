package runtime

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// ToolChanges is what differs between two lists of tools of one server: sorted
// wire names. A tool has changed when its digest has, that is its annotations or
// schemas; its words do not count.
type ToolChanges struct {
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// Empty reports whether nothing has changed.
func (c ToolChanges) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// digests are the tools of one list, by wire name.
type digests map[string]string

func digestsOf(tools []Tool) digests {
	d := make(digests, len(tools))
	for _, t := range tools {
		d[t.WireName] = digestOf(t)
	}
	return d
}

// digestOf is the digest of the snapshot format.
func digestOf(t Tool) string {
	return schema.Digest(readSchema(t.Annotations), readSchema(t.InputSchema), readSchema(t.OutputSchema))
}

// readSchema reads a schema, nil for none. One that cannot be read, since it nests too
// deeply, is {}, as in a snapshot.
func readSchema(raw json.RawMessage) *schema.Value {
	if raw == nil {
		return nil
	}
	v, err := schema.Parse(raw)
	if err != nil {
		return &schema.Value{Kind: schema.Object}
	}
	return v
}

// changes compares an earlier list with a later one.
func (d digests) changes(later digests) ToolChanges {
	var c ToolChanges
	for _, name := range slices.Sorted(maps.Keys(later)) {
		switch digest, ok := d[name]; {
		case !ok:
			c.Added = append(c.Added, name)
		case digest != later[name]:
			c.Changed = append(c.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d)) {
		if _, ok := later[name]; !ok {
			c.Removed = append(c.Removed, name)
		}
	}
	return c
}

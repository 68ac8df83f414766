// Package snapshot is the checked-in record of what a server advertises.
//
// In: a [Catalog] of raw tools as a server sent them, or the bytes of a snapshot
// file. Out: a [Snapshot] and its bytes, deterministic to the byte. It does no
// I/O: callers read and write files. It must never import runtime.
package snapshot

import (
	"encoding/json"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// FormatVersion is the snapshot format that this package writes.
const FormatVersion = 1

// A Catalog is what a server advertised, before anything was decided about it.
type Catalog struct {
	Observed Observed
	Tools    []json.RawMessage // tool objects byte for byte as sent, in the server's order
}

// Observed says who answered. It takes no part in digests, drift or staleness.
type Observed struct {
	Name     string `json:"name,omitzero"`     // serverInfo.name
	Version  string `json:"version,omitzero"`  // serverInfo.version
	Protocol string `json:"protocol,omitzero"` // negotiated protocol version
}

// A Tool is one tool of a snapshot. Schemas keep the server's key order and
// number spelling; nil means the server sent none. They are read once, here:
// whoever needs a schema afterwards shares the value.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  *schema.Value
	OutputSchema *schema.Value
	Annotations  *schema.Value
	Execution    *schema.Value
}

// A Snapshot is the content of snapshots/<server>.json.
type Snapshot struct {
	Observed Observed
	Tools    []Tool            // sorted by Name, names unique
	Digests  map[string]string // tool name -> "s1:..."
	Pins     map[string]string // owner -> Go identifier
}

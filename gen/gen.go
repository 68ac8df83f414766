// Package gen turns a snapshot of an MCP server's tools into Go source.
//
// In: an [Input], all of it in memory. Out: an [Output], a map of file names to
// bytes, the names to pin and diagnostics. [Generate] is pure: it reads no
// clock, no environment, no file and no network, and equal inputs give equal
// bytes. It must never import runtime (gen/discover does, and nothing here
// imports that).
package gen

import (
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// An Input is what one package is generated from.
type Input struct {
	Snapshot *snapshot.Snapshot // tools, digests and pins of one server; not modified
	// Previous is the snapshot as it was before this run, or nil. Names that it
	// gave are kept: adding a tool, property, variant or enum value renames nothing.
	Previous *snapshot.Snapshot
	Source   string // slash-separated path of the snapshot for the header, like "snapshots/github.json"
	Server   string // configured server name
	Options  lower.Options

	// Tools whose types were rejected, of Snapshot and of Previous: see degrade.
	untyped, untypedBefore map[string]bool
}

// An Output is one generated package.
type Output struct {
	Package     string            // Go package name
	Files       map[string][]byte // base name -> source, gofmt'ed and type-checked
	Pins        map[string]string // names to keep, for the snapshot: owner -> Go identifier
	Diagnostics []diag.Diagnostic // sorted
	Stats       lower.Stats
}

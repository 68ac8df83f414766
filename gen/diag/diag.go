// Package diag holds what the generator has to say about a server's tools.
//
// In: facts found while reading, lowering and checking schemas. Out: ordered
// [Diagnostic] values. It prints nothing and imports nothing of mcpbind but
// internal/safetext; printers decide on the form.
package diag

import (
	"cmp"
	"slices"
)

// Severity tells how much a diagnostic costs its reader.
type Severity uint8

const (
	// Note is for what is worth knowing: nothing is lost.
	Note Severity = iota
	// Warning is for a loss: a type looser than the schema, or a part that became raw JSON.
	Warning
)

// String returns "note" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "note"
}

// Code names a kind of diagnostic. Codes are stable: people filter on them.
// The full list stands in docs/diagnostics.md.
type Code string

// A Diagnostic is one finding about one place in one tool's schemas.
type Diagnostic struct {
	Server   string   // configured server name
	Tool     string   // wire name of the tool, "" when about the whole server
	Pointer  string   // JSON pointer from the tool object, like "/inputSchema/properties/a"
	Code     Code     // stable kind
	Severity Severity // note or warning
	Message  string   // lower case, what was found; may hold server text: printers pass it through safetext
	Hint     string   // what to do about it; our own words only, may be ""
}

// Compare orders diagnostics by server, tool, pointer, code and message.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Server, b.Server),
		cmp.Compare(a.Tool, b.Tool),
		cmp.Compare(a.Pointer, b.Pointer),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort orders diagnostics with [Compare] and drops exact repetitions.
func Sort(ds []Diagnostic) []Diagnostic {
	slices.SortFunc(ds, Compare)
	return slices.Compact(ds)
}

// Package lower turns the schemas of one server's tools into a model.Package.
//
// In: the tools of a snapshot, options and pinned names. Out: a model whose
// names are final, the pins to keep and diagnostics. It knows JSON Schema and
// Go types but prints nothing; it must never import runtime, emission or I/O.
package lower

// Numbers chooses the Go types of JSON numbers.
type Numbers string

// What Numbers may be; "" is NumbersNative.
const (
	NumbersNative Numbers = "native" // int (uint64, json.Number where bounds need it) and float64
	NumbersExact  Numbers = "exact"  // json.Number for every integer and number
)

// Options are the per-server choices of the go key in mcpbind.yaml.
type Options struct {
	Package     string            // Go package name; "" derives <server>mcp
	Include     []string          // glob patterns of tool wire names; empty means all
	Exclude     []string          // glob patterns, applied after Include
	Rename      map[string]string // tool wire name -> Go method name (and type prefix)
	Numbers     Numbers           // "" is NumbersNative
	KeepUnknown bool              // every struct gets Extra map[string]json.RawMessage
	Formats     map[string]string // JSON Schema format -> "string" or "time" (date-time only)
	Bindings    map[string]string // "$defs key" or "tool#pointer" -> "import/path.Type"
}

// Stats counts what a package is made of; the corpus test prints it.
type Stats struct {
	Tools  int // tools with a method
	Types  int // declared types
	Fields int // struct fields that hold a schema position (constants and Extra not counted)
	Raw    int // of Fields, those whose type is or holds any or json.RawMessage although the schema restricts its kind
	Open   int // of Fields, those that are any or json.RawMessage because the schema says nothing
}

package lower

import (
	"fmt"
	"go/token"
	"path"
	"slices"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

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

// check refuses options that make no sense.
func (o Options) check() error {
	switch o.Numbers {
	case "", NumbersNative, NumbersExact:
	default:
		return fmt.Errorf("go.numbers: %q is neither native nor exact", o.Numbers)
	}
	for _, patterns := range [][]string{o.Include, o.Exclude} {
		for _, pattern := range patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("tools: pattern %q: %w", pattern, err)
			}
		}
	}
	for format, t := range o.Formats {
		if t != "string" && (t != "time" || format != "date-time") {
			return fmt.Errorf("go.formats: %s: %q is not possible: a format is a string, and date-time may be a time", format, t)
		}
	}
	for wire, name := range o.Rename {
		if !token.IsIdentifier(name) || !token.IsExported(name) {
			return fmt.Errorf("go.rename: %s: %q is no exported Go identifier", wire, name)
		}
	}
	for what, target := range o.Bindings {
		if _, ok := parseBinding(target); !ok {
			return fmt.Errorf("go.bindings: %s: %q is not of the form import/path.Type", what, target)
		}
	}
	if o.Package != "" && (!token.IsIdentifier(o.Package) || o.Package == "_") {
		return fmt.Errorf("go.package: %q is no Go package name", o.Package)
	}
	return nil
}

// selects applies include and exclude to a tool's wire name.
func (o Options) selects(name string) bool {
	matches := func(pattern string) bool { return match(pattern, name) }
	return (len(o.Include) == 0 || slices.ContainsFunc(o.Include, matches)) &&
		!slices.ContainsFunc(o.Exclude, matches)
}

func match(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil || pattern == name || pattern == "*"
}

// checkUse says which entries of the configuration named nothing.
func (p *lowering) checkUse(all []snapshot.Tool) {
	known := make(map[string]bool, len(all))
	for _, t := range all {
		known[t.Name] = true
	}
	for wire := range p.in.Options.Rename {
		if !known[wire] {
			p.say(diag.Warning, CodeUnusedRename, "", "", "go.rename names the tool "+wire+", which the server does not have")
		}
	}
	for i, pattern := range slices.Concat(p.in.Options.Include, p.in.Options.Exclude) {
		key := "include"
		if i >= len(p.in.Options.Include) {
			key = "exclude"
		}
		if pattern != "*" && !slices.ContainsFunc(all, func(t snapshot.Tool) bool { return match(pattern, t.Name) }) {
			p.say(diag.Warning, CodeUnusedPattern, "", "", "tools."+key+" has the pattern "+pattern+", which fits no tool of the server")
		}
	}
	for key := range p.in.Options.Bindings {
		if !p.used[key] {
			p.say(diag.Warning, CodeUnusedBinding, "", "", "go.bindings names "+key+", which no tool uses")
		}
	}
	if len(p.tools) == 0 && len(all) > 0 {
		p.say(diag.Warning, CodeNoTools, "", "", "tools.include and tools.exclude leave no tool")
	}
}

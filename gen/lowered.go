package gen

import "github.com/mcpbind/mcpbind/gen/lower"

// Lower returns the Go types that [Generate] would print for in, and prints
// nothing: for those who compare packages.
func Lower(in Input) (lower.Result, error) { return lowerStable(in) }

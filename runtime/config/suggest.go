package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/spelling"
)

// suggest ends a fault about an unknown key: with the known one that was probably
// meant, or with all of them.
func suggest(name string, known map[string]int) string {
	keys := slices.Sorted(maps.Keys(known))
	if best := spelling.Nearest(name, keys); best != "" {
		return "; did you mean " + strconv.Quote(best) + "?"
	}
	return "; known are " + strings.Join(keys, ", ")
}

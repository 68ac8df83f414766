package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/spelling"
)

// elsewhere maps keys of other tools' files to ours.
var elsewhere = map[string]string{
	"mcpServers": "servers",
	"serverUrl":  "url",
	"httpUrl":    "url",
}

// suggest ends a fault about an unknown key: with the known one that was probably
// meant, or with all of them.
func suggest(name string, known map[string]int) string {
	keys := slices.Sorted(maps.Keys(known))
	if ours := elsewhere[name]; slices.Contains(keys, ours) {
		return "; here it is called " + strconv.Quote(ours)
	}
	if best := spelling.Nearest(name, keys); best != "" {
		return "; did you mean " + strconv.Quote(best) + "?"
	}
	return "; known are " + strings.Join(keys, ", ")
}

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// noteShared says which of the servers in targets share tool names with others,
// as far as there are snapshots: a program's registry refuses one of two such
// servers unless it is told otherwise. Servers with a saved catalog do not count,
// since nothing connects to them.
func (w *workspace) noteShared(targets []target) {
	servers := map[string][]string{} // by tool
	for _, t := range w.targets {
		if t.Catalog != "" {
			continue
		}
		s, err := w.readSnapshot(t)
		if err != nil || s == nil {
			continue // whoever needs the snapshot says so
		}
		for _, tool := range s.Tools {
			servers[tool.Name] = append(servers[tool.Name], t.Name)
		}
	}
	tools := map[string][]string{} // by servers that share them
	for _, tool := range slices.Sorted(maps.Keys(servers)) {
		sharing := servers[tool]
		named := slices.ContainsFunc(targets, func(t target) bool { return slices.Contains(sharing, t.Name) })
		if key := strings.Join(sharing, ", "); len(sharing) > 1 && named {
			tools[key] = append(tools[key], fmt.Sprintf("%q", safetext.LineN(tool, 40)))
		}
	}
	groups := slices.Sorted(maps.Keys(tools))
	for _, sharing := range groups[:min(len(groups), maxPerServer)] {
		shared, more := tools[sharing], ""
		if n := len(shared) - 3; n > 0 {
			shared, more = shared[:3], fmt.Sprintf(" and %d more", n)
		}
		w.app.stderr.printf("note: the servers %s share tool names: %s%s; a program's registry takes only the first of them, unless made with runtime.NewRegistry(runtime.WithCollision(runtime.CollidePrefix))\n",
			sharing, strings.Join(shared, ", "), more)
	}
}

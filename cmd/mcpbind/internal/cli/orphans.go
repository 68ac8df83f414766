package cli

import (
	"maps"
	"path"
	"slices"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// An orphan is a generated file of a package that no server has.
type orphan struct{ pkg, name string }

// orphans finds generated files in directories that belong to no server: the
// server is gone from the configuration, or its package has another name now.
// The former package of a server that is in failed is kept, since nothing
// replaces it.
func (w *workspace) orphans(failed map[string]bool) ([]orphan, error) {
	packages := map[string]bool{}
	kept := map[string]bool{} // by source
	for _, t := range w.targets {
		packages[t.pkg] = true
		kept[t.source] = failed[t.Name]
	}
	dirs, err := w.packages.packages()
	if err != nil {
		return nil, err
	}
	var out []orphan
	for _, dir := range dirs {
		if packages[dir] {
			continue
		}
		files, err := w.packages.generated(dir)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			source := files[name]
			// Sources elsewhere: another configuration writes to this directory, too.
			if path.Dir(source) == w.file.Snapshots && !kept[source] {
				out = append(out, orphan{dir, name})
			}
		}
	}
	return out, nil
}

// removeOrphans deletes the generated files of servers that are gone. Their
// snapshots stay: they hold the names to give should a server come back.
func (w *workspace) removeOrphans(results []result) error {
	failed := map[string]bool{}
	for _, r := range results {
		failed[r.target.Name] = r.err != nil
	}
	orphans, err := w.orphans(failed)
	if err != nil {
		return err
	}
	for _, o := range orphans {
		if err := w.packages.remove(o.pkg, o.name); err != nil {
			return err
		}
		w.app.stderr.printf("removed %s: no server has this package\n", safetext.Line(path.Join(w.file.Output, o.pkg, o.name)))
	}
	return nil
}

package cli

import (
	"maps"
	"path"
	"slices"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// An orphan is a generated file of a package that no server has: the server is
// gone from the configuration, or its package has another name now.
type orphan struct {
	pkg, name string
	ours      bool // its snapshot is here: no other project wrote it
}

func (o orphan) path(w *workspace) string { return path.Join(w.file.Output, o.pkg, o.name) }

// orphans finds generated files in directories that belong to no server.
func (w *workspace) orphans() ([]orphan, error) {
	packages := map[string]bool{}
	for _, t := range w.targets {
		packages[t.pkg] = true
	}
	dirs, err := w.packages.packages()
	if err != nil {
		return nil, err
	}
	snapshots, err := w.snapshots.files(".json")
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
			// Sources elsewhere: another configuration writes to this directory, too.
			if path.Dir(files[name]) == w.file.Snapshots {
				out = append(out, orphan{dir, name, slices.Contains(snapshots, path.Base(files[name]))})
			}
		}
	}
	return out, nil
}

// removeOrphans deletes the generated files of servers that are gone, as far as
// they surely are this project's. Their snapshots stay and are told of: they hold
// the names to give should a server come back.
func (w *workspace) removeOrphans() error {
	orphans, err := w.orphans()
	if err != nil {
		return err
	}
	for _, o := range orphans {
		if !o.ours {
			continue
		}
		if err := w.packages.remove(o.pkg, o.name); err != nil {
			return err
		}
		w.app.stderr.printf("removed %s: no server has this package\n", safetext.Line(o.path(w)))
	}
	return w.noteUnused(orphans)
}

// noteUnused tells of what belongs to no server and is not removed: packages
// without a snapshot, and snapshots.
func (w *workspace) noteUnused(orphans []orphan) error {
	for _, o := range orphans {
		if !o.ours {
			w.app.stderr.printf("note: %s is of no server, and its snapshot is not here; delete it unless another project writes it\n",
				safetext.Line(o.path(w)))
		}
	}
	names, err := w.snapshots.files(".json")
	if err != nil {
		return err
	}
	for _, name := range names {
		if slices.ContainsFunc(w.targets, func(t target) bool { return t.Name+".json" == name }) {
			continue
		}
		data, err := w.snapshots.read(name)
		if err != nil {
			return err
		}
		if _, err := snapshot.Parse(data); err == nil {
			w.app.stderr.printf("note: %s belongs to no server; delete it unless the server will come back, whose Go names it keeps\n",
				safetext.Line(path.Join(w.file.Snapshots, name)))
		}
	}
	return nil
}

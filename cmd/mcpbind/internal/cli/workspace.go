package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// A workspace is a project with its directories open.
type workspace struct {
	*project
	app       *app
	packages  *output
	snapshots *output
	offline   bool
	update    string // updateAll or updateCompatible
	restoreGC func()
}

// open reads the configuration, chooses the named servers, all of them when none
// is named, and opens the directories. With create they are made where there is a
// server to write for.
func (a *app) open(servers []string, create bool) (*workspace, []target, error) {
	p, err := a.load()
	if err != nil {
		return nil, nil, err
	}
	targets, err := p.choose(servers)
	if err != nil {
		return nil, nil, err
	}
	if len(targets) == 0 {
		a.stderr.printf("%s configures no servers; add one under \"servers\"\n", safetext.Line(p.file.Path))
		create = false
	}
	packages, err := openOutput(p.file.OutputDir(), p.file.Output, create)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: output: %w", p.file.Path, err)
	}
	snapshots, err := openOutput(p.file.SnapshotDir(), p.file.Snapshots, create)
	if err != nil {
		packages.close()
		return nil, nil, fmt.Errorf("%s: snapshots: %w", p.file.Path, err)
	}
	return &workspace{project: p, app: a, packages: packages, snapshots: snapshots, restoreGC: collectSeldom()}, targets, nil
}

func (w *workspace) close() {
	w.restoreGC()
	w.packages.close()
	w.snapshots.close()
}

// collectSeldom makes garbage collection rare: nearly all that generating
// allocates lives until the files are written, and looking at it again and again
// takes a third of the CPU time. A GOGC of the user's own stands.
func collectSeldom() (restore func()) {
	const usual, seldom = 100, 400
	before := debug.SetGCPercent(seldom)
	if before != usual {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

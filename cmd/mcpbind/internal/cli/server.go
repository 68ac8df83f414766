package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/discover"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/redact"
)

// generate makes one server's package and snapshot and writes what changed.
// phase is told what is being done.
func (w *workspace) generate(ctx context.Context, t target, phase func(string)) result {
	res := result{target: t}
	b, err := w.build(ctx, t, phase)
	res.diagnostics = b.diagnostics
	if err == nil {
		res.tools, res.stats = len(b.snapshot.Tools), b.out.Stats
		err = ctx.Err()
	}
	if err == nil {
		err = w.refuse(t, b)
	}
	if err == nil {
		phase("writing")
		res.written, res.removed, err = w.write(t, b)
	}
	res.err = err
	return res
}

// A built server is everything that is to be on disk for it.
type built struct {
	out         gen.Output
	snapshot    *snapshot.Snapshot // pins included
	diagnostics []diag.Diagnostic
}

// build makes a server's package in memory. A bug in it costs this server only.
func (w *workspace) build(ctx context.Context, t target, phase func(string)) (b built, err error) {
	defer w.app.survive(&err)
	previous, err := w.readSnapshot(t)
	if err != nil {
		return b, err
	}
	switch {
	case !w.offline:
		b.snapshot, b.diagnostics, err = w.discover(ctx, t, previous, phase)
	case previous == nil:
		err = errNoSnapshot(t)
	default:
		b.snapshot = previous
	}
	if err != nil {
		return b, err
	}
	phase(fmt.Sprintf("%s read, generating", count(len(b.snapshot.Tools), "tool")))
	b.out, err = gen.Generate(gen.Input{
		Snapshot: b.snapshot, Previous: previous, Source: t.source, Server: t.Name, Options: t.options(),
	})
	if err != nil {
		return b, err
	}
	b.diagnostics = diag.Sort(slices.Concat(b.diagnostics, b.out.Diagnostics))
	pinned := *b.snapshot
	pinned.Pins = b.out.Pins
	b.snapshot = &pinned
	return b, nil
}

// readSnapshot returns the server's snapshot, nil when there is none yet.
func (w *workspace) readSnapshot(t target) (*snapshot.Snapshot, error) {
	data, err := w.snapshots.read(t.Name + ".json")
	if err != nil || data == nil {
		return nil, err
	}
	s, err := snapshot.Parse(data)
	if err != nil {
		return nil, damaged(t, data, err)
	}
	return s, nil
}

// needSnapshot is readSnapshot where there must be one.
func (w *workspace) needSnapshot(t target) (*snapshot.Snapshot, error) {
	s, err := w.readSnapshot(t)
	if err == nil && s == nil {
		err = errNoSnapshot(t)
	}
	return s, err
}

func errNoSnapshot(t target) error {
	return fmt.Errorf("there is no snapshot %s; run \"%s generate %s\" first", t.source, self(), t.Name)
}

// conflict matches the line that begins a conflict in a merged file.
var conflict = regexp.MustCompile(`(?m)^<{7}( |$)`)

// damaged is the error of a snapshot that cannot be read. It is never just made
// anew: the names that it gave would be lost.
func damaged(t target, data []byte, err error) error {
	if errors.Is(err, snapshot.ErrNewer) {
		return fmt.Errorf("%s: %w", t.source, err)
	}
	if conflict.Match(data) {
		err = errors.New("has the markers of a merge conflict; take either side of each, the next run mends the rest")
	} else {
		err = fmt.Errorf("%w; restore it from version control", err)
	}
	return fmt.Errorf("%s: %w; or delete it and run \"%s generate %s\", which may give other Go names", t.source, err, self(), t.Name)
}

// discover reads what the server advertises now.
func (w *workspace) discover(ctx context.Context, t target, previous *snapshot.Snapshot, phase func(string)) (*snapshot.Snapshot, []diag.Diagnostic, error) {
	catalog, redactor, err := w.app.catalog(ctx, t, phase)
	if err != nil {
		return nil, nil, err
	}
	s, diagnostics, err := snapshot.New(catalog, previous, redactor)
	for i := range diagnostics {
		diagnostics[i].Server = cmp.Or(diagnostics[i].Server, t.Name)
	}
	return s, diagnostics, err
}

// catalog reads a server's tools, live or saved, and what must not be shown of
// them.
func (a *app) catalog(ctx context.Context, t target, phase func(string)) (snapshot.Catalog, *redact.Redactor, error) {
	if file := t.CatalogPath(); file != "" {
		phase("reading " + t.Catalog)
		data, err := os.ReadFile(file)
		if err != nil {
			return snapshot.Catalog{}, nil, fmt.Errorf("%w (check %s)", withoutPath(err, "catalog "+t.Catalog), t.Place("catalog"))
		}
		c, err := snapshot.ParseCatalog(data)
		if err != nil {
			return c, nil, fmt.Errorf("%s: %w (check %s: it names a saved tools/list result)", t.Catalog, err, t.Place("catalog"))
		}
		return c, nil, nil
	}
	phase("connecting")
	cfg := a.serverConfig(t)
	c, err := discover.Catalog(ctx, cfg, a.clientOptions()...)
	return c, redact.New(cfg.Secrets), a.advised(t, err)
}

// write puts a server's files in place, the snapshot last: should the run end in
// between, --check calls the package stale.
func (w *workspace) write(t target, b built) (written, removed int, err error) {
	if err := w.packages.checkPackage(t.pkg, b.out.Files); err != nil {
		return 0, 0, err
	}
	put := func(o *output, name string, data []byte) error {
		changed, err := o.write(name, data)
		if changed {
			written++
		}
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(b.out.Files)) {
		if err := put(w.packages, path.Join(t.pkg, name), b.out.Files[name]); err != nil {
			return written, 0, err
		}
	}
	present, err := w.packages.generated(t.pkg)
	if err != nil {
		return written, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if _, keep := b.out.Files[name]; keep {
			continue
		}
		if err := w.packages.remove(t.pkg, name); err != nil {
			return written, removed, err
		}
		removed++
	}
	err = put(w.snapshots, t.Name+".json", b.snapshot.Encode())
	return written, removed, err
}

// maxConcurrent is how many servers are worked on at once.
const maxConcurrent = 8

// eachTarget calls f for all targets, several at once, and returns the errors in
// order.
func eachTarget(targets []target, f func(i int, t target) error) []error {
	errs := make([]error, len(targets))
	var group errgroup.Group
	group.SetLimit(maxConcurrent)
	for i, t := range targets {
		group.Go(func() error {
			errs[i] = f(i, t)
			return nil
		})
	}
	_ = group.Wait()
	return errs
}

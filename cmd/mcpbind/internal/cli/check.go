package cli

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// A finding is one file that is not what it should be.
type finding struct {
	state  string // stale, missing or orphaned
	file   string // relative to the configuration, slash-separated
	server string // whose snapshot is missing; "" for any other file
}

// advise says what to do about findings. A missing snapshot can only come from
// the server itself.
func advise(out *stream, findings []finding) {
	var servers []string
	for _, f := range findings {
		if f.server != "" {
			servers = append(servers, f.server)
		}
	}
	if n := len(servers); n > 0 {
		out.printf("%s missing; run \"%s generate %s\"\n", count(n, "snapshot"), self(), strings.Join(servers, " "))
	}
	if n := len(findings) - len(servers); n > 0 {
		out.printf("%s not as the snapshots say; run \"%s generate --offline\"\n", count(n, "file"), self())
	}
}

// check compares the packages with the snapshots and writes nothing.
func (a *app) check(ctx context.Context, servers []string) error {
	w, targets, err := a.open(servers, false)
	if err != nil {
		return err
	}
	defer w.close()
	w.offline = true

	var findings []finding
	code := exitOK
	for _, t := range targets {
		if ctx.Err() != nil {
			return errInterrupted
		}
		found, err := w.compare(ctx, t)
		if err != nil {
			code = exitNoAnswer
			a.stderr.block(t.Name+": ", explain(t.Name, err))
		}
		findings = append(findings, found...)
	}
	if len(servers) == 0 {
		orphans, err := w.orphans()
		if err != nil {
			return err
		}
		for _, o := range orphans {
			if o.ours {
				findings = append(findings, finding{state: "orphaned", file: o.path(w)})
			}
		}
		if err := w.noteUnused(orphans); err != nil {
			return err
		}
	}
	for _, f := range findings {
		a.stdout.printf("%-8s  %s\n", f.state, safetext.Line(f.file))
	}
	switch {
	case len(findings) > 0:
		advise(a.stderr, findings)
		return reported{exitNo}
	case code != exitOK:
		return reported{code}
	}
	a.stderr.printf("%s up to date\n", count(len(targets), "package"))
	return nil
}

// compare lists what differs on disk from what generating offline would write.
func (w *workspace) compare(ctx context.Context, t target) ([]finding, error) {
	data, err := w.snapshots.read(t.Name + ".json")
	if err != nil {
		return nil, err
	}
	if data == nil {
		return []finding{{"missing", t.source, t.Name}}, nil
	}
	b, err := w.build(ctx, t, func(string) {})
	if err != nil {
		return nil, err
	}
	var out []finding
	differs := func(file string, got, want []byte) {
		switch {
		case got == nil:
			out = append(out, finding{state: "missing", file: file})
		case !bytes.Equal(got, want):
			out = append(out, finding{state: "stale", file: file})
		}
	}
	differs(t.source, data, b.snapshot.Encode())
	for _, name := range slices.Sorted(maps.Keys(b.out.Files)) {
		got, err := w.packages.read(path.Join(t.pkg, name))
		if err != nil {
			return out, err
		}
		differs(path.Join(w.file.Output, t.pkg, name), got, b.out.Files[name])
	}
	present, err := w.packages.generated(t.pkg)
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if _, wanted := b.out.Files[name]; !wanted {
			out = append(out, finding{state: "stale", file: path.Join(w.file.Output, t.pkg, name)})
		}
	}
	return out, err
}

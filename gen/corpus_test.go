package gen_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// TestCorpus generates from the catalogs of real servers and compiles what comes
// out.
func TestCorpus(t *testing.T) {
	var total lower.Stats
	var diagnostics, lines int
	var took time.Duration
	var outputs []gen.Output
	files := testshared.Files(t, "corpus/*.json")
	for _, path := range files {
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		catalog, err := snapshot.ParseCatalog(data)
		if err != nil {
			t.Errorf("%s: %v", server, err)
			continue
		}
		snap, found, err := snapshot.New(catalog, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", server, err)
			continue
		}
		out, err := gen.Generate(gen.Input{Snapshot: snap, Source: "snapshots/" + server + ".json", Server: server})
		if err != nil {
			t.Errorf("%s: %v", server, err)
			continue
		}
		took += time.Since(start)
		for name, src := range out.Files {
			lines += bytes.Count(src, []byte("\n"))
			if again, err := format.Source(src); err != nil || !bytes.Equal(again, src) {
				t.Errorf("%s: gofmt changes %s (%v)", server, name, err)
			}
		}
		if len(catalog.Tools) != out.Stats.Tools {
			t.Errorf("%s: %d tools of %d", server, out.Stats.Tools, len(catalog.Tools))
		}
		outputs = append(outputs, out)
		diagnostics += len(found) + len(out.Diagnostics)
		total.Tools += out.Stats.Tools
		total.Types += out.Stats.Types
		total.Fields += out.Stats.Fields
		total.Raw += out.Stats.Raw
		total.Open += out.Stats.Open
	}
	t.Logf("%d servers of %d, %d tools, %d types, %d fields, %d any or raw (%d although the schema says more), %d diagnostics, %d lines, %v",
		len(outputs), len(files), total.Tools, total.Types, total.Fields, total.Raw+total.Open, total.Raw, diagnostics, lines, took.Round(time.Millisecond))

	if testing.Short() {
		return
	}
	m := newModule(t)
	packages := make(map[string]bool)
	for _, out := range outputs {
		if packages[out.Package] {
			t.Errorf("two servers give package %s", out.Package)
		}
		packages[out.Package] = true
		m.add(t, out)
	}
	t.Logf("go build: %v CPU", m.run(t, "build", "./...").Round(100*time.Millisecond))
}

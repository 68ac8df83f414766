package cases

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// Our own cases, one for each kind of schema that others cover with many: small
// enough that their declarations can be read. In testdata/own stand the case and
// its declarations as the defaults give them; in testdata/nativemcp and
// testdata/exactmcp one package of all, with either extreme of the options, for
// the fuzz targets.
const ownFolder = "own"

var update = flag.Bool("update", false, "rewrite the golden files")

var exact = lower.Options{KeepUnknown: true, Numbers: lower.NumbersExact}

func loadOwn(t testing.TB) folder {
	t.Helper()
	f, err := loadFolder(filepath.Join("testdata", ownFolder), ownFolder)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.cases) < 40 {
		t.Fatalf("%d cases of our own are left", len(f.cases))
	}
	return f
}

// TestOwn runs our own cases. They keep within what Go's native numbers hold, so
// both runs count.
func TestOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some 40 packages: skipped by -short")
	}
	f := loadOwn(t)
	t.Run("exact", func(t *testing.T) { run(t, []folder{f}, exact, true) })
	t.Run("native", func(t *testing.T) { run(t, []folder{f}, lower.Options{}, true) })
}

// TestOwnGolden compares the declarations of each case with those that were read
// and found good.
func TestOwnGolden(t *testing.T) {
	for _, c := range loadOwn(t).cases {
		t.Run(c.File, func(t *testing.T) {
			out := generateOwn(t, "demo", lower.Options{}, c)
			golden(t, filepath.Join("testdata", ownFolder, c.File+".go.txt"), out.Files["types_gen.go"])
		})
	}
}

// TestOwnPackages holds the packages that the fuzz targets use to what is
// generated today.
func TestOwnPackages(t *testing.T) {
	for server, options := range map[string]lower.Options{"native": {}, "exact": exact} {
		out := generateOwn(t, server, options, loadOwn(t).cases...)
		for name, src := range out.Files {
			golden(t, filepath.Join("testdata", out.Package, name), src)
		}
	}
}

func generateOwn(t *testing.T, server string, options lower.Options, cases ...*testCase) gen.Output {
	t.Helper()
	var catalog snapshot.Catalog
	for _, c := range cases {
		catalog.Tools = append(catalog.Tools, rawTool(c.tool(), c.Tool.Description, c.Tool.InputSchema, c.Tool.OutputSchema))
	}
	snap, _, err := snapshot.New(catalog, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: server, Source: "snapshots/" + server + ".json", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range out.Diagnostics {
		t.Logf("%s: %s", d.Tool, describe(d))
	}
	return out
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		writeFile(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, rewrite with -update):\n%s", path, diff)
	}
}

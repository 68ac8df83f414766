package gen_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A testCase is one folder below testdata:
//
//	catalog.json   what the server advertises
//	previous.json  what it advertised before, optional
//	input.json     server name and options, optional
type testCase struct {
	dir      string
	name     string
	in       gen.Input
	reported []diag.Diagnostic // by gen/snapshot
}

func loadCases(t *testing.T, kind string) []testCase {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", kind, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no test cases below testdata/%s (%v)", kind, err)
	}
	var cases []testCase
	for _, dir := range dirs {
		c := testCase{dir: dir, name: filepath.Base(dir)}
		var input struct {
			Server  string
			Options lower.Options
		}
		if data, err := os.ReadFile(filepath.Join(dir, "input.json")); err == nil {
			dec := json.NewDecoder(bytes.NewReader(data))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&input); err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
		}
		if input.Server == "" {
			input.Server = strings.ReplaceAll(c.name, "_", "-")
		}
		c.in = gen.Input{Server: input.Server, Source: "snapshots/" + input.Server + ".json", Options: input.Options}
		if _, err := os.Stat(filepath.Join(dir, "previous.json")); err == nil {
			before, _ := takeSnapshot(t, filepath.Join(dir, "previous.json"), nil)
			in := c.in
			in.Snapshot = before
			c.in.Previous = withPins(before, mustGenerate(t, in).Pins)
		}
		c.in.Snapshot, c.reported = takeSnapshot(t, filepath.Join(dir, "catalog.json"), c.in.Previous)
		cases = append(cases, c)
	}
	return cases
}

func takeSnapshot(t *testing.T, path string, previous *snapshot.Snapshot) (*snapshot.Snapshot, []diag.Diagnostic) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := snapshot.ParseCatalog(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	snap, reported, err := snapshot.New(catalog, previous, nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return snap, reported
}

func mustGenerate(t *testing.T, in gen.Input) gen.Output {
	t.Helper()
	out, err := gen.Generate(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// withPins returns s as it stands on disk after a run.
func withPins(s *snapshot.Snapshot, pins map[string]string) *snapshot.Snapshot {
	stored := *s
	stored.Pins = pins
	return &stored
}

// TestGolden compares what comes out with the files beside the catalog, checks
// what holds for every output, and compiles all of them.
func TestGolden(t *testing.T) {
	var outputs []gen.Output
	for _, c := range loadCases(t, "cases") {
		t.Run(c.name, func(t *testing.T) {
			out := mustGenerate(t, c.in)
			outputs = append(outputs, out)
			for name, src := range out.Files {
				golden(t, filepath.Join(c.dir, name+".txt"), src)
				if again, err := format.Source(src); err != nil || !bytes.Equal(again, src) {
					t.Errorf("gofmt changes %s (%v)", name, err)
				}
			}
			golden(t, filepath.Join(c.dir, "pins.txt"), pinText(out.Pins))
			golden(t, filepath.Join(c.dir, "diagnostics.txt"), diagnosticText(append(c.reported, out.Diagnostics...)))
			checkDeterministic(t, c.in, out)
		})
	}
	if testing.Short() {
		t.Skip("compiling runs the go command")
	}
	m := newModule(t)
	for _, out := range outputs {
		m.add(t, out)
	}
	for _, binding := range bindingSources {
		m.write(t, binding.path, []byte(binding.source))
	}
	m.run(t, "build", "./...")
	m.run(t, "vet", "./...")
}

// bindingSources are packages that the cases bind types to.
var bindingSources = []struct{ path, source string }{{"money/money.go", `package money

type Amount struct{ text string }

func (a Amount) MarshalJSON() ([]byte, error)  { return []byte(a.text), nil }
func (a *Amount) UnmarshalJSON(b []byte) error { a.text = string(b); return nil }
`}}

// checkDeterministic generates again in the ways that must not matter.
func checkDeterministic(t *testing.T, in gen.Input, want gen.Output) {
	t.Helper()
	stored := withPins(in.Snapshot, want.Pins)
	shuffled := *in.Snapshot
	shuffled.Tools = slices.Clone(in.Snapshot.Tools)
	slices.Reverse(shuffled.Tools)
	for _, again := range []struct {
		name string
		edit func(*gen.Input)
	}{
		{"tools in another order", func(in *gen.Input) { in.Snapshot = &shuffled }},
		{"from the stored snapshot", func(in *gen.Input) { in.Snapshot, in.Previous = stored, nil }},
		{"a second run", func(in *gen.Input) { in.Snapshot, in.Previous = stored, withPins(in.Snapshot, want.Pins) }},
	} {
		in := in
		again.edit(&in)
		if diff := cmp.Diff(want, mustGenerate(t, in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", again.name, diff)
		}
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if len(got) == 0 {
			_ = os.Remove(path)
		} else if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil && len(got) > 0 {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, rewrite with -update):\n%s", path, diff)
	}
}

func pinText(pins map[string]string) []byte {
	var b bytes.Buffer
	for _, owner := range slices.Sorted(maps.Keys(pins)) {
		fmt.Fprintf(&b, "%s\t%s\n", owner, pins[owner])
	}
	return b.Bytes()
}

func diagnosticText(ds []diag.Diagnostic) []byte {
	var b bytes.Buffer
	for _, d := range ds {
		fmt.Fprintf(&b, "%s %s: %s %s\n\t%s\n\t%s\n", d.Severity, d.Code, d.Tool, d.Pointer, d.Message, d.Hint)
	}
	return b.Bytes()
}

// TestErrors compares the errors of inputs that give no package.
func TestErrors(t *testing.T) {
	for _, c := range loadCases(t, "errors") {
		t.Run(c.name, func(t *testing.T) {
			_, err := gen.Generate(c.in)
			if err == nil {
				t.Fatal("no error")
			}
			golden(t, filepath.Join(c.dir, "error.txt"), []byte(err.Error()+"\n"))
		})
	}
	_, err := gen.Generate(gen.Input{Server: "demo"})
	_, lowerErr := gen.Lower(gen.Input{Server: "demo"})
	for _, err := range []error{err, lowerErr} {
		if err == nil || err.Error() != `server "demo": no snapshot to generate from` {
			t.Errorf("without a snapshot: %v", err)
		}
	}
}

package lower

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// catalogs reads every file matching pattern below the shared data, as tools.
func catalogs(t testing.TB, pattern string) map[string][]snapshot.Tool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testshared.Dir(t), pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no shared test data matches %s", pattern)
	}
	type wire struct {
		Name         string          `json:"name"`
		Title        string          `json:"title"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		Annotations  json.RawMessage `json:"annotations"`
	}
	value := func(file string, raw json.RawMessage) *schema.Value {
		if raw == nil {
			return nil
		}
		v, err := schema.Parse(raw)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		return v
	}
	out := make(map[string][]snapshot.Tool)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Tool  *wire  `json:"tool"`
			Tools []wire `json:"tools"`
		}
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if c.Tool != nil {
			c.Tools = append(c.Tools, *c.Tool)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, w := range c.Tools {
			out[name] = append(out[name], snapshot.Tool{
				Name: w.Name, Title: w.Title, Description: w.Description,
				InputSchema: value(file, w.InputSchema), OutputSchema: value(file, w.OutputSchema), Annotations: value(file, w.Annotations),
			})
		}
	}
	return out
}

// TestShared lowers every case and catalog: no error, no invalid model, and the
// same result in any order of tools, with the pins of the first run or without.
func TestShared(t *testing.T) {
	for _, pattern := range []string{"cases/report/*.json", "cases/nasty/*.json", "cases/refuse/*.json",
		"jsts/draft2020-12/*.json", "jsts/draft7/*.json", "jsts/draft2020-12-optional/*.json", "corpus/*.json"} {
		t.Run(pattern, func(t *testing.T) {
			var total Stats
			codes := make(map[diag.Code]int)
			all := catalogs(t, pattern)
			for i, name := range slices.Sorted(maps.Keys(all)) {
				if testing.Short() && i%10 != 0 {
					continue
				}
				tools := all[name]
				for _, options := range []Options{{}, {Numbers: NumbersExact, KeepUnknown: true}} {
					in := Input{Server: name, Source: "snapshots/x.json", Tools: tools, Options: options}
					r, err := Lower(in)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					checkModel(t, name, r.Package)
					checkStable(t, name, in, r)
					if options.KeepUnknown {
						continue
					}
					total.Tools += r.Stats.Tools
					total.Types += r.Stats.Types
					total.Fields += r.Stats.Fields
					total.Raw += r.Stats.Raw
					total.Open += r.Stats.Open
					for _, d := range r.Diagnostics {
						codes[d.Code]++
						if testing.Verbose() && d.Severity == diag.Warning {
							t.Logf("%s: %s%s: %s: %s", name, d.Tool, d.Pointer, d.Code, d.Message)
						}
					}
				}
			}
			fmt.Printf("%s: %+v %v\n", pattern, total, codes)
		})
	}
}

// checkStable lowers in again: shuffled, and shuffled with its own pins.
func checkStable(t *testing.T, name string, in Input, want Result) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	in.Tools = slices.Clone(in.Tools)
	rng.Shuffle(len(in.Tools), func(i, j int) { in.Tools[i], in.Tools[j] = in.Tools[j], in.Tools[i] })
	for _, pins := range []map[string]string{nil, want.Pins} {
		in.Pins = pins
		got, err := Lower(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a, b := render(got.Package), render(want.Package); a != b {
			t.Errorf("%s: shuffling tools changed the model (-want +got):\n%s", name, cmp.Diff(b, a))
		}
		if diff := cmp.Diff(want.Pins, got.Pins); diff != "" {
			t.Errorf("%s: pins changed (-want +got):\n%s", name, diff)
		}
	}
}

// checkModel holds what emission relies on.
func checkModel(t *testing.T, name string, p *model.Package) {
	t.Helper()
	declared := make(map[model.Decl]bool)
	taken := make(map[string]string)
	take := func(ident, what string) {
		if other, dup := taken[ident]; dup || ident == "" {
			t.Errorf("%s: %q names %s and %s", name, ident, other, what)
		}
		taken[ident] = what
	}
	for _, d := range p.Decls {
		declared[d] = true
		take(d.Ident(), "a type")
		switch d := d.(type) {
		case *model.Union:
			take(d.Interface, "an interface")
			take(d.Var, "a variable")
		case *model.Enum:
			for _, v := range d.Values {
				take(v.Name, "a constant")
			}
		}
	}
	for t2 := range p.Types() {
		if ref, ok := t2.(model.Ref); ok && !declared[ref.Decl] {
			t.Errorf("%s: %s is used and not declared", name, ref.Decl.Ident())
		}
	}
	for _, d := range p.Decls {
		switch d := d.(type) {
		case *model.Struct:
			fields := make(map[string]bool)
			for _, f := range d.Fields {
				if f.Name != "_" && (f.Name == "" || fields[f.Name]) {
					t.Errorf("%s: %s has two fields %q", name, d.Name, f.Name)
				}
				fields[f.Name] = true
				if f.Type == nil && f.Role != model.RoleConst {
					t.Errorf("%s: %s.%s has no type", name, d.Name, f.Name)
				}
			}
		case *model.Named:
			if d.Underlying == nil || d.Underlying == model.Any {
				t.Errorf("%s: %s has no underlying type", name, d.Name)
			}
		}
	}
}

package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/yardstick"
)

// module is the path of the module that the cases are generated into.
const module = "example.com/cases"

// neighbour is the wire name of the good tool that stands beside each case: it
// must come out whole whatever the case does.
const (
	neighbour   = "zz_neighbour"
	neighbourGo = "zNeighbour" // in ZzNeighbour and zzNeighbourTool
)

const neighbourSchema = `{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`

// Bounds of design section "cases": what one definition may cost to refuse.
const (
	maxTime   = 2 * time.Second
	maxMemory = 512 << 20
)

// A built case is what generating it gave.
type built struct {
	*testCase
	pkg         string // directory and last element of the import path
	method      string // Go method of the case's tool, "" when it has none
	files       map[string][]byte
	snapshot    *snapshot.Snapshot
	diagnostics []diag.Diagnostic
	fault       string // why generation itself falls short, "" if it does not
}

// generate makes the package of one case, bounded. Alone is what generateAlone
// gave with the same options.
func generate(c *testCase, number int, options lower.Options, alone string) *built {
	b := &built{}
	options.Package = fmt.Sprintf("c%04d", number)
	var allocated uint64
	took, excess := yardstick.Measure(maxTime, func() {
		*b = built{testCase: c, pkg: options.Package}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.generate(options, alone)
		runtime.ReadMemStats(&after)
		allocated = after.TotalAlloc - before.TotalAlloc
	})
	switch {
	case b.fault != "":
	case excess > 0:
		b.fault = fmt.Sprintf("generation took %s of CPU time", took.Round(time.Millisecond))
	case allocated > maxMemory:
		b.fault = fmt.Sprintf("generation allocated %d MiB", allocated>>20)
	case b.method == "":
		b.fault = "the tool has no method"
	}
	return b
}

func (b *built) generate(options lower.Options, alone string) {
	defer func() {
		if p := recover(); p != nil {
			b.fault = fmt.Sprintf("generation panics: %v", p)
		}
	}()
	catalog := snapshot.Catalog{Tools: []json.RawMessage{
		rawTool(b.tool(), b.Tool.Description, b.Tool.InputSchema, b.Tool.OutputSchema),
		rawTool(neighbour, "", json.RawMessage(neighbourSchema), nil),
	}}
	snap, diagnostics, err := snapshot.New(catalog, nil, nil)
	if err != nil {
		b.fault = "snapshot: " + err.Error()
		return
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Source: "snapshots/" + b.pkg + ".json", Server: b.pkg, Options: options})
	if err != nil {
		b.fault = "generate: " + err.Error()
		return
	}
	b.snapshot, b.files, b.diagnostics = snap, out.Files, slices.Concat(diagnostics, out.Diagnostics)
	methods, err := clientMethods(out.Files)
	if err != nil {
		b.fault = err.Error()
		return
	}
	b.method = methods[b.tool()]
	if declarations(out.Files, neighbourGo) != alone {
		b.fault = "the neighbour tool does not come out as it does alone"
	}
	for _, d := range b.diagnostics {
		if d.Tool == neighbour {
			b.fault = "a diagnostic about the neighbour tool: " + describe(d)
		}
	}
}

// generateAlone returns the neighbour's declarations when no case is beside it.
func generateAlone(t *testing.T, options lower.Options) string {
	t.Helper()
	snap, _, err := snapshot.New(snapshot.Catalog{Tools: []json.RawMessage{
		rawTool(neighbour, "", json.RawMessage(neighbourSchema), nil),
	}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: "alone", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	text := declarations(out.Files, neighbourGo)
	if !strings.Contains(text, "Word") {
		t.Fatalf("the neighbour tool alone gives %q", text)
	}
	return text
}

// declarations returns the source of every declaration whose first line mentions
// the given name.
func declarations(files map[string][]byte, mentioned string) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return err.Error()
		}
		add := func(n ast.Node) {
			var text strings.Builder // printed anew: alignment depends on neighbours
			if err := format.Node(&text, fset, n); err != nil {
				text.WriteString(err.Error())
			}
			if head, _, _ := strings.Cut(text.String(), "\n"); strings.Contains(head, mentioned) {
				out.WriteString(text.String() + "\n")
			}
		}
		for _, d := range f.Decls {
			if group, ok := d.(*ast.GenDecl); ok {
				for _, spec := range group.Specs {
					add(spec)
				}
				continue
			}
			add(d)
		}
	}
	return out.String()
}

func rawTool(name, description string, input, output json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"name":%q,"description":%s`, name, mustJSON(description))
	if input != nil {
		fmt.Fprintf(&b, `,"inputSchema":%s`, input)
	}
	if output != nil {
		fmt.Fprintf(&b, `,"outputSchema":%s`, output)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// clientMethods maps wire names of tools to methods of Client, as the emitted
// source says: the first line of each method's documentation names its tool.
func clientMethods(files map[string][]byte) (map[string]string, error) {
	methods := map[string]string{}
	for name, src := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Doc == nil {
				continue
			}
			if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok && star.X.(*ast.Ident).Name == "Client" {
				if _, rest, ok := strings.Cut(fn.Doc.Text(), `"`); ok {
					tool, _, _ := strings.Cut(rest, `"`)
					methods[tool] = fn.Name.Name
				}
			}
		}
	}
	return methods, nil
}

// compile compiles all packages into one program and returns its path. A package
// that does not compile is its case's fault, and left out.
func compile(t *testing.T, dir, root string, all []*built) string {
	t.Helper()
	program := filepath.Join(dir, "driver.exe")
	for {
		writeModule(t, dir, root, all)
		_, err := goCommand(t, dir, "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
		if err == nil {
			return program
		}
		left := len(all)
		for _, b := range all {
			if _, reason, ok := strings.Cut(err.Error(), "# "+module+"/"+b.pkg+"\n"); ok && b.method != "" {
				first, _, _ := strings.Cut(reason, "\n")
				b.fault, b.method = "does not compile: "+first, ""
				left--
			}
		}
		if left == len(all) {
			t.Fatalf("the generated packages do not compile: %v", err)
		}
	}
}

// writeModule writes all packages and the driver into dir.
func writeModule(t *testing.T, dir, root string, all []*built) {
	t.Helper()
	var imports, entries strings.Builder
	for _, b := range all {
		if b.files == nil {
			continue
		}
		for name, src := range b.files {
			writeFile(t, filepath.Join(dir, b.pkg, name), src)
		}
		if b.method != "" {
			fmt.Fprintf(&imports, "\t%q\n", module+"/"+b.pkg)
			fmt.Fprintf(&entries, "\t%q: driver.Tool((*%s.Client).%s),\n", b.id(), b.pkg, b.method)
		}
	}
	driver, err := os.ReadFile(filepath.Join("testdata", "driver.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "driver", "driver.go"), driver)
	writeFile(t, filepath.Join(dir, "main.go"), fmt.Appendf(nil,
		"package main\n\nimport (\n%s\t%q\n)\n\nfunc main() { driver.Main(tools) }\n\nvar tools = map[string]driver.Types{\n%s}\n",
		imports.String(), module+"/driver", entries.String()))

	writeGoMod(t, dir, root)
}

// writeGoMod makes dir a module that uses the repository at root and nothing that
// this does not require.
func writeGoMod(t *testing.T, dir, root string) {
	t.Helper()
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(gomod), "module github.com/mcpbind/mcpbind", "module "+module, 1)
	text += "\nrequire github.com/mcpbind/mcpbind v0.0.0\n\nreplace github.com/mcpbind/mcpbind => " + root + "\n"
	writeFile(t, filepath.Join(dir, "go.mod"), []byte(text))
	writeFile(t, filepath.Join(dir, "go.sum"), gosum)
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goCommand runs the go command in dir.
func goCommand(t *testing.T, dir string, args ...string) ([]byte, error) {
	t.Helper()
	return command(t, dir, nil, "go", args...)
}

// command runs a program in dir and returns its standard output; an error holds
// its standard error.
func command(t *testing.T, dir string, stdin []byte, name string, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	cmd.Stdin = bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, errs.String())
	}
	return out.Bytes(), nil
}

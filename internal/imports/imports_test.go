package imports

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mcpbind/mcpbind"

// An arrow is one rule: packages below From import, of the packages below
// Among, only those below Allowed.
type arrow struct {
	from    string   // path inside the module; it and everything below it
	except  []string // paths inside the module that the rule leaves alone
	among   []string // import path prefixes that the rule is about
	allowed []string // prefixes that are fine all the same
}

func in(paths ...string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = module + "/" + p
	}
	return out
}

var (
	yaml   = []string{"github.com/goccy/go-yaml", "gopkg.in/yaml", "go.yaml.in/yaml", "sigs.k8s.io/yaml"}
	goSDK  = []string{"github.com/modelcontextprotocol/go-sdk"}
	writer = []string{"github.com/dave/jennifer"}
	cobra  = []string{"github.com/spf13/cobra"}
	invop  = []string{"github.com/invopop/jsonschema"}
	jsonv2 = []string{"encoding/json/v2"}
)

var arrows = []arrow{
	{from: "", among: in("cmd"), except: []string{"cmd"}},
	{from: "", among: yaml, except: []string{"runtime/config"}},
	{from: "", among: writer, except: []string{"gen/emit"}},
	{from: "", among: cobra, except: []string{"cmd/mcpbind"}},
	{from: "", among: invop, except: []string{"cmd/mcpbind"}},
	{from: "", among: jsonv2},
	{from: "gen", among: []string{module}, allowed: in("gen", "internal"), except: []string{"gen/discover"}},
	{from: "gen", among: []string{"net", "net/http", "os", "os/exec"}, except: []string{"gen/discover"}},
	{from: "gen", among: goSDK},
	{from: "gen/discover", among: []string{module}, allowed: in("gen/snapshot", "gen/diag", "runtime", "internal")},
	{from: "gen/model", among: []string{module}},
	{from: "gen/diag", among: []string{module}, allowed: in("internal/safetext")},
	{from: "gen/names", among: []string{module}},
	{from: "gen/emit", among: []string{module}, allowed: in("gen/model", "internal/safetext")},
	{from: "gen/check", among: []string{module}, allowed: in("gen/model", "internal")},
	{from: "runtime", among: []string{module}, allowed: in("runtime", "internal/schema", "internal/drift", "internal/safetext", "internal/redact", "internal/spelling")},
	{from: "runtime/codec", among: []string{module}},
	{from: "runtime/config", among: goSDK},
	{from: "internal", among: []string{module}, allowed: in("internal"), except: []string{"internal/interop", "internal/faultserver", "internal/conformanceclient"}},
	{from: "internal/schema", among: []string{module}},
	{from: "internal/spelling", among: []string{module}},
	{from: "internal/safetext", among: []string{module}},
	{from: "internal/redact", among: []string{module}},
	{from: "generated", among: []string{module}, allowed: in("runtime")},
	{from: "generated", among: []string{"github.com/", "golang.org/", "go.opentelemetry.io/"}, allowed: in("runtime")},
}

// below reports whether path is prefix or stands below it.
func below(path, prefix string) bool {
	return path == prefix || prefix == "" || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

func (a arrow) forbids(from, to string) bool {
	is := func(prefix string) bool { return below(to, prefix) }
	inside := func(place string) bool { return below(from, strings.TrimSuffix(module+"/"+place, "/")) }
	return inside(a.from) && !slices.ContainsFunc(a.except, inside) &&
		slices.ContainsFunc(a.among, is) && !slices.ContainsFunc(a.allowed, is)
}

// graph maps the module's packages to the imports of their own code, tests left
// out. It reads the files itself: what the go command reads, the test cache does
// not see.
func graph(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := module + "/" + filepath.ToSlash(dir)
		for _, spec := range f.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[pkg] = append(imports[pkg], to)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func TestArrows(t *testing.T) {
	imports := graph(t)
	if len(imports) < 10 {
		t.Fatalf("only %d packages were found", len(imports))
	}
	for from, tos := range imports {
		for _, to := range tos {
			for _, a := range arrows {
				if a.forbids(from, to) {
					t.Errorf("%s must not import %s", strings.TrimPrefix(from, module+"/"), to)
				}
			}
		}
	}
}

// TestArrowsBite makes sure that each rule can fail.
func TestArrowsBite(t *testing.T) {
	for _, c := range []struct {
		from, to string
		wrong    bool
	}{
		{"runtime", module + "/gen", true},
		{"runtime", module + "/gen/names", true},
		{"runtime/config", "github.com/goccy/go-yaml", false},
		{"runtime", "github.com/goccy/go-yaml", true},
		{"runtime", "github.com/spf13/cobra", true},
		{"gen/lower", module + "/runtime", true},
		{"gen/discover", module + "/runtime", false},
		{"gen/lower", module + "/internal/schema", false},
		{"gen/lower", "os", true},
		{"gen/lower", "github.com/dave/jennifer/jen", true},
		{"gen/emit", "github.com/dave/jennifer/jen", false},
		{"generated/demomcp", module + "/runtime/codec", false},
		{"generated/demomcp", module + "/internal/schema", true},
		{"runtime/codec", module + "/runtime", true},
		{"cmd/mcpbind/internal/cli", module + "/gen", false},
		{"internal/schema", "encoding/json/v2", true},
	} {
		got := slices.ContainsFunc(arrows, func(a arrow) bool { return a.forbids(module+"/"+c.from, c.to) })
		if got != c.wrong {
			t.Errorf("%s -> %s: forbidden = %v, want %v", c.from, c.to, got, c.wrong)
		}
	}
}

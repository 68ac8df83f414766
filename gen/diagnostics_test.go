package gen_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const diagnosticsPage = "../docs/diagnostics.md"

// A codeFact is what the source says about one diagnostic code.
type codeFact struct {
	code, meaning, hint string
	severities          map[string]bool
}

// readCodes reads the codes of a package: their comments, their hints, and how
// severe the calls that name them are.
func readCodes(t *testing.T, dir string) []*codeFact {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no Go files in %s (%v)", dir, err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	var facts []*codeFact
	byName := make(map[string]*codeFact)
	visit := func(f func(ast.Node)) {
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool { f(n); return true })
		}
	}
	visit(func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !isSelector(spec.Type, "diag", "Code") {
			return
		}
		name := spec.Names[0].Name
		meaning, found := strings.CutPrefix(strings.Join(strings.Fields(spec.Doc.Text()), " "), name+": ")
		if !found {
			t.Errorf("%s: its comment has to begin with %q", name, name+": ")
		}
		fact := &codeFact{code: text(spec.Values[0]), meaning: meaning, severities: make(map[string]bool)}
		facts = append(facts, fact)
		byName[name] = fact
	})
	visit(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && byName[key.Name] != nil {
				byName[key.Name].hint = text(n.Value)
			}
		case *ast.CallExpr:
			severity := ""
			for _, arg := range n.Args {
				if sel, ok := arg.(*ast.SelectorExpr); ok && (isSelector(sel, "diag", "Warning") || isSelector(sel, "diag", "Note")) {
					severity = strings.ToLower(sel.Sel.Name)
				}
				if id, ok := arg.(*ast.Ident); ok && byName[id.Name] != nil && severity != "" {
					byName[id.Name].severities[severity] = true
				}
			}
		}
	})
	return facts
}

func isSelector(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg && sel.Sel.Name == name
}

func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value)
	return s
}

// TestDiagnosticsPage keeps docs/diagnostics.md what the source says. With
// -update it is rewritten.
func TestDiagnosticsPage(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(`# Diagnostics

What is odd about a tool or a schema costs that part only: ` + "`mcpbind generate`" + ` writes the package all the same, says what it gave up, and ends 0. A diagnostic names the server, the tool and the place in it as a JSON pointer, and ends with its code in brackets:

` + "```text" + `
warning: netlify: coding-rules /inputSchema/properties/creationType: enum lists no value at all; no value may satisfy this schema; ask the server's authors [incompatible-parts]
` + "```" + `

A *warning* is a loss: a tool left out, a type looser than the schema, a check that cannot be made. A *note* is worth knowing, and nothing is lost. "Raw JSON" is ` + "`any`" + ` in arguments and ` + "`json.RawMessage`" + ` in results. Codes are stable. This page is made from the source by ` + "`go test ./gen -run TestDiagnosticsPage -update`" + `.

`)
	section := func(title, dir, only string) {
		fmt.Fprintf(&page, "## %s\n\n| Code | | Meaning | What to do |\n|---|---|---|---|\n", title)
		for _, fact := range readCodes(t, dir) {
			severity := only
			for s := range fact.severities {
				severity = s
			}
			if fact.hint == "" || fact.meaning == "" || len(fact.severities) > 1 {
				t.Errorf("%s: hint %q, meaning %q, severities %v: one of each", fact.code, fact.hint, fact.meaning, fact.severities)
			}
			hint := sentence(fact.hint) + "."
			if why, nothing := strings.CutPrefix(hint, "Nothing: "); nothing {
				hint = "Nothing. " + sentence(why)
			}
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", fact.code, severity, markdown(sentence(fact.meaning)), markdown(hint))
		}
		page.WriteString("\n")
	}
	section("While a server's tools are read", "snapshot", "warning")
	section("While schemas become Go types", "lower", "warning")
	want := append(bytes.TrimRight(page.Bytes(), "\n"), '\n')
	if *update {
		if err := os.WriteFile(diagnosticsPage, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(diagnosticsPage)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: run go test ./gen -run TestDiagnosticsPage -update", diagnosticsPage)
	}
}

func sentence(s string) string {
	if s == "" || s[0] == '$' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func markdown(s string) string { return strings.NewReplacer("|", `\|`, "{}", "`{}`").Replace(s) }

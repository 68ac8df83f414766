package runtime_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/faultserver"
)

var update = flag.Bool("update", false, "write docs/faults.md")

// The table of faults, the list of faulty servers and the tests are the same.
func TestFaultsAreDocumented(t *testing.T) {
	var names []string
	var b strings.Builder
	b.WriteString(faultsHead)
	for _, f := range faultserver.All() {
		names = append(names, f.Name)
		over := "HTTP"
		if f.Stdio() {
			over = "stdio"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `TestFault_%s` |\n", over, f.Does, f.Sees, f.Name)
	}
	path := filepath.Join("..", "docs", "faults.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != b.String() {
		t.Errorf("docs/faults.md is not what internal/faultserver says (%v): go test ./runtime -run TestFaultsAreDocumented -update", err)
	}
	if tests := faultTests(t); !slices.Equal(tests, names) {
		t.Errorf("faults without a test, or tests without a fault:\nfaults %q\ntests  %q", names, tests)
	}
}

const faultsHead = `# What a server can do, and what its caller sees

Each line is a server of ` + "`internal/faultserver`" + ` with one fault, and the test in ` + "`runtime`" + `
that says what a caller of its tools sees. Under each test, goroutines are counted
afterwards and memory while it runs; where the fault is one of a single call, the next
call on the same session must succeed. The table is written and checked by
` + "`TestFaultsAreDocumented`" + `.

| over | the server | its caller sees | test |
|---|---|---|---|
`

// faultTests lists the tests of faults in this folder, sorted, by fault.
func faultTests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if name, ok := strings.CutPrefix(f.Name.Name, "TestFault_"); ok {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

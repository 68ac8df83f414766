package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen"
)

// A module is a temporary Go module of generated packages that uses this
// repository's runtime.
type module struct{ dir string }

// newModule makes one below the repository, so that it shares go.sum.
func newModule(t testing.TB) module {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	m := module{t.TempDir()}
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	goSum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	// The requirements of this module, so that nothing needs to be looked up.
	text := "module example.com/generated\n" + string(goMod[len("module github.com/mcpbind/mcpbind\n"):]) +
		fmt.Sprintf("\nrequire github.com/mcpbind/mcpbind v0.0.0\n\nreplace github.com/mcpbind/mcpbind => %s\n", root)
	m.write(t, "go.mod", []byte(text))
	m.write(t, "go.sum", goSum)
	return m
}

func (m module) write(t testing.TB, name string, data []byte) {
	t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func (m module) add(t testing.TB, out gen.Output) {
	t.Helper()
	for name, src := range out.Files {
		m.write(t, out.Package+"/"+name, src)
	}
}

// run runs the go command in the module and returns the CPU time it took.
func (m module) run(t testing.TB, args ...string) time.Duration {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = m.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %v: %v\n%s", args, err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

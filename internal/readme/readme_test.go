package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// A block is one fenced block of the README.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocks(t *testing.T, root string) []block {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	for _, m := range fence.FindAllStringSubmatch(string(data), -1) {
		out = append(out, block{m[1], m[2]})
	}
	return out
}

// clone stands for the README's git clone: the working tree itself, so that the
// test is about the code at hand.
const clone = `
git() {
	if [ "$1" = clone ]; then ln -s "$MCPBIND_ROOT" mcpbind; else command git "$@"; fi
}
`

// TestCommands runs the README as a newcomer would: all its commands in one
// shell, in order, beginning in the clone; Go blocks that name their file are
// written where the shell stands.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a fresh module: skipped by -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the README's commands are for a POSIX shell")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("set -euo pipefail\n" + clone)
	// One test cannot run the README's `go test ./...`, of which it is a part.
	tests := regexp.MustCompile(`(?m)^go test \./\.\.\..*$`)
	seen := false
	for i, b := range blocks(t, root) {
		switch {
		case b.language == "sh" && !seen:
			seen = true
			if !tests.MatchString(b.text) {
				t.Error("the README's first block does not run the tests")
			}
			script.WriteString("cd \"$MCPBIND_ROOT\"\n" + tests.ReplaceAllString(b.text, ":") + "cd \"$WORK\"\n")
		case b.language == "sh":
			script.WriteString("set -x\n" + b.text + "{ set +x; } 2>/dev/null\n")
		case b.language == "go" && strings.HasPrefix(b.text, "// "):
			name, text, _ := strings.Cut(strings.TrimPrefix(b.text, "// "), "\n")
			script.WriteString("cat > " + name + " <<'EOF" + string(rune('A'+i)) + "'\n" + text + "EOF" + string(rune('A'+i)) + "\n")
		}
	}
	work := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script.String())
	path := gopath(t, work)
	cmd.Env = append(os.Environ(), "MCPBIND_ROOT="+root, "WORK="+work, "GOWORK=off", "GOFLAGS=", "GOBIN=", "GOPATH="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the README's commands: %v\n%s", err, out)
	}
	for _, want := range []string{"opened issue ", "-> generated/demomcp", "unchanged", "whoami", "Reproduce the crash"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the README's commands did not print %q; they printed:\n%s", want, out)
		}
	}
}

// gopath keeps `go install` out of the tester's own bin directory, and shares
// the module cache.
func gopath(t *testing.T, work string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", strings.TrimSpace(string(out)))
	return filepath.Join(work, "gopath")
}

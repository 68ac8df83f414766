package interop

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// limit bounds the whole run: a cold build of the generated packages takes most of it.
const limit = 5 * time.Minute

// plenty is for what must happen in the end, and long enough for a machine on which
// nothing happens for seconds.
const plenty = time.Minute

// servers returns the directory with the installed npm servers.
func servers(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MCPBIND_INTEROP")
	if dir == "" {
		t.Skip("MCPBIND_INTEROP is not set: `make interop` installs the npm servers and sets it")
	}
	return filepath.Join(dir, "node_modules", "@modelcontextprotocol")
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out.String())
	}
	return out.String()
}

// everything starts server-everything over HTTP and returns its endpoint.
func everything(t *testing.T, npm string) string {
	t.Helper()
	address := freeAddress(t)
	startEverything(t, filepath.Join(npm, "server-everything", "dist", "index.js"), address)
	return "http://" + address + "/mcp"
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// startEverything starts server-everything over HTTP and waits until it listens.
func startEverything(t *testing.T, script, address string) *exec.Cmd {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", script, "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for deadline := time.Now().Add(plenty); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return cmd
		}
		if time.Now().After(deadline) {
			t.Fatalf("server-everything does not listen: %v", err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestServers generates one package from each live server, compiles a program
// against all of them, and runs it: typed calls whose answers it knows.
func TestServers(t *testing.T) {
	npm := servers(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, files := t.TempDir(), t.TempDir()
	mcpbind := filepath.Join(t.TempDir(), "mcpbind")
	run(t, root, "go", "build", "-o", mcpbind, "./cmd/mcpbind")

	script := func(name string) string { return filepath.Join(npm, name, "dist", "index.js") }
	write(t, filepath.Join(dir, "mcpbind.yaml"), fmt.Sprintf(`version: 1
servers:
  everything: {url: %q}
  everything-stdio: {command: node, args: [%q, stdio]}
  files: {command: node, args: [%q, %q]}
  memory: {command: node, args: [%q], env: {MEMORY_FILE_PATH: %q}}
`, everything(t, npm), script("server-everything"), script("server-filesystem"), files,
		script("server-memory"), filepath.Join(files, "memory.json")))

	t.Logf("generate:\n%s", run(t, dir, mcpbind, "generate"))
	sum := run(t, root, "go", "list", "-m", "-f", "{{.GoMod}}")
	gomod, err := os.ReadFile(strings.TrimSpace(sum))
	if err != nil {
		t.Fatal(err)
	}
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(gomod), "module github.com/mcpbind/mcpbind", "module example.com/interop", 1))
	write(t, filepath.Join(dir, "go.sum"), string(gosum))
	run(t, dir, "go", "mod", "edit", "-require=github.com/mcpbind/mcpbind@v0.0.0", "-replace=github.com/mcpbind/mcpbind="+root)
	program, err := os.ReadFile(filepath.Join("testdata", "program.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "main.go"), string(program))
	run(t, dir, "go", "vet", "./...")

	got := run(t, dir, "go", "run", ".", files)
	for _, want := range []string{
		"everything: 2 + 3: The sum of 2 and 3 is 5.",
		"everything-stdio: 2 + 3: The sum of 2 and 3 is 5.",
		"files: read back: hello from mcpbind",
		"memory: read back: Ada Lovelace (person): wrote the first program",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("the program did not print %q; it printed:\n%s", want, got)
		}
	}
	if got := run(t, dir, mcpbind, "generate", "--check"); strings.Contains(got, "stale") {
		t.Errorf("generate --check right after generate: %s", got)
	}
}

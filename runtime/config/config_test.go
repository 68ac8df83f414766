package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/config"
)

// write puts files, by name, into a new directory and returns its mcpbind.yaml.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, config.Name)
}

func env(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

const everyKey = `version: 1
output: gen/out/
snapshots: snap
imports: [.mcp.json]
servers:
  github:
    type: http
    url: https://${HOST:-staging.example.com}/mcp
    headers: {Authorization: "Bearer ${GITHUB_TOKEN}"}
    timeout: 15s
    call_timeout: 1m30s
    protocol: "2025-11-25"
    validate: {results: true}
    tools: {include: ["*"], exclude: ["delete_*"]}
    go:
      package: githubmcp
      rename: {create_issue: OpenIssue}
      numbers: exact
      keep_unknown: true
      formats: {date-time: time}
      bindings: {Money: example.com/shop/money.Amount}
  files:
    command: npx
    args: [-y, "@modelcontextprotocol/server-filesystem", ., 8080, true]
    cwd: work
    env: {LOG: "${LOG:-off}", PORT: 8080, PRICE: "$5 $${x}"}
    inherit_env: [CI]
  saved: {catalog: tools.json}
  imported:
    timeout: 3s
    call_timeout: 4s
    inherit_env: [CI]
`

const imports = `{"inputs": [], "mcpServers": {
	"imported": {"command": "./bin/server", "args": ["-x", 3], "env": {"KEY": "${env:KEY}"}, "autoApprove": ["a"]},
	"github": {"url": "https://loses.example.com/mcp"},
	"other": {"type": "http", "url": "http://localhost:1/mcp"}
}}`

func TestLoad(t *testing.T) {
	path := write(t, map[string]string{config.Name: everyKey, ".mcp.json": imports})
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if file.Output != "gen/out" || file.Snapshots != "snap" {
		t.Errorf("directories: %q, %q", file.Output, file.Snapshots)
	}
	dir := filepath.Dir(path)
	got := file.Servers(env(map[string]string{"GITHUB_TOKEN": "ghp_secret", "KEY": "k", "LOG": ""}))
	want := []runtime.ServerConfig{
		{
			Name: "files", Command: "npx", Dir: filepath.Join(dir, "work"),
			Args:       []string{"-y", "@modelcontextprotocol/server-filesystem", ".", "8080", "true"},
			Env:        map[string]string{"LOG": "off", "PORT": "8080", "PRICE": "$5 ${x}"},
			InheritEnv: []string{"CI"}, Secrets: map[string]string{},
		},
		{
			Name: "github", URL: "https://staging.example.com/mcp",
			Headers: map[string]string{"Authorization": "Bearer ghp_secret"},
			Timeout: 15 * time.Second, CallTimeout: 90 * time.Second, Protocol: "2025-11-25",
			Validate: &runtime.Validation{Arguments: true, Results: true},
			Secrets:  map[string]string{"GITHUB_TOKEN": "ghp_secret"},
		},
		{
			Name: "imported", Command: filepath.Join(dir, "bin", "server"), Args: []string{"-x", "3"}, Dir: dir,
			Headers: map[string]string{}, Env: map[string]string{"KEY": "k"}, InheritEnv: []string{"CI"},
			Timeout: 3 * time.Second, CallTimeout: 4 * time.Second, Secrets: map[string]string{"KEY": "k"},
		},
		{
			Name: "other", URL: "http://localhost:1/mcp", Headers: map[string]string{}, Env: map[string]string{},
			Secrets: map[string]string{},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	saved, _ := file.Entry("saved")
	if want := filepath.Join(dir, "tools.json"); saved.CatalogPath() != want {
		t.Errorf("catalog path %q, want %q", saved.CatalogPath(), want)
	}
	github, _ := file.Entry("github")
	wantGo := config.Go{
		Package: "githubmcp", Rename: map[string]string{"create_issue": "OpenIssue"}, Numbers: "exact", KeepUnknown: true,
		Formats: map[string]string{"date-time": "time"}, Bindings: map[string]string{"Money": "example.com/shop/money.Amount"},
	}
	if diff := cmp.Diff(wantGo, github.Go); diff != "" {
		t.Errorf("go (-want +got):\n%s", diff)
	}
	wantTools := config.Tools{Include: []string{"*"}, Exclude: []string{"delete_*"}}
	if diff := cmp.Diff(wantTools, github.Tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

func TestAnchors(t *testing.T) {
	path := write(t, map[string]string{config.Name: `version: 1
servers:
  a: &base
    url: https://a.example.com
    headers: &h {X: "1"}
    timeout: 5s
  b: {<<: *base, url: https://b.example.com}
  c: {url: https://c.example.com, headers: *h}
`})
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := file.Entry("b")
	c, _ := file.Entry("c")
	if b.URL != "https://b.example.com" || b.Timeout != "5s" || c.Headers["X"] != "1" {
		t.Errorf("b: %+v\nc: %+v", b.Server, c.Server)
	}
}

func TestFind(t *testing.T) {
	path := write(t, map[string]string{config.Name: "version: 1\n"})
	deep := filepath.Join(filepath.Dir(path), "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := config.Find(deep); err != nil || got != path {
		t.Errorf("found %q, %v; want %q", got, err, path)
	}
	if _, err := config.Find(t.TempDir()); !errors.Is(err, config.ErrNotFound) {
		t.Errorf("error %v, want ErrNotFound", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(everyKey)
	f.Add("version: 1\nservers: &s {<<: *s, a: *s}\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := write(t, map[string]string{config.Name: text, ".mcp.json": imports, "tools.json": "{}"})
		if file, err := config.Load(path); err == nil {
			file.Servers(env(nil))
		}
	})
}

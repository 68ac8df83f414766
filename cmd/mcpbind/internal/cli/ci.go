package cli

import (
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/templates"
)

// workflowFile is where GitHub looks for it, from the root of the repository.
const workflowFile = ".github/workflows/mcpbind.yml"

// initCI writes the workflow for the configuration that is found.
func (a *app) initCI() error {
	p, err := a.load()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.file.Dir)
	if err != nil {
		return err
	}
	root := above(dir, ".git", dir)
	target := filepath.Join(root, filepath.FromSlash(workflowFile))
	if exists(target) {
		return fmt.Errorf("%s exists already; nothing was written", workflowFile)
	}
	module, err := relativeTo(root, filepath.Join(above(dir, "go.mod", root), "go.mod"))
	if err != nil {
		return err
	}
	directory, err := relativeTo(root, dir)
	if err != nil {
		return err
	}
	data := templates.Workflow{
		GoMod:     strconv.Quote(module),
		Snapshots: shellQuote(path.Clean(p.file.Snapshots)),
		Variables: a.variables(p),
		Minute:    minute(directory),
	}
	if directory != "." {
		data.Directory = strconv.Quote(directory)
	}
	text, err := templates.Execute("mcpbind.yml", data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if err := create(target, text); err != nil {
		return err
	}
	a.stderr.printf("wrote %s\n", workflowFile)
	if len(data.Variables) > 0 {
		a.stderr.printf("next: give the repository these secrets, or take them out: %v\n", data.Variables)
	}
	return nil
}

// variables lists the environment variables that the configuration expands or hands
// on, other than those that every runner sets: they are no secrets, and an empty HOME
// would leave the go command without its cache.
func (a *app) variables(p *project) []string {
	names := make(map[string]bool)
	for _, t := range p.targets {
		t.ServerConfig(func(name string) (string, bool) {
			names[name] = true
			return "x", true
		})
		for _, name := range t.InheritEnv {
			names[name] = true
		}
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return ofRunner(name) })
	return slices.Sorted(maps.Keys(names))
}

// ofRunner reports whether GitHub's runners set a variable themselves. The token is
// there as a secret only.
func ofRunner(name string) bool {
	switch name {
	case "GITHUB_TOKEN":
		return false
	case "CI", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER":
		return true
	default:
		return strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "RUNNER_")
	}
}

// minute spreads nightly jobs over the hour, always alike for one repository.
func minute(seed string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(seed)) // never fails
	return 5 + int(h.Sum32()%50)
}

// shellQuote quotes a word for a POSIX shell, unless it is plain.
func shellQuote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' || r == '/'
	}
	if word != "" && word[0] != '-' && !slices.ContainsFunc([]rune(word), func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

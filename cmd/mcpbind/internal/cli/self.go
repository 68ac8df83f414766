package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// self is how this run of the command was called, for hints that can be copied:
// "mcpbind", "go tool mcpbind" or "go run ...". The go command tells no program
// how it was started, but those that it builds by itself stand in its cache.
var self = sync.OnceValue(func() string {
	executable, err := os.Executable()
	if err != nil {
		return name
	}
	return calledAs(executable, goMod())
})

const (
	name        = "mcpbind"
	packagePath = modulePath + "/cmd/mcpbind"
)

// inCache matches executables of go tool and go run: in the build cache, or in a
// temporary directory where nothing is cached.
var inCache = regexp.MustCompile(`/[0-9a-f]{64}-d/[^/]+$|/go-build\d+/`)

// calledAs returns how an executable was called in a module with this go.mod.
func calledAs(executable, mod string) string {
	switch {
	case !inCache.MatchString(filepath.ToSlash(executable)):
		return name
	case regexp.MustCompile(`(?m)^\s*(tool\s+)?` + regexp.QuoteMeta(packagePath) + `\s*(//.*)?$`).MatchString(mod):
		return "go tool " + name
	case strings.HasPrefix(mod, "module "+modulePath+"\n"):
		return "go run ./cmd/mcpbind"
	default:
		return "go run " + packagePath
	}
}

// goMod returns the text of the go.mod that applies here, "" for none.
func goMod() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(above(dir, "go.mod", dir), "go.mod"))
	if err != nil {
		return ""
	}
	return string(data)
}

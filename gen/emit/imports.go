package emit

import (
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/gen/model"
)

// Import paths of what emitted code uses.
const (
	pathContext = "context"
	pathJSON    = "encoding/json"
	pathTime    = "time"
	pathRuntime = "github.com/mcpbind/mcpbind/runtime"
	pathCodec   = "github.com/mcpbind/mcpbind/runtime/codec"
)

// fixedAliases are what emitted code calls the packages it may import. Names
// that a package declares are exported or end in a capitalised word, so no
// declaration can hide an import.
var fixedAliases = map[string]string{
	pathContext: "context",
	pathJSON:    "json",
	pathTime:    "time",
	pathRuntime: "runtime",
	pathCodec:   "codec",
}

// locals are the parameter names of emitted functions.
var locals = []string{"b", "c", "caller", "ctx", "in", "opts", "v"}

// aliasesFor returns an alias for every import of p: the fixed ones, and for
// bindings the last element of their path, made legal and unique.
func aliasesFor(p *model.Package) map[string]string {
	aliases := maps.Clone(fixedAliases)
	var bindings []string
	for t := range p.Types() {
		if q, ok := t.(model.Qualified); ok && aliases[q.Path] == "" {
			aliases[q.Path] = "?"
			bindings = append(bindings, q.Path)
		}
	}
	slices.Sort(bindings)
	taken := make(map[string]bool)
	for _, alias := range fixedAliases {
		taken[alias] = true
	}
	for _, local := range locals {
		taken[local] = true
	}
	for _, path := range bindings {
		alias := bindingAlias(path)
		for n := 2; taken[alias]; n++ {
			alias = bindingAlias(path) + strconv.Itoa(n)
		}
		taken[alias] = true
		aliases[path] = alias
	}
	return aliases
}

// bindingAlias returns the package name that an import path suggests, in small
// letters and digits: github.com/x/go-money/v2 gives gomoney.
func bindingAlias(importPath string) string {
	last := lastElement(importPath)
	if isMajorVersion(last) {
		last = lastElement(path.Dir(importPath))
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return -1
	}, last)
	if !token.IsIdentifier(name) || types.Universe.Lookup(name) != nil {
		return "pkg" + name
	}
	return name
}

func lastElement(importPath string) string { return path.Base(importPath) }

func isMajorVersion(element string) bool {
	digits, ok := strings.CutPrefix(element, "v")
	if !ok {
		return false
	}
	_, err := strconv.Atoi(digits)
	return err == nil
}

// isStd reports whether path is of the standard library: no dot in its first element.
func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// pkg returns the alias of an import path and notes that the file needs it.
func (f *file) pkg(path string) string {
	f.used = append(f.used, path)
	return f.aliases[path]
}

// name returns a qualified identifier.
func (f *file) name(path, ident string) string { return f.pkg(path) + "." + ident }

// typeExpr returns the Go spelling of t.
func (f *file) typeExpr(t model.Type) string {
	switch t := t.(type) {
	case model.Basic:
		return string(t)
	case model.Qualified:
		return f.name(t.Path, t.Name)
	case model.Pointer:
		return "*" + f.typeExpr(t.Elem)
	case model.Slice:
		return "[]" + f.typeExpr(t.Elem)
	case model.Map:
		return "map[string]" + f.typeExpr(t.Elem)
	case model.Nullable:
		return f.name(pathRuntime, "Nullable") + "[" + f.typeExpr(t.Elem) + "]"
	case model.Ref:
		if t.Decl == nil {
			f.fail("a reference without a declaration")
			return "any"
		}
		return t.Decl.Ident()
	default:
		f.fail("unknown type expression %T", t)
		return "any"
	}
}

package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/runtime"
)

// Name is the name of the configuration file.
const Name = "mcpbind.yaml"

// ErrNotFound is returned by [Find] when there is no configuration file.
var ErrNotFound = errors.New("no " + Name + " here or in a parent directory")

// A File is a configuration file that has been read and checked.
type File struct {
	Path      string  // the file, as it was named
	Dir       string  // its directory; relative paths start there
	Output    string  // directory of the packages: relative to Dir, slash-separated, clean
	Snapshots string  // directory of the snapshots: relative to Dir, slash-separated, clean
	Entries   []Entry // every server, imported ones too, in order of name
	Warnings  Errors  // imported servers that were left out, and why
}

// An Entry is one configured server, as written: nothing is expanded.
type Entry struct {
	Name string
	Server

	dir     string // relative paths of the entry start here
	origin  string // the file that tells how to connect, for error messages
	section string // what its keys there begin with, before the name
}

// Find returns the path of the mcpbind.yaml in dir or the nearest parent that
// has one. The error is [ErrNotFound] when there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, Name)
		switch info, err := os.Stat(path); {
		case err == nil && !info.IsDir():
			return path, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNotFound
		}
		dir = parent
	}
}

// Load reads and checks the configuration file at path and the files that it
// imports. Faults of the content come as [Errors], all of them at once. No
// environment variable is read.
func Load(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err // names the file and the reason
	}
	d := decoder{path: path}
	var doc Document
	if d.decode(data, &doc); len(d.errs) > 0 {
		return nil, d.errs.sorted()
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Dir: dir, Output: "generated", Snapshots: "snapshots"}
	imports := d.imports(&doc, dir)
	d.check(&doc, imports, f)
	if len(d.errs) > 0 {
		return nil, d.errs.sorted()
	}
	f.Warnings = leaveOut(doc.Servers, imports)
	f.Entries = merge(path, dir, doc.Servers, imports)
	return f, nil
}

// leaveOut removes from imports what cannot be used and is not replaced, and
// returns why. What is disabled goes without a word: somebody wants it so.
func leaveOut(own map[string]Server, imports map[string]imported) Errors {
	taken := map[string]string{} // by name ignoring case: such servers would share files
	for name := range own {
		taken[strings.ToLower(name)] = name
	}
	var left Errors
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if _, replaced := own[name]; replaced {
			continue
		}
		e := imports[name]
		other, twice := taken[strings.ToLower(name)]
		switch {
		case e.disabled:
		case e.fault == nil && !twice:
			taken[strings.ToLower(name)] = name
			continue
		default:
			fault := e.fault
			if fault == nil {
				fault = &Error{Path: e.origin, Key: name, Message: fmt.Sprintf("differs from %q in case only", other)}
			}
			left = append(left, fault)
		}
		delete(imports, name)
	}
	return left
}

// merge joins own and imported servers. An own entry that does not say how to
// connect completes an imported one; any other replaces it.
func merge(path, dir string, own map[string]Server, imports map[string]imported) []Entry {
	var entries []Entry
	for name, s := range own {
		e := Entry{Name: name, Server: s, dir: dir, origin: path, section: "servers."}
		if base, ok := imports[name]; ok && !s.connects() {
			e.dir, e.origin, e.section = base.dir, base.origin, base.section
			e.Server = s.completing(base.Server)
		}
		entries = append(entries, e)
	}
	for name, e := range imports {
		if _, ok := own[name]; !ok {
			entries = append(entries, e.Entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries
}

// connects reports whether s says how to reach its server.
func (s Server) connects() bool { return s.URL != "" || s.Command != "" || s.Catalog != "" }

// completing returns s with base's way to connect.
func (s Server) completing(base Server) Server {
	s.Type, s.URL, s.Headers = base.Type, base.URL, base.Headers
	s.Command, s.Args, s.Cwd, s.Env = base.Command, base.Args, base.Cwd, base.Env
	return s
}

// Entry returns the entry of the server called name.
func (f *File) Entry(name string) (Entry, bool) {
	i := slices.IndexFunc(f.Entries, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return f.Entries[i], true
}

// Servers returns what [runtime.ConnectAll] needs: one ServerConfig for each
// server in order of name, with ${VAR} expanded by lookup, usually
// [os.LookupEnv]. A server whose variables are not set, or whose expanded URL
// makes no sense, has Err set; the others are not affected. Servers with a
// catalog are left out, since there is nothing to connect to.
func (f *File) Servers(lookup func(string) (string, bool)) []runtime.ServerConfig {
	var out []runtime.ServerConfig
	for _, e := range f.Entries {
		if e.Catalog == "" {
			out = append(out, e.ServerConfig(lookup))
		}
	}
	return out
}

// OutputDir returns the directory that holds the package directories.
func (f *File) OutputDir() string { return filepath.Join(f.Dir, filepath.FromSlash(f.Output)) }

// SnapshotDir returns the directory that holds the snapshots.
func (f *File) SnapshotDir() string { return filepath.Join(f.Dir, filepath.FromSlash(f.Snapshots)) }

// CatalogPath returns the path of the saved catalog, or "" for a live server.
func (e Entry) CatalogPath() string {
	if e.Catalog == "" {
		return ""
	}
	return absolute(e.dir, e.Catalog)
}

// Place says where a key of the way to connect stands, for messages, like
// "servers.github.url in mcpbind.yaml". It may be an imported file.
func (e Entry) Place(key string) string {
	return e.section + join(e.Name, key) + " in " + e.origin
}

func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// keyError is a fault of one server that shows only when ${VAR} is expanded.
func (e Entry) keyError(key, format string, args ...any) error {
	return fmt.Errorf("server %q: %s: %w", e.Name, key, fmt.Errorf(format, args...))
}

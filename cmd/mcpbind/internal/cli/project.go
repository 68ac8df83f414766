package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/config"
)

// A project is a configuration and what follows from it for the output.
type project struct {
	file    *config.File
	targets []target // every server, in order of name
}

// A target is a server and where its package goes.
type target struct {
	config.Entry
	pkg    string // Go package and name of its directory below the output directory
	source string // path of the snapshot for the file header
}

// load reads the configuration.
func (a *app) load() (*project, error) {
	file := a.config
	if file == "" {
		found, err := config.Find(".")
		if err != nil {
			return nil, fmt.Errorf("%w; %s init writes one", err, self())
		}
		file = shorten(found)
	}
	f, err := config.Load(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; \"%s init -C %s\" writes it", withoutPath(err, file), self(), file)
	case errors.Is(err, syscall.EISDIR):
		return nil, fmt.Errorf("%w; name the file in it", withoutPath(err, file))
	case err != nil:
		return nil, err
	}
	for _, w := range f.Warnings {
		a.stderr.block("warning: ", w.Error()+"; the server is left out")
	}
	p := &project{file: f}
	owners := map[string]string{} // package directory, lower case -> server
	for _, e := range f.Entries {
		t := target{Entry: e, pkg: cmp.Or(e.Go.Package, names.Package(e.Name)), source: path.Join(f.Snapshots, e.Name+".json")}
		folded := strings.ToLower(t.pkg)
		if other, taken := owners[folded]; taken {
			return nil, fmt.Errorf("%s: servers %q and %q would share the package directory %s; give one of them go.package", f.Path, other, e.Name, t.pkg)
		}
		owners[folded] = e.Name
		p.targets = append(p.targets, t)
	}
	return p, nil
}

// choose returns the targets of the named servers, in order of name; all of them
// when none is named.
func (p *project) choose(servers []string) ([]target, error) {
	if len(servers) == 0 {
		return p.targets, nil
	}
	var out []target
	for _, t := range p.targets {
		if slices.Contains(servers, t.Name) {
			out = append(out, t)
		}
	}
	for _, name := range servers {
		if !slices.ContainsFunc(out, func(t target) bool { return t.Name == name }) {
			return nil, fmt.Errorf("no server %q in %s (it has %s)%s", name, p.file.Path, p.serverNames(), didYouMean(name, p.names()))
		}
	}
	return out, nil
}

func (p *project) serverNames() string {
	return cmp.Or(strings.Join(p.names(), ", "), "none")
}

func (p *project) names() []string {
	var all []string
	for _, t := range p.targets {
		all = append(all, t.Name)
	}
	return all
}

// completeServers offers the configured servers to the shell; first limits it to
// the first argument.
func (a *app) completeServers(first bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		p, err := a.load()
		if err != nil || first && len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, t := range p.targets {
			if !slices.Contains(args, t.Name) {
				out = append(out, t.Name)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// usualTimeout is the time for connecting where the configuration sets none. 0 leaves
// that to the runtime; tests, which run on slow machines, do not.
var usualTimeout time.Duration

// serverConfig says how to connect to t. The command "mcpbind" is this executable:
// it need not be installed, and go run has no other name for it. That holds here
// only; a program that took it for itself would start itself without end.
func (a *app) serverConfig(t target) runtime.ServerConfig {
	cfg := t.ServerConfig(a.lookup)
	cfg.Timeout = cmp.Or(cfg.Timeout, usualTimeout)
	if cfg.Err == nil && t.Command == "mcpbind" {
		cfg.Command, cfg.Err = os.Executable()
	}
	if a.login != nil && cfg.Auth != nil {
		cfg.Timeout = max(cfg.Timeout, loginTimeout)
	}
	return cfg
}

// options translates the configuration for gen.
func (t target) options() lower.Options {
	return lower.Options{
		Package:     t.pkg,
		Include:     t.Tools.Include,
		Exclude:     t.Tools.Exclude,
		Rename:      t.Go.Rename,
		Numbers:     lower.Numbers(t.Go.Numbers),
		KeepUnknown: t.Go.KeepUnknown,
		Formats:     t.Go.Formats,
		Bindings:    t.Go.Bindings,
	}
}

package cli

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/runtime/config"
	"github.com/mcpbind/mcpbind/templates"
)

const generateFile = "generate.go"

func (a *app) initCommand() *cobra.Command {
	var from, ci string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write mcpbind.yaml and generate.go",
		Long: `Writes mcpbind.yaml, and generate.go with a go:generate line, into the working
directory. A file that exists is left as it is.

With --from the servers of an existing .mcp.json are used where they are: the
file is imported, not copied, since it may hold secrets.

With --ci github a workflow is written for the configuration that is there: it
checks pull requests offline, and verifies the servers every night.`,
		Args: takes(0),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case ci == "":
				return a.init(from)
			case ci != "github":
				return fmt.Errorf("--ci: %.40q is not known; github is", ci)
			case from != "":
				return errors.New("--ci and --from are two steps: run init --from first")
			}
			return a.initCI()
		},
	}
	cmd.Flags().StringVar(&ci, "ci", "", "write a workflow for this `service`: github")
	cmd.Flags().StringVar(&from, "from", "", "`file` in the mcpServers form, such as .mcp.json, to import")
	return cmd
}

func (a *app) init(from string) error {
	target := config.Name
	if a.config != "" {
		target = a.config
	}
	dir := filepath.Dir(target)
	directive := filepath.Join(dir, generateFile)
	switch hasConfig, hasDirective := exists(target), exists(directive); {
	case hasConfig && hasDirective:
		return fmt.Errorf("%s and %s exist already; nothing was written", target, directive)
	case hasConfig && from != "":
		return fmt.Errorf("%s exists already; add %s to its \"imports\"", target, strconv.Quote(from))
	case hasConfig:
		if err := writeDirective(directive, dir); err != nil {
			return err
		}
		a.stderr.printf("wrote %s; %s exists already\n", generateFile, config.Name)
		return nil
	}
	var data templates.Config
	if from != "" {
		if _, err := os.Stat(from); err != nil {
			return withoutPath(err, "--from "+from)
		}
		relative, err := relativeTo(dir, from)
		if err != nil {
			return err
		}
		data.Import = strconv.Quote(relative)
	}
	text, err := templates.Execute(config.Name, data)
	if err != nil {
		return err
	}
	if err := create(target, text); err != nil {
		return err
	}
	file, err := config.Load(target)
	if err != nil { // the imported file is at fault
		return errors.Join(err, os.Remove(target))
	}
	wrote := " and " + generateFile
	if exists(directive) {
		wrote = "; " + generateFile + " exists already"
	} else if err := writeDirective(directive, dir); err != nil {
		return err
	}
	for _, w := range file.Warnings {
		a.stderr.block("warning: ", w.Error()+"; the server is left out")
	}
	var names []string
	for _, e := range file.Entries {
		names = append(names, e.Name)
	}
	a.stderr.printf("wrote %s (%s)%s\n", config.Name, strings.Join(names, ", "), wrote)
	a.stderr.printf("next: %s generate\n", self())
	return nil
}

func writeDirective(name, dir string) error {
	text, err := templates.Execute(generateFile, packageOf(dir))
	if err != nil {
		return err
	}
	return create(name, text)
}

// create writes a file that must not exist.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// packageOf finds the package that generate.go belongs to. In a directory
// without Go code it is kept out of builds: a package main with no main function
// does not build.
func packageOf(dir string) templates.Generate {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is well-formed
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly); err == nil {
			return templates.Generate{Package: f.Name.Name}
		}
	}
	return templates.Generate{Package: "main", Tagged: true}
}

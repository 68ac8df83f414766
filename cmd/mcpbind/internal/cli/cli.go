// Package cli is the command line of mcpbind: one file per verb.
//
// In: arguments and streams. Out: data on stdout, everything else on stderr, and
// an exit code. It ties gen and runtime together and is the only part that
// writes files; what a server says reaches a stream only through
// internal/safetext. Nothing imports it but cmd/mcpbind.
package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/runtime"
)

// An app is one run of the command.
type app struct {
	stdin          io.Reader
	stdout, stderr *stream
	config         string // --config, "" looks for the file
	verbose        bool
	login          *login                      // nil: nobody is asked to log in
	lookup         func(string) (string, bool) // environment variables
}

// Run executes one command line and returns its exit code. An interrupt, or the
// end of ctx, stops it; what was written by then is whole.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once

	a := &app{stdin: stdin, stdout: &stream{w: stdout}, stderr: &stream{w: stderr}, lookup: os.LookupEnv}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.stdout.err // an answer that could not be written was not given
	}
	if ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil && err.Error() != "" {
		a.complain(err)
	}
	return exitCode(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcpbind",
		Short: "Typed Go packages from MCP servers",
		Long: `mcpbind connects to MCP servers, records their tools in snapshots, and
generates one typed Go package per server.

Exit codes: 0 done; 1 the answer is no (stale, drift, or a tool failed); 2 no answer
(usage, configuration, unreachable server); 4 authentication needed;
130 interrupted.`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: self()},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          verbsOnly,
		RunE:          showHelp,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; \"%s --help\" shows the flags", err, cmd.CommandPath())
	})
	root.PersistentFlags().StringVarP(&a.config, "config", "C", "", "configuration `file` (default mcpbind.yaml here or in a parent directory)")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "show all diagnostics and what happens on the connections")
	root.PersistentFlags().Bool("login", false, "print where to log in to servers that ask for it, and wait for it")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		if asked, _ := cmd.Flags().GetBool("login"); asked {
			a.login, err = newLogin(a.stderr)
		}
		return err
	}
	root.AddCommand(
		a.initCommand(),
		a.generateCommand(),
		a.verifyCommand(),
		a.diffCommand(),
		a.listCommand(),
		a.callCommand(),
		a.configCommand(),
		a.versionCommand(),
		a.demoCommand(),
	)
	strict(root)
	return root
}

// strict has the two commands that cobra adds refuse what they do not know. By
// themselves they print some help, and a script takes that for an answer.
func strict(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			cmd.Args, cmd.RunE = verbsOnly, showHelp
		case "help":
			cmd.RunE = helpAbout
		}
	}
}

// helpAbout prints the help of the command that args name.
func helpAbout(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if err := verbsOnly(about, rest); err != nil {
		return err
	}
	return about.Help()
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// group is a command that only holds others: without one of them it prints its
// help, and a misspelled one is an error.
func group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  verbsOnly,
		RunE:  showHelp,
	}
}

// clientOptions are the options of every connection that the command makes.
func (a *app) clientOptions() []runtime.Option {
	opts := []runtime.Option{runtime.WithLogger(a.logger()), runtime.WithImplementation("mcpbind", version())}
	if dir, err := os.UserConfigDir(); err == nil {
		opts = append(opts, runtime.WithTokenStore(tokenFiles(filepath.Join(dir, "mcpbind", "tokens"))))
	}
	if a.login != nil {
		opts = append(opts, runtime.WithLogin(a.login.redirect, a.login.ask))
	}
	return opts
}

func (a *app) logger() *slog.Logger {
	if !a.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// complain prints err. It may quote a server, a path or the user.
func (a *app) complain(err error) {
	a.stderr.block("mcpbind: ", err.Error())
}

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/runtime"
)

func (a *app) callCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "call SERVER TOOL",
		Short: "Call one tool and print its result",
		Long: `Connects to the server, checks the arguments against the tool's schema, calls the
tool, and prints its structured content as JSON, or else its text. When the tool
says that it failed, its words go to stderr and the exit code is 1. The server's
call_timeout in the configuration bounds the call.

Numbers and the order of keys are printed as the server sent them; values that
${VAR}s of this server's configuration expanded to are replaced by ${VAR}.`,
		Example: `  mcpbind call demo get_issue -d '{"id": 9007199254740993}'
  mcpbind call demo create_issue -d @issue.json`,
		Args:              takes(2, "SERVER", "TOOL"),
		ValidArgsFunction: a.completeServers(true),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := a.arguments(data)
			if err != nil {
				return err
			}
			return a.call(cmd.Context(), args[0], args[1], arguments)
		},
	}
	cmd.Flags().StringVarP(&data, "data", "d", "{}", "arguments: a `JSON` object, @file, or - for stdin")
	return cmd
}

// maxArguments bounds what is read from stdin, in bytes: it need not have an end.
const maxArguments = 64 << 20

// arguments reads the -d flag. No error quotes it.
func (a *app) arguments(data string) (json.RawMessage, error) {
	raw := []byte(data)
	var err error
	switch name, isFile := strings.CutPrefix(data, "@"); {
	case data == "-":
		if raw, err = io.ReadAll(io.LimitReader(a.stdin, maxArguments+1)); err == nil && len(raw) > maxArguments {
			err = fmt.Errorf("more than %d bytes on stdin; put them into a file, and write -d @file", maxArguments)
		}
	case isFile && name == "":
		err = errors.New("-d @ lacks the name of the file; for stdin write -d -")
	case isFile:
		raw, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	var members map[string]json.RawMessage
	if !json.Valid(raw) || json.Unmarshal(raw, &members) != nil || members == nil {
		return nil, errors.New("arguments: not a JSON object; -d takes one, such as -d '{\"id\": 1}', or @file, or -")
	}
	return raw, nil
}

func (a *app) call(ctx context.Context, server, tool string, arguments json.RawMessage) error {
	p, err := a.load()
	if err != nil {
		return err
	}
	targets, err := p.choose([]string{server})
	if err != nil {
		return err
	}
	t := targets[0]
	if t.Catalog != "" {
		return fmt.Errorf("server %q has a saved catalog: there is nothing to call, unless it gets a url or a command instead", server)
	}
	cfg := a.serverConfig(t)
	registry := runtime.NewRegistry(runtime.WithLogger(a.logger()))
	defer func() { _ = registry.Close() }()
	if failed := runtime.ConnectAll(ctx, registry, []runtime.ServerConfig{cfg}, a.clientOptions()...); len(failed) > 0 {
		return a.advised(t, registry.FailedServers()[server])
	}
	result, err := registry.CallTool(ctx, runtime.ToolCall{Server: server, Name: tool, Arguments: arguments})
	if errors.Is(err, runtime.ErrUnknownTool) {
		var known []string
		for _, t := range registry.Tools() {
			known = append(known, t.WireName)
		}
		return errNoTool(server, tool, known, true)
	}
	if err != nil {
		return a.advised(t, err)
	}
	return a.answer(server, tool, result, redact.New(cfg.Secrets))
}

// answer prints a result. Where stdout is no terminal the bytes are the
// server's, secrets aside.
func (a *app) answer(server, tool string, result *runtime.CallResult, secrets *redact.Redactor) error {
	text := result.Text
	if result.Structured != nil && !result.IsError {
		text = string(result.Structured)
	}
	text = strings.TrimSuffix(secrets.Text(text), "\n")
	if result.IsError {
		a.stderr.printf("mcpbind: server %q: tool %q says that it failed:\n", server, safetext.LineN(tool, 80))
		a.stderr.block("  ", text)
		return reported{exitNo}
	}
	if _, ok := a.stdout.terminal(); ok { // people read it, and a terminal obeys some text
		if pretty := jsontext.Value(text); pretty.Indent(jsontext.WithIndent("  ")) == nil {
			text = string(pretty)
		}
		a.stdout.block("", text)
		return nil
	}
	a.stdout.print(text + "\n")
	return nil
}

package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/spelling"
)

// verbsOnly is the argument check of a command that only holds others.
func verbsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var verbs []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if len(verbs) == 0 {
		return fmt.Errorf("%s, which has none of its own", text)
	}
	if hint := didYouMean(args[0], verbs); hint != "" {
		return errors.New(text + hint)
	}
	return fmt.Errorf("%s; it has %s", text, strings.Join(verbs, ", "))
}

// takes is the argument check of a command with these arguments, the first
// required of which must be there.
func takes(required int, arguments ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		usage := "usage: " + cmd.UseLine()
		switch {
		case len(args) < required:
			return fmt.Errorf("missing %s; %s", strings.Join(arguments[len(args):required], " and "), usage)
		case len(args) > len(arguments):
			return errors.New("too many arguments; " + usage)
		}
		return nil
	}
}

// didYouMean ends an error about an unknown word: with the known one that was
// probably meant, which may be server text, or with nothing.
func didYouMean(word string, known []string) string {
	best := spelling.Nearest(word, known)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", safetext.LineN(best, 80))
}

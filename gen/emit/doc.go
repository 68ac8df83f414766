package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// doc returns the comment lines of d: its lead, the server's words and the
// schema's facts as paragraphs.
//
// A server may well begin a paragraph with "Deprecated:"; linters then tell the
// callers of its tool, which is what the word is for.
func doc(d model.Doc) []jen.Code {
	var code []jen.Code
	for _, line := range comment(d.Lead, d.Server, strings.Join(d.Facts, " ")) {
		code = append(code, jen.Comment(line))
	}
	return code
}

// comment returns paragraphs as lines of a // comment, without the empty ones.
// It is the only way from text to comment: every line begins with "//" and,
// unless empty, a blank, so that none can end the comment or be a directive
// (//go:embed, //line, //export).
func comment(paragraphs ...string) []string {
	var lines []string
	blank := false // a blank line is due before the next line
	for _, paragraph := range paragraphs {
		blank = len(lines) > 0
		for _, line := range safetext.CommentLines(paragraph) {
			line = strings.TrimRight(line, " \t")
			if line == "" {
				blank = len(lines) > 0
				continue
			}
			if blank {
				lines = append(lines, "//")
				blank = false
			}
			lines = append(lines, "// "+defuse(line))
		}
	}
	return lines
}

// defuse keeps a line from being an old build constraint, which go vet refuses
// below the package clause even behind a blank.
func defuse(line string) string {
	if text := strings.TrimSpace(line); strings.HasPrefix(text, "+build") {
		return `\` + text
	}
	return line
}

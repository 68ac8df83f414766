package emit

import (
	"go/doc/comment"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// Server text stands in comments as it came, line by line, but what gofmt takes
// for its own: in the comment of a declaration it redraws lists, headings and
// code. A server may well begin a paragraph with "Deprecated:"; linters then
// tell the callers of its tool, which is what the word is for.

// inner returns the comment of something inside a declaration. gofmt leaves it
// alone, but only off column one: hence the tab.
func inner(d model.Doc) []jen.Code {
	return commentBlock("\t", paragraphs(d.Lead, d.Server, facts(d)))
}

// outer returns the lines of a declaration's comment, as gofmt wants them. Where
// gofmt does not agree with itself (some nested lists move with every run), the
// server's words become a block of code.
func outer(d model.Doc) []string {
	lead, server, facts := paragraphs(d.Lead), paragraphs(d.Server), paragraphs(facts(d))
	for _, form := range []func([]string) []string{listed, verbatim, indent} {
		if stable, ok := gofmtStable(sentences(join(lead, form(server), facts))); ok {
			return stable
		}
	}
	return indent(join(lead, server, facts))
}

func facts(d model.Doc) string { return strings.Join(d.Facts, " ") }

func verbatim(lines []string) []string { return lines }

// commentBlock returns lines as one piece of code, none for none.
func commentBlock(margin string, lines []string) []jen.Code {
	if len(lines) == 0 {
		return nil
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(margin + commentLine(l))
	}
	return []jen.Code{line(b.String())}
}

// commentLine is the only way from text to comment: the result begins with "//"
// and, unless empty, a blank or a tab, so that it can neither end the comment nor
// be a directive (//go:embed, //line, //export). The text has no line terminator;
// paragraphs sees to that.
func commentLine(line string) string {
	switch {
	case line == "":
		return "//"
	case line[0] == '\t':
		return "//" + line
	default:
		return "// " + line
	}
}

// paragraphs returns the lines of texts, an empty one between two texts, none in
// a row, none at the ends.
func paragraphs(texts ...string) []string {
	var lines []string
	for _, text := range texts {
		gap := true // to be left before the next line, if there is one before it
		for _, line := range safetext.CommentLines(bounded(text)) {
			line = defuse(strings.TrimRightFunc(line, unicode.IsSpace)) // as go/printer does
			if line == "" {
				gap = true
				continue
			}
			if gap && len(lines) > 0 {
				lines = append(lines, "")
			}
			gap = false
			lines = append(lines, line)
		}
	}
	return lines
}

// A server that sends megabytes of prose must not cost minutes in gofmt. The
// longest descriptions of real servers have a few hundred lines.
const (
	maxBytes = 64 << 10
	maxLines = 1000
)

// bounded returns text, or its beginning and a remark that there is more.
func bounded(text string) string {
	end := min(len(text), maxBytes)
	lines := 0
	for i := range end {
		if text[i] == '\n' || text[i] == '\r' {
			if lines++; lines == maxLines {
				end = i
				break
			}
		}
	}
	if end == len(text) {
		return text
	}
	return strings.ToValidUTF8(text[:end], "") + "\n\n(The server says more.)"
}

// join puts an empty line between parts that have any.
func join(parts ...[]string) []string {
	var lines []string
	for _, part := range parts {
		if len(lines) > 0 && len(part) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
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

func indent(lines []string) []string {
	indented := slices.Clone(lines)
	for i, line := range indented {
		if line != "" {
			indented[i] = "\t" + line
		}
	}
	return indented
}

// maxRuns is how often gofmt may change its mind about a comment.
const maxRuns = 4

// gofmtStable returns what gofmt makes of the lines of a comment once running it
// again changes nothing.
func gofmtStable(lines []string) ([]string, bool) {
	if len(lines) == 0 {
		return nil, true
	}
	text := strings.Join(lines, "\n") + "\n"
	for range maxRuns {
		again := gofmtComment(text)
		if again == text {
			return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), true
		}
		text = again
	}
	return nil, false
}

// gofmtComment does what go/printer does to the text of a comment.
func gofmtComment(text string) string {
	var parser comment.Parser
	var printer comment.Printer
	return string(printer.Comment(parser.Parse(text)))
}

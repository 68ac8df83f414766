package safetext

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	maxLine  = 1000 // runes of one line
	maxLines = 500  // of one block
)

// Line returns s as one line for a terminal or a log: at most 1,000 runes, white
// space of any kind and length as one space, hidden runes escaped the way Go
// does (\x1b, \u202e), so that a reader sees that something was there. It never
// reads as a command to a CI runner, at whatever place in a line it is printed.
func Line(s string) string { return LineN(s, maxLine) }

// LineN is [Line] with at most n runes, the last of which is "…" when s is
// longer. It returns "" for n < 1.
func LineN(s string, n int) string { return clip(disarm(spaced(s)), n) }

// Block returns s for a terminal or a log, line by line, each behind prefix: no
// printed line begins with server text. An empty prefix counts as two spaces.
// Blank lines at the ends are left out, several in a row become one, and after
// 500 lines it says how many more there are. There is no newline at the end.
func Block(s, prefix string) string {
	if prefix == "" {
		prefix = "  "
	}
	var out []string
	blank := false // a blank line waits for one that is not
	more := 0
	for line := range lines(s) {
		line = strings.TrimRight(indented(line), " ")
		switch {
		case line == "":
			blank = len(out) > 0
		case len(out) >= maxLines:
			more++
		default:
			if blank {
				out = append(out, strings.TrimRight(prefix, " "))
			}
			blank = false
			out = append(out, prefix+clip(disarm(line), maxLine))
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%s… (%d more lines)", prefix, more))
	}
	return strings.Join(out, "\n")
}

// CommentLines cuts s into lines that can stand behind "// " in Go source: split
// at every line terminator that any tool knows, without hidden runes (tabs
// stay), otherwise verbatim. It returns nil for "".
func CommentLines(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for line := range lines(s) {
		out = append(out, withoutHidden(line))
	}
	return out
}

// withoutHidden returns s without hidden runes but tabs: most lines as they are.
func withoutHidden(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return s
	}
	var b strings.Builder
	for r, show := range visible(s) {
		if show || r == '\t' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spaced escapes hidden runes and makes one space of any white space.
func spaced(s string) string {
	var b strings.Builder
	for r, show := range visible(s) {
		switch {
		case isSpace(r):
			if b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
			}
		case show:
			b.WriteRune(r)
		default:
			b.WriteString(escape(r))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// indented escapes hidden runes and keeps the white space of one line, tabs as
// four spaces, at most maxIndent of it in a row: a flood would push what follows
// out of sight.
func indented(s string) string {
	const maxIndent = 16
	var b strings.Builder
	run := 0
	for r, show := range visible(s) {
		switch {
		case isSpace(r):
			width := 1
			if r == '\t' {
				width = 4
			}
			b.WriteString(strings.Repeat(" ", max(0, min(width, maxIndent-run))))
			run += width
			continue
		case show:
			b.WriteRune(r)
		default:
			b.WriteString(escape(r))
		}
		run = 0
	}
	return b.String()
}

func escape(r rune) string {
	switch {
	case r <= 0x7f:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// clip cuts s to n runes.
func clip(s string, n int) string {
	if n < 1 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	last, count := 0, 0 // where the last rune that stays with "…" ends
	for i := range s {
		if count == n-1 {
			last = i
		}
		if count++; count > n {
			return s[:last] + "…"
		}
	}
	return s
}

// disarm breaks what CI runners take for commands: GitHub reads "::name::" at
// the start of a line, after white space, and "##[name]" anywhere in it; Azure
// and TeamCity read "##vso[" and "##teamcity[".
func disarm(s string) string {
	if text := strings.TrimLeft(s, " "); strings.HasPrefix(text, "::") {
		s = s[:len(s)-len(text)] + ": " + text[1:]
	}
	if strings.Contains(s, "##") {
		s = command.ReplaceAllString(s, "## $1")
	}
	return s
}

var command = regexp.MustCompile(`##([A-Za-z]*\[)`)

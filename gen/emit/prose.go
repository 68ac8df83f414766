package emit

import (
	"go/doc/comment"
	"regexp"
	"slices"
	"strings"
)

// Servers write Markdown, or as they please; Go reads comments by rules of its
// own. Two of them change what was said: a short line by itself is a heading, and
// a list is one only if it is indented.

// marker matches the beginning of a list's item: group 1 is a bullet, group 2 a
// number.
var marker = regexp.MustCompile(`^ {0,3}(?:([-*+•])|(\d{1,3})[.)])[ \t]+\S`)

// listed returns lines with their lists indented, so that Go sees lists, too.
func listed(lines []string) []string {
	out := slices.Clone(lines)
	inside, before := false, ""
	for i, line := range lines {
		m := marker.FindStringSubmatch(line)
		switch {
		case m != nil && (inside || m[1] != "" || m[2] == "1" || before == ""):
			// Any other number may begin a line of running text by chance.
			out[i] = "  " + line
			inside = true
		case line == "":
		case inside && line[0] == ' ':
			out[i] = "  " + line // goes on with the item
		default:
			inside = false
		}
		before = line
	}
	return out
}

// sentences returns lines with a full stop after each that Go would take for a
// heading: a server that says in one line what its tool does means no heading by
// it. What a server marks as one with # stays one.
func sentences(lines []string) []string {
	out := slices.Clone(lines)
	for i := 1; i < len(lines)-1; i++ {
		if lines[i] != "" && lines[i-1] == "" && lines[i+1] == "" && heading(lines[i]) {
			out[i] += "."
		}
	}
	return out
}

// heading reports whether Go takes line, on its own among paragraphs, for a
// heading without being told so.
func heading(line string) bool {
	if strings.HasPrefix(line, "#") || strings.HasSuffix(line, ".") {
		return false
	}
	var parser comment.Parser
	blocks := parser.Parse("Before.\n\n" + line + "\n\nAfter.\n").Content
	return slices.ContainsFunc(blocks, func(b comment.Block) bool {
		_, ok := b.(*comment.Heading)
		return ok
	})
}

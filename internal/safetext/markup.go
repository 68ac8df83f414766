package safetext

import (
	"html"
	"strings"
)

// Markdown returns s as one line of text that GitHub and CommonMark show as it
// is: no markup, HTML, link, image, @mention or issue reference comes out of it,
// also inside a table cell.
func Markdown(s string) string {
	s = Line(s)
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case strings.ContainsRune("\\`*_{}[]()!|~$^", r), i == 0 && strings.ContainsRune("-+=", r),
			r == '.' && allDigits(s[:i]):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '@', r == '#',
			r == ':' && strings.HasPrefix(s[i:], "://"),
			r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			// GitHub links these after it has undone all escapes, so something
			// must come in between. Its own bots use this entity.
			b.WriteRune(r)
			b.WriteString("&#8203;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// HTML returns s for the text of an element or a quoted attribute. Lines stay
// lines; hidden runes are escaped as in [Line].
func HTML(s string) string {
	return html.EscapeString(joined(s, false))
}

// WorkflowData returns s as the message of a GitHub workflow command, behind the
// second "::". Lines stay lines.
func WorkflowData(s string) string {
	return escapeData.Replace(joined(s, true))
}

// WorkflowProperty returns s as the value of a property of a GitHub workflow
// command, like title in "::warning title=...::". It is one line.
func WorkflowProperty(s string) string {
	return escapeProperty.Replace(Line(s))
}

var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// joined returns the lines of s with hidden runes escaped, for a place that
// quotes them itself.
func joined(s string, toRunner bool) string {
	var b strings.Builder
	for line := range lines(s) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		line = indented(line)
		if toRunner {
			line = disarm(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

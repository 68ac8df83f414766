package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLength bounds, in bytes, what one wire name adds to an identifier: enum
// values can be whole paragraphs. Names that agree so far get suffixes.
const maxLength = 64

// Exported returns an exported Go identifier for wire, any string at all:
//
//	create_issue   CreateIssue        userId   UserID
//	it's urgent    ItSUrgent          6ghz     N6ghz
//	<=             LessOrEqual        M-3.5+   M3_5Plus
//	名称           X名称               ""       Empty
//
// Different strings may give one identifier; a [Scope] tells them apart.
func Exported(wire string) string { return Path(wire) }

// Path returns one exported Go identifier for several wire names, each its own
// words: Path("list_channels", "6ghz") is ListChannels6ghz.
func Path(wires ...string) string {
	var b strings.Builder
	for _, wire := range wires {
		start := b.Len()
		for _, word := range wordsOf(wire) {
			if b.Len() > start && b.Len()-start+len(word) > maxLength {
				break
			}
			appendWord(&b, word)
		}
	}
	name := b.String()
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case unicode.IsUpper(first):
		return name
	case unicode.IsDigit(first):
		return "N" + name
	default: // a script without case
		return "X" + name
	}
}

// appendWord keeps digits of neighbouring words apart: 3.5 is no 35.
func appendWord(b *strings.Builder, word string) {
	last, _ := utf8.DecodeLastRuneInString(b.String())
	first, _ := utf8.DecodeRuneInString(word)
	if unicode.IsDigit(last) && unicode.IsDigit(first) {
		b.WriteByte('_')
	}
	b.WriteString(word)
}

// wordsOf returns the words of wire, each spelled as it stands in an upper camel
// case identifier. There is at least one, and none is empty.
func wordsOf(wire string) []string {
	if wire == "" {
		return []string{"Empty"}
	}
	// Cut before splitting: no more of a hostile megabyte is looked at.
	if len(wire) > 4*maxLength {
		wire = wire[:4*maxLength]
	}
	if words := split(wire); len(words) > 0 {
		return words
	}
	return spellOut(wire)
}

// camel spells one word. In a shouted name (IN_PROGRESS) capitals say nothing;
// elsewhere (HTMLParser) they are the server's own choice.
func camel(word string, shouting bool) string {
	if s, ok := spelling(word); ok {
		return s
	}
	if shouting {
		word = strings.ToLower(word)
	}
	first, size := utf8.DecodeRuneInString(word)
	if len(word) > maxLength {
		word = strings.ToValidUTF8(word[:maxLength], "")
	}
	return string(unicode.ToUpper(first)) + word[size:]
}

// spellOut names a string without letters, digits and operators rune by rune.
func spellOut(wire string) []string {
	var words []string
	for _, r := range wire {
		word, ok := silent[r]
		if !ok {
			word = fmt.Sprintf("U%04X", r)
		}
		words = append(words, word)
	}
	return words
}

// Unexported returns exported with its first word in lower case: HTMLParser
// gives htmlParser, IDs gives ids. The result may be a keyword (Type gives
// type): put something behind it, or ask a [Scope].
func Unexported(exported string) string {
	n := 0 // bytes to lower
	for i, r := range exported {
		if !unicode.IsUpper(r) {
			n = firstWord(exported, i)
			break
		}
		n = i + utf8.RuneLen(r)
	}
	return strings.ToLower(exported[:n]) + exported[n:]
}

// firstWord returns the length of the first word of name, whose first run
// characters are capitals and whose next is none.
func firstWord(name string, run int) int {
	for _, mixed := range []string{"IPv4", "IPv6", "OAuth"} {
		if strings.HasPrefix(name, mixed) {
			return len(mixed)
		}
	}
	next, _ := utf8.DecodeRuneInString(name[run:])
	_, last := utf8.DecodeLastRuneInString(name[:run])
	plural := next == 's' && !startsLower(name[run+1:])
	switch {
	case run <= last || !unicode.IsLower(next):
		return run
	case plural:
		return run + 1
	default: // the last capital begins the next word
		return run - last
	}
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// Package returns the name of the Go package for a server, legal for every
// string: github gives githubmcp, 1password gives mcp1password, my-mcp gives
// mymcp. Servers that differ in punctuation only share it; the caller refuses
// that.
func Package(server string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return -1
	}, server)
	switch {
	case name == "":
		return "servermcp"
	case name[0] <= '9':
		return "mcp" + name
	case strings.HasSuffix(name, "mcp"):
		return name
	default:
		return name + "mcp"
	}
}

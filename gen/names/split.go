package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken holds the symbols that are always words of their own; longer ones first.
var spoken = []struct{ symbol, word string }{
	{"<=", "LessOrEqual"},
	{">=", "GreaterOrEqual"},
	{"!=", "NotEqual"},
	{"<>", "NotEqual"},
	{"==", "Equals"},
	{"=~", "Matches"},
	{"!~", "NotMatches"},
	{"<->", "FromTo"},
	{"<-", "From"},
	{"->", "To"},
	{"=>", "To"},
	{"≤", "LessOrEqual"},
	{"≥", "GreaterOrEqual"},
	{"≠", "NotEqual"},
	{"<", "Less"},
	{">", "Greater"},
	{"=", "Equal"},
	{"+", "Plus"},
	{"&", "And"},
	{"|", "Or"},
	{"*", "Star"},
	{"%", "Percent"},
	{"€", "Euro"},
	{"£", "Pound"},
	{"¥", "Yen"},
}

// silent holds the symbols that only part words, and how they are called in a
// name that has nothing else.
var silent = map[rune]string{
	' ': "Space", '_': "Underscore", '-': "Minus", '.': "Dot", '/': "Slash", '\\': "Backslash",
	':': "Colon", ',': "Comma", ';': "Semicolon", '\'': "Apostrophe", '"': "Quote", '`': "Backquote",
	'(': "LeftParen", ')': "RightParen", '[': "LeftBracket", ']': "RightBracket", '{': "LeftBrace", '}': "RightBrace",
	'$': "Dollar", '@': "At", '#': "Hash", '!': "Not", '?': "Question", '~': "Tilde", '^': "Caret",
	'\t': "Tab", '\n': "Newline", '\r': "Return",
}

// leading holds the silent symbols that carry meaning right before the first
// word: -1, !active.
var leading = map[byte]string{'-': "Minus", '!': "Not", '~': "Tilde"}

// split cuts wire, which is not empty, at symbols and where letters change case,
// and spells each part in camel case. Operators come out as words. The result is
// empty when wire has neither words nor operators.
func split(wire string) []string {
	shouting := !strings.ContainsFunc(wire, unicode.IsLower)
	generic := isGeneric(wire)
	var words []string
	if word, ok := leading[wire[0]]; ok && startsWord(wire[1:]) {
		words = append(words, word)
	}
	start := 0 // of the run of letters and digits
	flush := func(end int) {
		for _, word := range cutAtCase(clean(wire[start:end])) {
			words = append(words, camel(word, shouting))
		}
	}
	for i := 0; i < len(wire); {
		symbol, word := operator(wire[i:])
		if bracket := generic && (symbol == "<" || symbol == ">"); word != "" && !bracket {
			flush(i)
			words = append(words, word)
			i += len(symbol)
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(wire[i:])
		if !inWord(r) {
			flush(i)
			if r == '#' && i == len(wire)-1 && len(words) > 0 {
				words = append(words, "Sharp") // C#
			}
			start = i + size
		}
		i += size
	}
	flush(len(wire))
	return words
}

// isGeneric reports whether < and > are brackets in wire, each < right behind a
// word and each > the end of one: Result<Item>, Map<string,Item[]>.
func isGeneric(wire string) bool {
	depth := 0
	for i, c := range wire {
		before, _ := utf8.DecodeLastRuneInString(wire[:i])
		switch c {
		case '<':
			depth++
			if !inWord(before) || strings.HasPrefix(wire[i+1:], "=") {
				return false
			}
		case '>':
			depth--
			if depth < 0 || strings.ContainsRune("<-= ", before) || startsWord(wire[i+1:]) || strings.HasPrefix(wire[i+1:], "=") {
				return false
			}
		}
	}
	return depth == 0
}

func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func operator(s string) (symbol, word string) {
	// Most runes are letters: leave before the table.
	if c := s[0]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' {
		return "", ""
	}
	for _, o := range spoken {
		if strings.HasPrefix(s, o.symbol) {
			return o.symbol, o.word
		}
	}
	return "", ""
}

// inWord reports whether r stays inside a word. Marks and joiners do, although
// Go allows them in no identifier: clean drops them.
func inWord(r rune) bool {
	return legal(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// legal reports whether r may stand in an identifier of ours: Go's letters and
// digits without the invisible ones (Hangul fillers).
func legal(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func clean(run string) string {
	return strings.Map(func(r rune) rune {
		if legal(r) {
			return r
		}
		return -1
	}, run)
}

// cutAtCase cuts run before each capital that follows something else (fooBar,
// base64Encode) and before the last capital of several that a small letter
// follows (HTMLParser), but not in plurals (userIDs).
func cutAtCase(run string) []string {
	var words []string
	for run != "" {
		end := wordEnd(run)
		words = append(words, run[:end])
		run = run[end:]
	}
	return words
}

// wordEnd returns the length of the first word that cutAtCase makes of run.
func wordEnd(run string) int {
	afterUpper := false
	for i, r := range run {
		upper := unicode.IsUpper(r)
		if upper && i > 0 {
			rest := run[i+utf8.RuneLen(r):]
			if !afterUpper || startsLower(rest) && !isPlural(rest) {
				return i
			}
		}
		afterUpper = upper
	}
	return len(run)
}

// isPlural reports whether rest, which follows at least two capitals, is an s
// that ends the word.
func isPlural(rest string) bool { return rest[0] == 's' && !startsLower(rest[1:]) }

// Package safetext makes text that came from a server harmless to print.
//
// In: any string, valid UTF-8 or not, of any length. Out: text that cannot move
// a cursor, reorder its neighbours, hide words, start a line of its own, become
// markup or give a command to a CI runner, and that still reads as what the
// server wrote. One function per place where it is printed. It imports nothing
// of mcpbind.
package safetext

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether r shows nothing of its own or changes how its
// neighbours show: controls, line separators, bidirectional and zero-width
// runes, tags, fillers, private use and non-characters. U+FE0F, which only
// turns the symbol before it into an emoji, is not hidden.
func Hidden(r rune) bool {
	switch {
	case r < 0x80:
		return r < 0x20 || r == 0x7f
	case r == emojiStyle:
		return false
	case r&0xfffe == 0xfffe: // non-characters, two on each plane
		return true
	}
	return unicode.In(r, hidden, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp)
}

const (
	joiner     = '\u200d' // ties the parts of an emoji together
	emojiStyle = '\ufe0f'
)

// hidden holds what looks like nothing though its category is that of letters,
// marks or symbols.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034f, 0x034f, 1}, // combining grapheme joiner
		{0x115f, 0x1160, 1}, // Hangul fillers
		{0x17b4, 0x17b5, 1}, // Khmer inherent vowels
		{0x180b, 0x180f, 1}, // Mongolian variation selectors
		{0x2065, 0x2065, 1}, // reserved for format characters
		{0x2800, 0x2800, 1}, // braille blank
		{0x3164, 0x3164, 1}, // Hangul filler
		{0xfe00, 0xfe0e, 1}, // variation selectors
		{0xffa0, 0xffa0, 1}, // halfwidth Hangul filler
		{0xfdd0, 0xfdef, 1}, // non-characters
		{0xfff0, 0xfff8, 1}, // reserved for format characters
	},
	R32: []unicode.Range32{
		{0x1bca0, 0x1bca3, 1}, // shorthand format controls
		{0x1d159, 0x1d159, 1}, // musical null notehead
		{0xe0000, 0xe0fff, 1}, // tags, variation selectors, reserved
	},
}

// maxMarks bounds the combining marks in a row: more is a tower over the lines
// around it, and no script needs it.
const maxMarks = 6

// visible yields the runes of s with true for those to show as they are and
// false for hidden ones. Emoji sequences are kept whole; combining marks are
// kept on a visible rune, the first few of a pile. Invalid UTF-8 comes out as
// U+FFFD.
func visible(s string) iter.Seq2[rune, bool] {
	return func(yield func(rune, bool) bool) {
		var before rune // what the next rune can attach to, 0 for nothing
		marks := 0
		for i, r := range s {
			show := !Hidden(r)
			switch {
			case r == joiner:
				next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):])
				show = (before == emojiStyle || isPictogram(before)) && isPictogram(next)
			case unicode.In(r, unicode.Mn, unicode.Me):
				marks++
				show = show && before != 0 && marks <= maxMarks && (r != emojiStyle || before != emojiStyle)
			default:
				marks = 0
			}
			if !yield(r, show) {
				return
			}
			if before = r; !show || isSpace(r) {
				before = 0
			}
		}
	}
}

// isPictogram reports whether r is in a block of symbols that emoji come from.
func isPictogram(r rune) bool {
	return r >= 0x2190 && r <= 0x2bff || r >= 0x1f000 && r <= 0x1faff
}

// isSpace reports whether r is white space of any kind, line terminators too.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' }

// lines splits s at every line terminator that some editor, terminal or parser
// knows: CR LF, LF, CR, NEL, LS, PS, VT and FF. It yields "" once for "".
func lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			i := strings.IndexAny(s, "\n\r\v\f\u0085\u2028\u2029")
			if i < 0 {
				yield(s)
				return
			}
			if !yield(s[:i]) {
				return
			}
			if s = s[i:]; strings.HasPrefix(s, "\r\n") {
				s = s[2:]
			} else {
				_, size := utf8.DecodeRuneInString(s)
				s = s[size:]
			}
		}
	}
}

package names

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Join puts identifiers together and says the words that one shares with what
// stands before it once: SetLogLevel and Level give SetLogLevel, HfJobs and
// JobsStatus HfJobsStatus.
func Join(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		end := tail(b.String(), len(part))
		if !strings.Contains(end, part[:wordEnd(part)]) { // mostly, and cheap
			b.WriteString(part)
			continue
		}
		before, after := cutAtCase(end), cutAtCase(part)
		shared := min(len(before), len(after))
		for shared > 0 && !slices.Equal(before[len(before)-shared:], after[:shared]) {
			shared--
		}
		for _, word := range after[shared:] {
			b.WriteString(word)
		}
	}
	return b.String()
}

// tail returns the last n bytes of name or more: so many that its last n are cut
// into words as they are within name.
func tail(name string, n int) string {
	start := len(name) - n - utf8.UTFMax
	if start <= 0 {
		return name
	}
	for !utf8.RuneStart(name[start]) {
		start--
	}
	return name[start:]
}

package validate

import (
	"regexp"
	"slices"
	"testing"

	"github.com/dlclark/regexp2/v2"
)

// subjects are texts on which engines differ.
var subjects = []string{
	"", "a", "A", "ab", "aab", "a\n", "\na", "a\r", "a\u2028b", "a b", "a\u00a0b", "\ufeff", "\u0085", "\u180e", "\v",
	"é", "éa", "É", "ſ", "K", "٣", "5", "foo5bar", "_", "-", "a-b", "a/b", "a.b", "^", "$", "[", "]", "{", "}", "\\", "|",
	"😀", "😀a", "\x00", "\x01", "\b", "\x7f", "user@example.com", "2024-01-31", "#fff", "aaaaaaaaaa", "日本", "Ω", "ω", "\u212a",
}

// TestTranslation holds that a pattern means the same in RE2 and on the ECMA-262
// engine, and which patterns go to RE2 at all.
func TestTranslation(t *testing.T) {
	tests := []struct {
		pattern string
		linear  bool
	}{
		{`^a$`, true}, {`a|b|`, true}, {`(a)(?:b)`, true}, {`a*?b+?c??`, true}, {`^a{2,3}$`, true}, {`a{2,}`, true},
		{`.`, true}, {`^.$`, true}, {`^[^]$`, true}, {`[]`, true}, {`[^a]`, true}, {`[^\n]`, true},
		{`\d`, true}, {`^\D$`, true}, {`^\w$`, true}, {`^\W$`, true}, {`^\s$`, true}, {`^\S$`, true}, {`^[\s\S]$`, true},
		{`^[^\s]$`, true}, {`^[^\S]$`, true}, {`^[\w-]+$`, true}, {`^[\w.-]+@[\w-]+\.[a-z]{2,}$`, true}, {`\bb`, true}, {`a\B`, true},
		{`^[a\]\\^-]$`, true}, {`^[\b]$`, true}, {`^[+--]$`, true}, {`^[/\-_]$`, true}, {`^\/$`, true}, {`\x41`, true},
		{`\u0041`, true}, {`\u{1F600}`, true}, {`\ud83d\ude00`, true}, {`^[\ud83d\ude00-\ud83d\ude4f]$`, true}, {`^\p{L}+$`, true},
		{`^\P{Lu}$`, true}, {`^[\p{L}\d]$`, true}, {`\p{Script=Greek}`, true}, {`^#(?:[0-9a-fA-F]{3}){1,2}$`, true}, {`^[[:alpha:]$`, true},
		{`^[^[]$`, true}, {`😀`, true}, {`^[😀é]$`, true}, {`^\v$`, true}, {`&&|~~`, true}, {`^[a&&b]$`, true}, {`\t\n\f\r`, true},

		{`(?=a)a`, false}, {`(?!a)b`, false}, {`(?<=a)b`, false}, {`(a)\1`, false}, {`(?<n>a)\k<n>`, false}, {`\cA`, false}, {`\0`, false},
		{`(?i:a)`, false}, {`\p{Letter}`, false}, {`\p{Script=Hiragana}\p{Alphabetic}`, false}, {`a{1001}`, false}, {`(?<year>\d{4})`, false},
		{`[\w-a]`, false}, {`]`, false}, {`a{`, false}, {`\pL`, false}, {`\ud83d`, false}, {`^^*`, false},
	}
	for _, tt := range tests {
		t.Run(tt.pattern, func(t *testing.T) {
			text, _, ok := toRE2(tt.pattern)
			var linear *regexp.Regexp
			if ok {
				linear, _ = regexp.Compile(text)
			}
			if (linear != nil) != tt.linear {
				t.Fatalf("goes to RE2: %v (as %q)", linear != nil, text)
			}
			if linear != nil {
				agree(t, tt.pattern, linear, subjects)
			}
		})
	}
}

func agree(t *testing.T, pattern string, linear *regexp.Regexp, subjects []string) {
	t.Helper()
	reference, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		// Common escapes that the u flag forbids.
		if reference, err = regexp2.Compile(pattern, regexp2.ECMAScript); err != nil {
			t.Errorf("only RE2 takes %q: %v", pattern, err)
			return
		}
	}
	for _, subject := range subjects {
		want, err := reference.MatchString(subject)
		if got := linear.MatchString(subject); err == nil && got != want {
			t.Errorf("%q on %q: RE2 (%q) says %v, ECMA-262 says %v", pattern, subject, linear, got, want)
		}
	}
}

// FuzzTranslation looks for patterns that mean something else in RE2.
func FuzzTranslation(f *testing.F) {
	for _, pattern := range []string{`^[\w.-]+$`, `\bfoo\B`, `a{1,3}?|[^\s\d]`, `\u{1f600}[\x00-\x7f]`, `(?:^$)+`} {
		f.Add(pattern, "foo5bar")
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		if len(pattern) > 60 || len(subject) > 60 {
			return
		}
		text, _, ok := toRE2(pattern)
		if !ok {
			return
		}
		linear, err := regexp.Compile(text)
		if err != nil {
			return
		}
		agree(t, pattern, linear, append(slices.Clip(subjects), string([]rune(subject))))
	})
}

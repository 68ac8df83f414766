package safetext_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// attacks are texts that do harm when they are printed as they are.
var attacks = []string{
	"\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
	"\u009b31mC1", "\u009d0;title\u009c", "a\rb", "a\bb\x7f", "a\x00b", "\x9b31m raw C1 byte",
	"ab\u202e\u2066// admin\u2069 \u2066begin\u2069", "\u200e\u200f\u061c\u2067",
	"zero\u200bwidth\u200c\u200d\u2060\ufeff\u00ad", "\U000e0041\U000e0042\U000e007f",
	"a\ufe00\ufe01\U000e0100\U000e0101", "\u3164\u115f\uffa0\u2800\u034f",
	"a\u2028b\u2029c\u0085d\ve\ff", "one\r\ntwo\n\n\n\nthree",
	"::error file=a.go::boom", "  \t ::set-output name=x::y", "\u00a0::warning::x", "\n::error::x", "\u200b::error::x",
	"text ##[error]boom", "##[add-mask]x", "###[group]x", "##vso[task.setvariable variable=x]y", "##teamcity[x]",
	"100%0A::error::x%0D", "a:b,c=d::e",
	"[link](https://evil.example) ![img](x)", "<script>alert(1)</script><img src=x onerror=y>",
	"`code` ``` fence", "@everyone @org/team", "fixes #12 and GH-12", "| a | b |", "# heading", "- item", "1. item",
	"https://evil.example www.evil.example WWW.x", "a\\", "&lt;b&gt; &#64;all", "***bold*** ~~~", "$x$ :tada:", "---", "===",
	"Z" + strings.Repeat("\u0301", 500), strings.Repeat("x", 100_000), strings.Repeat("\n", 100_000) + "x", strings.Repeat("x\n", 10_000),
	strings.Repeat(" ", 10_000) + "far away", strings.Repeat("\t", 1000) + "x", "\xff\xfe", "\ufffe\U0010ffff\ue000",
}

func TestLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain text, as it is: a::b #1 \\n %0A", "plain text, as it is: a::b #1 \\n %0A"},
		{"  two \t\n words ", "two words"},
		{"a\r\nb\u2028c\u0085d\ve", "a b c d e"},
		{"\x1b[31mred\x1b[0m\x07", `\x1b[31mred\x1b[0m\x07`},
		{"\u009b31m", `\u009b31m`},
		{"a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"zero\u200bwidth\ufeff", `zero\u200bwidth\ufeff`},
		{"tag\U000e0041", `tag\U000e0041`},
		{"bad \xff byte", "bad \ufffd byte"},
		{"::error::x", ": :error::x"},
		{" \n\t::error::x", ": :error::x"},
		{"\u200b::error::x", `\u200b::error::x`},
		{"see ##[error]x and ###[y]", "see ## [error]x and ### [y]"},
		{"##vso[task]x ## [ok]", "## vso[task]x ## [ok]"},
		{"按标题搜索 «Größe» ñ नमस्ते สวัสดี", "按标题搜索 «Größe» ñ नमस्ते สวัสดี"},
		{"family 👨‍👩‍👧 dev 👩🏽‍💻 warn ⚠️ rainbow 🏳️‍🌈 heart ❤️‍🔥 she 🏃‍♀️ flag 🇩🇪", "family 👨‍👩‍👧 dev 👩🏽‍💻 warn ⚠️ rainbow 🏳️‍🌈 heart ❤️‍🔥 she 🏃‍♀️ flag 🇩🇪"},
		{"a\u200db", `a\u200db`},
		{"e\u0301", "e\u0301"},
		{"\u0301x", `\u0301x`},
		{"x" + strings.Repeat("\u0301", 8), "x" + strings.Repeat("\u0301", 6) + `\u0301\u0301`},
		{"⚠\ufe0f\ufe0f", "⚠\ufe0f" + `\ufe0f`},
	}
	for _, tt := range tests {
		if got := safetext.Line(tt.in); got != tt.want {
			t.Errorf("Line(%+q)\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestLineN(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"abcdef", 1, "…"},
		{"a", 1, "a"},
		{"abcdef", 0, ""},
		{"abcdef", -1, ""},
		{"", 3, ""},
		{"äöüß", 4, "äöüß"},
		{"äöüß", 3, "äö…"},
		{"::error::", 4, ": :…"},
	}
	for _, tt := range tests {
		if got := safetext.LineN(tt.in, tt.n); got != tt.want {
			t.Errorf("LineN(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestBlock(t *testing.T) {
	tests := []struct{ in, prefix, want string }{
		{"", "> ", ""},
		{" \n\t\n", "> ", ""},
		{"one", "> ", "> one"},
		{"one\ntwo\r\nthree\rfour\u2028five", "> ", "> one\n> two\n> three\n> four\n> five"},
		{"\n\none\n\n\n\n  two  \n\n", "> ", "> one\n>\n>   two"},
		{"::error::x\n ::error::y", "", "  : :error::x\n   : :error::y"},
		{"a\tb\x1b[2J", "| ", `| a    b\x1b[2J`},
		{strings.Repeat(" ", 99) + "x", "", strings.Repeat(" ", 18) + "x"},
		{"keep  the   columns", "", "  keep  the   columns"},
	}
	for _, tt := range tests {
		if got := safetext.Block(tt.in, tt.prefix); got != tt.want {
			t.Errorf("Block(%+q, %q)\ngot  %q\nwant %q", tt.in, tt.prefix, got, tt.want)
		}
	}
	long := safetext.Block(strings.Repeat("x\n", 600), "> ")
	if !strings.HasSuffix(long, "\n> … (100 more lines)") || strings.Count(long, "\n") != 500 {
		t.Errorf("long text ends in %q", long[len(long)-40:])
	}
}

func TestCommentLines(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"one", []string{"one"}},
		{"a\nb\r\nc\rd\u0085e\u2028f\u2029g\vh\fi", []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}},
		{"a\n\n  b\n", []string{"a", "", "  b", ""}},
		{"\r\r\n\n", []string{"", "", "", ""}},
		{"*/ func init() {} //go:embed x", []string{"*/ func init() {} //go:embed x"}},
		{"a\u202eb\x00c\x1b[2J\u200bd\ufeff\U000e0041", []string{"abc[2Jd"}},
		{"\tcode\tx", []string{"\tcode\tx"}},
		{"bad \xff", []string{"bad \ufffd"}},
		{"::error:: ##[x] 搜索 ⚠️ 👨‍👩‍👧", []string{"::error:: ##[x] 搜索 ⚠️ 👨‍👩‍👧"}},
	}
	for _, tt := range tests {
		if got := safetext.CommentLines(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("CommentLines(%+q)\ngot  %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text; x-y = 3, it's \"so\" 100%", "plain text; x-y = 3, it's \"so\" 100%"},
		{"[a](b) ![c](d)", `\[a\]\(b\) \!\[c\]\(d\)`},
		{"<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"`x` *y* _z_ ~q~ | $m$", "\\`x\\` \\*y\\* \\_z\\_ \\~q\\~ \\| \\$m\\$"},
		{"@all fixes #1", "@&#8203;all fixes #&#8203;1"},
		{"# heading", "#&#8203; heading"},
		{"https://x.y www.z.q WWW.a", "https:&#8203;//x.y www.&#8203;z.q WWW.&#8203;a"},
		{"- item\n- item", `\- item - item`},
		{"12. item 3.5", `12\. item 3.5`},
		{"=== x", `\=== x`},
		{`a\`, `a\\`},
	}
	for _, tt := range tests {
		if got := safetext.Markdown(tt.in); got != tt.want {
			t.Errorf("Markdown(%q)\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

func TestHTML(t *testing.T) {
	const in = "<a href='x' title=\"y\">&\n\u202e\x1b\r\nz"
	const want = `&lt;a href=&#39;x&#39; title=&#34;y&#34;&gt;&amp;` + "\n" + `\u202e\x1b` + "\nz"
	if got := safetext.HTML(in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWorkflow(t *testing.T) {
	if got, want := safetext.WorkflowData("100%\r\n::error::a,b\x1b"), `100%25%0A: :error::a,b\x1b`; got != want {
		t.Errorf("data: got %q, want %q", got, want)
	}
	if got, want := safetext.WorkflowProperty("a:b,c%\nd"), `a%3Ab%2Cc%25 d`; got != want {
		t.Errorf("property: got %q, want %q", got, want)
	}
}

func TestHidden(t *testing.T) {
	for _, r := range "\x00\x1b\n\x7f\u0080\u009b\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u2028\u202e\u2060\u2066\u2800\u3164\ufe00\ufeff\ufff9\ufffe\ue000\U000e0001\U000e0041\U000e0100\U0010ffff" {
		if !safetext.Hidden(r) {
			t.Errorf("%U is not hidden", r)
		}
	}
	for _, r := range " aé~\u00a0中\u0301\ufe0f\ufffd👍🏽⚠" {
		if safetext.Hidden(r) {
			t.Errorf("%U is hidden", r)
		}
	}
}

func TestAttacks(t *testing.T) {
	for _, s := range attacks {
		checkAll(t, s)
	}
}

func FuzzAll(f *testing.F) {
	for _, s := range attacks {
		if len(s) < 200 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) { checkAll(t, s) })
}

// checkAll checks what every function promises for whatever text.
func checkAll(t *testing.T, s string) {
	t.Helper()
	check := func(name, got string, newlines bool) {
		t.Helper()
		if !utf8.ValidString(got) {
			t.Fatalf("%s(%+q) is not valid UTF-8", name, s)
		}
		for _, r := range got {
			if safetext.Hidden(r) && (r != '\n' || !newlines) && r != '\u200d' {
				t.Fatalf("%s(%+q) shows %U", name, s, r)
			}
		}
	}
	commands := func(name, got string) {
		t.Helper()
		for line := range strings.SplitSeq(got, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
				t.Fatalf("%s(%+q) gives a command: %q", name, s, line)
			}
		}
	}
	line := safetext.Line(s)
	check("Line", line, false)
	commands("Line", line)
	if n := utf8.RuneCountInString(line); n > 1000 {
		t.Fatalf("Line has %d runes", n)
	}
	if again := safetext.Line(line); again != line {
		t.Fatalf("Line(%+q) = %+q, and of that %+q", s, line, again)
	}
	if n := utf8.RuneCountInString(safetext.LineN(s, 7)); n > 7 {
		t.Fatalf("LineN has %d runes", n)
	}
	block := safetext.Block(s, "> ")
	check("Block", block, true)
	commands("Block", safetext.Block(s, ""))
	for l := range strings.SplitSeq(block, "\n") {
		if block != "" && !strings.HasPrefix(l, ">") {
			t.Fatalf("Block(%+q) begins a line with %q", s, l)
		}
	}
	for _, l := range safetext.CommentLines(s) {
		check("CommentLines", strings.ReplaceAll(l, "\t", ""), false)
	}
	markdown := safetext.Markdown(s)
	check("Markdown", markdown, false)
	if strings.ContainsAny(markdown, "<>") {
		t.Fatalf("Markdown(%+q) = %q", s, markdown)
	}
	page := safetext.HTML(s)
	check("HTML", page, true)
	if strings.ContainsAny(page, `<>"'`) {
		t.Fatalf("HTML(%+q) = %q", s, page)
	}
	data, property := safetext.WorkflowData(s), safetext.WorkflowProperty(s)
	check("WorkflowData", data, false)
	check("WorkflowProperty", property, false)
	if strings.ContainsAny(property, ":,") {
		t.Fatalf("WorkflowProperty(%+q) = %q", s, property)
	}
}

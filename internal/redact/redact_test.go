package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/redact"
)

func TestText(t *testing.T) {
	const token = `ghp_ab"c/d+e\f=`
	tests := []struct {
		name   string
		values map[string]string
		in     string
		want   string
	}{
		{"plain", map[string]string{"TOKEN": "s3cretvalue"}, "Bearer s3cretvalue!", "Bearer ${TOKEN}!"},
		{"twice", map[string]string{"TOKEN": "s3cretvalue"}, "s3cretvalues3cretvalue", "${TOKEN}${TOKEN}"},
		{"nothing to find", map[string]string{"TOKEN": "s3cretvalue"}, "all well", "all well"},
		{"short values occur by chance", map[string]string{"MODE": "on", "TOKEN": "1234567"}, "on 1234567", "on 1234567"},
		{"eight bytes", map[string]string{"TOKEN": "12345678"}, "12345678", "${TOKEN}"},
		{"prefix of another", map[string]string{"A": "secretkey", "B": "secretkey-long"}, "secretkey-long secretkey", "${B} ${A}"},
		{"inside another", map[string]string{"A": "middlepart", "B": "xx-middlepart-xx"}, "xx-middlepart-xx", "${B}"},
		{"overlapping", map[string]string{"A": "abcdefgh", "B": "efghijkl"}, "<abcdefghijkl>", "<${A}${B}>"},
		{"overlapping itself", map[string]string{"A": "aaaaaaaa"}, "<aaaaaaaaaaa>", "<${A}>"},
		{"one value, two names", map[string]string{"B": "samesecret", "A": "samesecret"}, "samesecret", "${A}"},
		{"trailing newline", map[string]string{"TOKEN": "s3cretvalue\n"}, "Bearer s3cretvalue.", "Bearer ${TOKEN}."},
		{"mostly white space", map[string]string{"PAD": "a          "}, "[a          ]", "[${PAD}]"},
		{"JSON string", map[string]string{"TOKEN": token}, `{"a":"ghp_ab\"c/d+e\\f="}`, `{"a":"${TOKEN}"}`},
		{"JSON string for HTML", map[string]string{"TOKEN": "a<b>c&d<\""}, `"a\u003cb\u003ec\u0026d\u003c\""`, `"${TOKEN}"`},
		{"query", map[string]string{"TOKEN": token}, "?t=" + url.QueryEscape(token) + "&x", "?t=${TOKEN}&x"},
		{"path", map[string]string{"TOKEN": token}, "/" + url.PathEscape(token) + "/x", "/${TOKEN}/x"},
		{"unicode", map[string]string{"PASS": "pässwört"}, "is pässwört?", "is ${PASS}?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := redact.New(tt.values)
			if got := r.Text(tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if got, want := r.Found(tt.in), tt.in != tt.want; got != want {
				t.Errorf("Found = %t", got)
			}
		})
	}
}

// Nobody may read a secret out of an echoed Basic credential.
func TestTextFindsBase64AtEveryAlignment(t *testing.T) {
	const token = "t0ken-with-?>~-text"
	r := redact.New(map[string]string{"TOKEN": token})
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		for _, user := range []string{"", "u", "us", "use", "user"} {
			echo := "Basic " + enc.EncodeToString([]byte(user+token+":tail"))
			got := r.Text(echo)
			if got == echo || !strings.Contains(got, "${TOKEN}") {
				t.Errorf("%q is left as it is", echo)
			}
		}
	}
}

func TestNothingToRedact(t *testing.T) {
	for _, values := range []map[string]string{nil, {}, {"A": "short"}, {"A": ""}, {"A": "          x"[:5]}} {
		r := redact.New(values)
		if r != nil {
			t.Errorf("New(%v) is not nil", values)
		}
		if r.Found("anything") || r.Text("anything") != "anything" {
			t.Error("the nil Redactor does something")
		}
	}
}

// Tokens come and go: the latest are looked for, and what was given first always.
func TestLearn(t *testing.T) {
	for name, r := range map[string]*redact.Redactor{"zero": {}, "of some": redact.New(map[string]string{"VAR": "s3cretvalue"})} {
		t.Run(name, func(t *testing.T) {
			for i := range 20 {
				for range 2 {
					r.Learn("token", fmt.Sprintf("token-number-%d!", i))
				}
			}
			for _, short := range []string{"", "a", "short"} { // none of them takes a place
				r.Learn("token", short)
			}
			for i := range 20 {
				want := "a ${token} b"
				if i < 4 {
					want = fmt.Sprintf("a token-number-%d! b", i)
				}
				if got := r.Text(fmt.Sprintf("a token-number-%d! b", i)); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			if got := r.Text("short s3cretvalue"); name == "of some" && got != "short ${VAR}" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add("secretvalue", "other-secret", "a secretvalue, a other-secret")
	f.Add("aaaaaaaa", "aaaaaaaab", "aaaaaaaaaaaaaaaaab")
	f.Fuzz(func(t *testing.T, a, b, text string) {
		if placeholders := "${A}${B}"; strings.Contains(placeholders, a) || strings.Contains(placeholders, b) {
			t.Skip("the placeholder is the secret")
		}
		r := redact.New(map[string]string{"A": a, "B": b})
		got := r.Text(text)
		// What stands between the placeholders holds no secret any more.
		for part := range strings.SplitSeq(strings.ReplaceAll(got, "${A}", "${B}"), "${B}") {
			if r.Found(part) {
				t.Fatalf("Text(%q) = %q still holds a secret", text, got)
			}
		}
		if quoted, err := json.Marshal(text); err == nil && len(text) < len(quoted) && !r.Found(text) && got != text {
			t.Fatalf("Text changed %q to %q for nothing", text, got)
		}
	})
}

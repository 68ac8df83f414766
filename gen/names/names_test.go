package names_test

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/names"
)

func TestExported(t *testing.T) {
	for _, tt := range []struct{ wire, want string }{
		{"create_issue", "CreateIssue"},
		{"create-issue", "CreateIssue"},
		{"createIssue", "CreateIssue"},
		{"CREATE_ISSUE", "CreateIssue"},
		{"in-transit", "InTransit"},
		{"userId", "UserID"},
		{"user_ids", "UserIDs"},
		{"userIDs", "UserIDs"},
		{"HTMLParser", "HTMLParser"},
		{"getHTTPSUrl", "GetHTTPSURL"},
		{"getUSDPrice", "GetUSDPrice"},
		{"list_DNS_records", "ListDNSRecords"},
		{"sha256", "SHA256"},
		{"utf-8", "UTF8"},
		{"utf8", "UTF8"},
		{"oauth2_token", "OAuth2Token"},
		{"ipv4", "IPv4"},
		{"base64Encode", "Base64Encode"},
		{"fooBar2baz", "FooBar2baz"},
		{"i18n", "I18n"},
		{"application/json", "ApplicationJSON"},
		{"it's urgent", "ItSUrgent"},
		{"6ghz", "N6ghz"},
		{"M-3.5+", "M3_5Plus"},
		{"v1.2.3", "V1_2_3"},
		{"2024-01-01", "N2024_01_01"},
		{"+1", "Plus1"},
		{"-1", "Minus1"},
		{"-created_at", "MinusCreatedAt"},
		{"--flag", "Flag"},
		{"!active", "NotActive"},
		{"c++", "CPlusPlus"},
		{"C#", "CSharp"},
		{"R&D", "RAndD"},
		{"50%", "N50Percent"},
		{"Result<Item>", "ResultItem"},
		{"Map<string,List<Item[]>>", "MapStringListItem"},
		{"Pick<Item,\"id\">|null", "PickItemIDOrNull"},
		{"a<b", "ALessB"},
		{"<b>", "LessBGreater"},
		{"<-", "From"},
		{"<->", "FromTo"},
		{"->", "To"},
		{"a<b>c", "ALessBGreaterC"},
		{"a<b->c>", "ALessBToCGreater"},
		{"<=", "LessOrEqual"},
		{"!=", "NotEqual"},
		{"*", "Star"},
		{"$ref", "Ref"},
		{"@type", "Type"},
		{"#", "Hash"},
		{"", "Empty"},
		{" ", "Space"},
		{"...", "DotDotDot"},
		{"_", "Underscore"},
		{"func", "Func"},
		{"string", "String"},
		{"名称", "X名称"},
		{"اسم", "Xاسم"},
		{"ünïcode_name", "ÜnïcodeName"},
		{"e\u0301te\u0301", "Ete"}, // Go allows no combining marks
		{"привет мир", "ПриветМир"},
		{"ǆ", "Ǆ"},
		{"ß", "Xß"},
		{"\u3164", "U3164"}, // an invisible letter
		{"a\u3164b", "Ab"},
		{"👍", "U1F44D"},
		{"👍 yes", "Yes"},
		{"\x00", "U0000"},
		{"\xff", "UFFFD"},
		{"a\xffb", "AB"},
		{"a\u202eb", "Ab"},
		{"m²", "M"},
		{"٣", "N٣"},
	} {
		if got := names.Exported(tt.wire); got != tt.want {
			t.Errorf("Exported(%q) = %s, want %s", tt.wire, got, tt.want)
		}
	}
}

func TestExportedIsBounded(t *testing.T) {
	for _, wire := range []string{
		strings.Repeat("x", 1<<20),
		strings.Repeat("é", 1<<20),
		strings.Repeat("word ", 1<<16),
		strings.Repeat("👍", 1<<16),
		strings.Repeat("1 ", 1<<16),
	} {
		got := names.Exported(wire)
		if !exported(got) || len(got) > 100 {
			t.Errorf("Exported(%.20q...) = %q, %d bytes", wire, got, len(got))
		}
	}
}

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		wires []string
		want  string
	}{
		{[]string{"list_channels", "6ghz"}, "ListChannels6ghz"},
		{[]string{"step1", "2nd"}, "Step1_2nd"},
		{[]string{"get", ""}, "GetEmpty"},
		{[]string{"名", "x"}, "X名X"},
	} {
		if got := names.Path(tt.wires...); got != tt.want {
			t.Errorf("Path(%q) = %s, want %s", tt.wires, got, tt.want)
		}
	}
}

func TestUnexported(t *testing.T) {
	for exported, want := range map[string]string{
		"CreateIssue": "createIssue",
		"HTMLParser":  "htmlParser",
		"ID":          "id",
		"IDs":         "ids",
		"IDsOnly":     "idsOnly",
		"URLFor":      "urlFor",
		"ItSUrgent":   "itSUrgent",
		"IPv4Address": "ipv4Address",
		"OAuthToken":  "oauthToken",
		"X名称":         "x名称",
		"N6ghz":       "n6ghz",
		"Type":        "type",
		"A":           "a",
		"U1F44D":      "u1F44D",
	} {
		if got := names.Unexported(exported); got != want {
			t.Errorf("Unexported(%q) = %s, want %s", exported, got, want)
		}
	}
}

func TestPackage(t *testing.T) {
	for server, want := range map[string]string{
		"github":      "githubmcp",
		"GitHub-Prod": "githubprodmcp",
		"1password":   "mcp1password",
		"my-mcp":      "mymcp",
		"mcp":         "mcp",
		"_test":       "testmcp",
		"main":        "mainmcp",
		"internal":    "internalmcp",
		"vendor":      "vendormcp",
		"...":         "servermcp",
		"":            "servermcp",
		"名":           "servermcp",
	} {
		if got := names.Package(server); got != want {
			t.Errorf("Package(%q) = %s, want %s", server, got, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"create_issue", "", "<=", "名称", "e\u0301", "\xff", "userIDs", "M-3.5+", "1", "ʰ", "ⅷ"} {
		f.Add(s, "6ghz")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		name := names.Path(a, b)
		if !exported(name) {
			t.Errorf("Path(%q, %q) = %q", a, b, name)
		}
		if name != names.Path(a, b) {
			t.Error("not deterministic")
		}
		if u := names.Unexported(name) + "Tool"; !token.IsIdentifier(u) || token.IsExported(u) {
			t.Errorf("Unexported(%q) = %q", name, u)
		}
		if p := names.Package(a); !token.IsIdentifier(p) || strings.ToLower(p) != p || !strings.Contains(p, "mcp") {
			t.Errorf("Package(%q) = %q", a, p)
		}
	})
}

func exported(name string) bool { return token.IsIdentifier(name) && token.IsExported(name) }

func ExampleExported() {
	for _, wire := range []string{"create_issue", "userId", "it's urgent", "<=", "M-3.5+", "6ghz"} {
		fmt.Println(names.Exported(wire))
	}
	// Output:
	// CreateIssue
	// UserID
	// ItSUrgent
	// LessOrEqual
	// M3_5Plus
	// N6ghz
}

// words makes names that collide often.
func word(r *rand.Rand) string {
	const letters = "abAB_-2"
	b := make([]byte, 1+r.IntN(3))
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

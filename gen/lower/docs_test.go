package lower

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFacts has, for the schema of one property "p", all that its field and its
// types say beside our own sentences.
func TestFacts(t *testing.T) {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for _, test := range []struct {
		name, root, schema string
		want               []string
	}{
		{"bounds in allOf", "", `{"allOf":[{"type":"string"},{"minLength":2},{"pattern":"^a"}]}`, []string{"TInput.P: At least 2 characters. Matches `^a`."}},
		{"words in allOf", "", `{"allOf":[{"$ref":"#/$defs/D"},{"description":"Mine."}]}`, []string{"TInput.P: Mine."}},
		{"words of one alternative", "", `{"allOf":[{"maxLength":3,"description":"Short."}]}`, []string{"TInput.P: Short. At most 3 characters."}},
		{"beside a reference", "", `{"$ref":"#/$defs/D","minLength":2,"default":"xx"}`, []string{`TInput.P: At least 2 characters. The server's default is "xx".`}},
		{"beside a reference that stands alone", draft7, `{"$ref":"#/$defs/D","minLength":2,"default":"x","description":"Mine."}`,
			[]string{`TInput.P: Mine. The server's default is "x".`}},
		{"variants of several kinds", "", `{"type":["string","number","array","object"],"minimum":3,"minLength":2,"minItems":1,"minProperties":1,"contentEncoding":"base64","examples":["ab",4]}`, []string{
			`TInput.P: At least 3. At least 2 characters. Encoded as base64. At least 1 item. At least 1 key. Examples: "ab", 4.`,
			`TPText: At least 2 characters. Encoded as base64. Example: "ab".`,
			`TPNumber: At least 3. Example: 4.`,
			`TPList: At least 1 item.`,
			`TPObject: At least 1 key.`,
		}},
		{"listed texts among others", "", `{"anyOf":[{"enum":["a","b"]},{"type":"string","minLength":3},{"type":"null"}]}`, []string{`TInput.P: Known values: "a", "b".`}},
		{"listed texts in a variant", "", `{"anyOf":[{"const":"never"},{"type":"string","pattern":"^[0-9]+s$"},{"type":"integer"}]}`, []string{`TPText: Known values: "never".`}},
		{"a link or nothing", "", `{"anyOf":[{"type":"string","format":"uri"},{"const":""}]}`, []string{`TInput.P: May be empty.`}},
		{"a constant object", "", `{"const":{"a":[1]}}`, []string{`TInput.P: Always {"a":[1]}.`}},
		{"listed lists", "", `{"type":"array","enum":[[],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11]]}`,
			[]string{"TInput.P: One of [], [1], [2], [3], [4], [5], [6], [7], [8], [9] and 2 more."}},
		{"one boolean", "", `{"type":"boolean","enum":[true]}`, []string{"TInput.P: Always true."}},
		{"both booleans", "", `{"enum":[true,false]}`, nil},
		{"an enum", "", `{"enum":["a",null]}`, nil},
		{"default of one variant", "", `{"type":["string","boolean"],"default":false}`, []string{`TInput.P: The server's default is false.`, `TPBool: The server's default is false.`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := lowerOne(t, Options{}, `{`+test.root+`"type":"object","properties":{"p":`+test.schema+`},"$defs":{"D":{"type":"string"}}}`, "")
			if diff := cmp.Diff(test.want, documentation(r.Package)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

package emit_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"unicode"

	"github.com/mcpbind/mcpbind/gen/emit"
)

func TestSafeKey(t *testing.T) {
	for key, want := range map[string]bool{
		"order_id": true, "a-b": true, "a.b": true, "@type": true, "$ref": true, "a:b": true, "a/b": true,
		"名称": true, "ünï": true, "1": true, "+1": true, "c#": true,
		"": false, "-": false, "a,b": false, "it's": false, `a"b`: false, `a\b`: false, "a`b": false,
		"a b": false, " ": false, "👍": false, "a\n": false, "a\xff": false, "e\u0301": false, "\u202e": false, "\u3164": false,
		"a;b": false, "<": false, "omit,zero": false,
	} {
		if got := emit.SafeKey(key); got != want {
			t.Errorf("SafeKey(%q) = %t, want %t", key, got, want)
		}
	}
}

// TestSafeKeysAreSafe asks the encoding/json of this toolchain: every rune that
// SafeKey admits must come out as the key, with and without an option.
func TestSafeKeysAreSafe(t *testing.T) {
	n := 0
	for r := range unicode.MaxRune {
		key := "k" + string(r)
		if !emit.SafeKey(key) {
			continue
		}
		if r > 0x2ff && r%97 != 0 { // all of Latin, a sample of the rest
			continue
		}
		n++
		for _, option := range []string{"", ",omitzero"} {
			tag := reflect.StructTag(fmt.Sprintf("json:%q", key+option))
			typ := reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[int](), Tag: tag}})
			v := reflect.New(typ).Elem()
			v.Field(0).SetInt(1)
			got, err := json.Marshal(v.Interface())
			want, _ := json.Marshal(map[string]int{key: 1})
			if err != nil || string(got) != string(want) {
				t.Errorf("key %q: got %s, %v", key, got, err)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d keys tried", n)
	}
}

package codec_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// either is a union of A, B and raw JSON; strictly is one without raw JSON, and
// three has a variant more.
type (
	either[A, B any]   struct{ Value any }
	strictly[A, B any] struct{ Value any }
	three[A, B, C any] struct{ Value any }
)

// open is three, and says that anything is allowed.
type open[A, B, C any] struct{ Value any }

func (open[A, B, C]) Variants() codec.Variants {
	return codec.Variants{(*json.RawMessage)(nil), (*A)(nil), (*B)(nil), (*C)(nil)}
}

func (either[A, B]) Variants() codec.Variants {
	return codec.Variants{(*A)(nil), (*B)(nil), (*json.RawMessage)(nil)}
}

func (strictly[A, B]) Variants() codec.Variants {
	return codec.Variants{(*A)(nil), (*B)(nil)}
}

func (three[A, B, C]) Variants() codec.Variants {
	return codec.Variants{(*A)(nil), (*B)(nil), (*C)(nil), (*json.RawMessage)(nil)}
}

// Objects with one key, p: required or optional, and with what keep_unknown adds.
type (
	p[T any] struct {
		P T `json:"p"`
	}
	pOpt[T any] struct {
		P T `json:"p,omitzero"`
	}
	pKeep[T any] struct {
		P     T                          `json:"p"`
		Extra map[string]json.RawMessage `json:"-" codec:"extra"`
	}
)

// Objects with the required key a or b.
type (
	hasA struct {
		A int `json:"a"`
	}
	hasB struct {
		B int `json:"b"`
	}
	mayA struct {
		A *int `json:"a,omitzero"`
	}
	mayB struct {
		B *int `json:"b,omitzero"`
	}
	mayAKeep struct {
		A     *int                       `json:"a,omitzero"`
		Extra map[string]json.RawMessage `json:"-" codec:"extra"`
	}
	mayBKeep struct {
		B     *int                       `json:"b,omitzero"`
		Extra map[string]json.RawMessage `json:"-" codec:"extra"`
	}
)

// Tuples.
type (
	tupleA struct {
		_  struct{} `codec:"tuple"`
		V0 hasA     `codec:"item"`
	}
	tupleB struct {
		_    struct{} `codec:"tuple"`
		V0   hasB     `codec:"item"`
		V1   *int     `codec:"item,omitzero"`
		Rest []hasB   `codec:"rest"`
	}
)

// Objects told by the key k, some of them.
type (
	kindA struct {
		_ struct{} `wire:"k" const:"\"a\""`
		X int      `json:"x"`
	}
	kindB struct {
		_ struct{} `wire:"k" const:"\"b\""`
	}
	kindCD struct {
		K string `json:"k" enum:"[\"c\",\"d\"]"`
		X string `json:"x"`
	}
	kindAny struct {
		K string `json:"k"`
		X string `json:"x"`
	}
)

// Answers with data or with an error.
type (
	answer[D, E any] struct {
		Data  D `json:"data"`
		Error E `json:"error"`
	}
	code struct {
		Code string `json:"code"`
	}
	nothing = *struct{}
	object  = map[string]any
)

// choice decodes text into the union T, and returns which of its variants was
// taken and what that encodes to.
func choice[T interface{ Variants() codec.Variants }](text string) (int, string, error) {
	var v T
	if err := codec.Unmarshal([]byte(text), &v); err != nil {
		return -1, "", err
	}
	value := reflect.ValueOf(v).Field(0).Elem()
	out, err := codec.Marshal(v)
	for i, variant := range v.Variants() {
		if value.IsValid() && reflect.TypeOf(variant).Elem() == value.Type() {
			return i, string(out), err
		}
	}
	return -1, string(out), err
}

// TestChoice: a value goes to the variant that it fits at every level, and comes
// back unchanged.
func TestChoice(t *testing.T) {
	tests := []struct {
		name string
		code func(string) (int, string, error)
		want map[string]int // text to variant
	}{
		// A type that is null and nothing else.
		{"null or object", choice[either[p[nothing], p[object]]], map[string]int{
			`{"p":{"code":"x"}}`: 1, `{"p":{}}`: 1, `{"p":null}`: 0, `{"p":1}`: 2, `{}`: 2}},
		{"null or object, unknown kept", choice[either[pKeep[nothing], pKeep[object]]], map[string]int{
			`{"p":{"code":"x"},"q":1}`: 1, `{"p":null,"q":1}`: 0, `{"p":1,"q":1}`: 2}},
		{"optional null or object", choice[either[pOpt[codec.Nullable[struct{}]], pOpt[object]]], map[string]int{
			`{"p":{"code":"x"}}`: 1, `{"p":null}`: 0, `{}`: 0, `{"p":[]}`: 2}},
		{"data or error", choice[either[answer[hasA, nothing], answer[nothing, code]]], map[string]int{
			`{"data":{"a":1},"error":null}`: 0, `{"data":null,"error":{"code":"x"}}`: 1, `{"data":null,"error":null}`: 2}},
		{"map of null or objects", choice[either[map[string]nothing, map[string]object]], map[string]int{
			`{"z":{"code":"x"}}`: 1, `{"z":null}`: 0, `{}`: 0, `{"a":null,"z":{}}`: 2}},
		{"list of null or objects", choice[either[[]nothing, []hasA]], map[string]int{
			`[{"a":1}]`: 1, `[null]`: 0, `[]`: 0}},

		// Null goes where the type has it.
		{"text or null", choice[either[p[string], p[nothing]]], map[string]int{
			`{"p":null}`: 1, `{"p":"s"}`: 0, `{"p":1}`: 2}},
		{"text or nullable number", choice[either[pKeep[string], pKeep[*int]]], map[string]int{
			`{"p":null,"q":1}`: 1, `{"p":"s"}`: 0, `{"p":1}`: 1}},
		{"map of texts or nullable numbers", choice[either[map[string]string, map[string]*int]], map[string]int{
			`{"z":null}`: 1, `{"z":1}`: 1, `{"z":"s"}`: 0, `{"y":null,"z":"s"}`: 2}},
		{"list of texts or nullable numbers", choice[either[[]string, []*int]], map[string]int{
			`[null]`: 1, `["s"]`: 0, `[1,null]`: 1, `["s",null]`: 2}},
		{"optional key or nullable", choice[either[pOpt[*string], pOpt[codec.Nullable[int]]]], map[string]int{
			`{"p":null}`: 1, `{"p":"s"}`: 0, `{"p":1}`: 1, `{}`: 0}},
		{"optional list or raw", choice[either[pOpt[[]int], pOpt[json.RawMessage]]], map[string]int{
			`{"p":null}`: 1, `{"p":[1]}`: 0}},
		{"optional list or any", choice[either[pOpt[[]int], pOpt[any]]], map[string]int{
			`{"p":null}`: 1, `{"p":[1]}`: 0}},
		{"page with next or last page", choice[either[answer[[]hasA, string], answer[[]hasA, nothing]]], map[string]int{
			`{"data":[{"a":1}],"error":null}`: 1, `{"data":[],"error":"n"}`: 0}},
		{"null that no variant has", choice[either[p[string], p[int]]], map[string]int{`{"p":null}`: 2}},
		{"extra that has no null", choice[either[Order, p[string]]], map[string]int{
			`{"id":1,"payment":1,"n":null}`: 2, `{"id":1,"payment":1,"n":"s"}`: 0}},

		// Levels below.
		{"required below", choice[either[p[hasA], p[hasB]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1}}`: 0, `{"p":{"a":1,"a":2.5}}`: 2, `{"p":{}}`: 2}},
		{"required below, unknown kept", choice[either[pKeep[pKeep[hasA]], pKeep[pKeep[hasB]]]], map[string]int{
			`{"p":{"p":{"b":1},"y":1},"z":1}`: 1, `{"p":{"p":{"a":1}}}`: 0}},
		{"required below an optional", choice[either[pOpt[*hasA], pOpt[*hasB]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1}}`: 0, `{}`: 0, `{"p":null}`: 2}},
		{"required in items", choice[either[p[[]hasA], p[[]hasB]]], map[string]int{
			`{"p":[{"b":1}]}`: 1, `{"p":[{"a":1}]}`: 0, `{"p":[{"a":1},{"b":1}]}`: 2, `{"p":[]}`: 0}},
		{"required in lists", choice[either[[]hasA, []hasB]], map[string]int{
			`[{"b":1}]`: 1, `[{"a":1}]`: 0, `[{"a":1},{"b":1}]`: 2}},
		{"required in maps", choice[either[map[string]hasA, map[string]hasB]], map[string]int{
			`{"z":{"b":1}}`: 1, `{"z":{"a":1}}`: 0, `{"y":{"a":1},"z":{"b":1}}`: 2}},
		{"required in tuples", choice[either[tupleA, tupleB]], map[string]int{
			`[{"b":1}]`: 1, `[{"a":1}]`: 0, `[{"b":1},2,{"b":3}]`: 1, `[{"b":1},null,{"b":3}]`: 2, `[]`: 2, `[{"b":1},2,{}]`: 2}},
		{"tuples in objects", choice[either[p[tupleA], p[tupleB]]], map[string]int{
			`{"p":[{"b":1}]}`: 1, `{"p":[{"a":1}]}`: 0, `{"p":[]}`: 2}},
		{"optional below", choice[either[p[mayA], p[mayB]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1}}`: 0, `{"p":{}}`: 0}},
		{"optional below, unknown kept", choice[either[pKeep[mayAKeep], pKeep[mayBKeep]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1,"z":1}}`: 0, `{"p":{"b":1,"z":1}}`: 1, `{"p":{"z":1}}`: 0}},
		{"map or struct below", choice[either[p[map[string]int], p[mayA]]], map[string]int{
			`{"p":{"a":1}}`: 1, `{"p":{"z":1}}`: 0}},
		{"kinds below", choice[either[p[[]map[string]int], p[[]map[string]string]]], map[string]int{
			`{"p":[{"z":"s"}]}`: 1, `{"p":[{"z":1}]}`: 0, `{"p":[{"y":1,"z":"s"}]}`: 2}},
		{"integers below", choice[either[p[[]int], p[[]json.Number]]], map[string]int{
			`{"p":[1.5]}`: 1, `{"p":[1]}`: 0, `{"p":[9223372036854775808]}`: 1}},
		{"constants below", choice[either[p[kindA], p[kindB]]], map[string]int{
			`{"p":{"k":"b"}}`: 1, `{"p":{"k":"a","x":1}}`: 0, `{"p":{"k":"a"}}`: 2}},
		{"listed values below", choice[either[p[kindCD], p[kindAny]]], map[string]int{
			`{"p":{"k":"z","x":"s"}}`: 1, `{"p":{"k":"d","x":"s"}}`: 0}},

		// Unions in unions.
		{"union below", choice[either[p[either[hasA, string]], p[either[hasB, int]]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1}}`: 0, `{"p":1}`: 1, `{"p":"s"}`: 0, `{"p":{}}`: 0}},
		{"union below without raw", choice[either[p[strictly[hasA, string]], p[strictly[hasB, int]]]], map[string]int{
			`{"p":{"b":1}}`: 1, `{"p":{"a":1}}`: 0, `{"p":1}`: 1, `{"p":{}}`: 2, `{"p":null}`: 2}},
		{"union below or null", choice[either[p[either[hasA, string]], p[nothing]]], map[string]int{
			`{"p":null}`: 1, `{"p":"s"}`: 0}},
		{"unions in lists", choice[either[p[[]either[hasA, string]], p[[]either[hasB, hasA]]]], map[string]int{
			`{"p":[{"b":1},{"a":1}]}`: 1, `{"p":[{"a":1}]}`: 0, `{"p":["s",{"a":1}]}`: 0}},

		// The only variant of a kind.
		{"only object", choice[either[p[string], string]], map[string]int{
			`{}`: 2, `{"a":1}`: 2, `{"p":"s"}`: 0, `{"p":null}`: 2, `{"p":1}`: 2, `"s"`: 1, `null`: 2}},
		{"only object, unknown kept", choice[either[pKeep[string], string]], map[string]int{
			`{"a":1}`: 2, `{"p":"s","a":1}`: 0}},
		{"only object with more below", choice[either[p[[]hasA], string]], map[string]int{
			`{"p":[{}]}`: 2, `{"p":[{"a":1},null]}`: 2, `{"p":[{"a":1}]}`: 0}},
		{"only tuple", choice[either[tupleA, mayA]], map[string]int{
			`[]`: 2, `[{}]`: 2, `[{"a":1}]`: 0, `[{"a":1},2]`: 2, `{"a":"s"}`: 2, `{"a":null}`: 2, `{"a":1}`: 1, `{}`: 1}},
		{"only list", choice[either[[]int, string]], map[string]int{`[null]`: 2, `[1]`: 0, `[]`: 0}},
		{"only map", choice[either[map[string]hasA, string]], map[string]int{`{"z":{}}`: 2, `{"z":null}`: 2, `{"z":{"a":1}}`: 0}},

		// Discriminators.
		{"one without the key's values", choice[three[kindA, kindB, kindAny]], map[string]int{
			`{"k":"a","x":"s"}`: 2, `{"k":"a","x":1}`: 0, `{"k":"z","x":"s"}`: 2, `{"x":1,"k":"a"}`: 0, `{"k":"b"}`: 1, `{"k":"a"}`: 3}},
		{"one without the key", choice[three[kindA, kindB, mayA]], map[string]int{
			`{"a":1}`: 2, `{"k":"a","x":1}`: 0, `{"k":"b"}`: 1}},
		{"beside a map", choice[three[kindA, kindB, object]], map[string]int{
			`{"k":"a"}`: 2, `{"k":"a","x":1}`: 0, `{"k":"b"}`: 1, `{"k":"z"}`: 2, `{"k":"a","x":1.5}`: 2}},
		{"listed values", choice[three[kindCD, kindB, kindAny]], map[string]int{
			`{"k":"c","x":"s"}`: 0, `{"k":"e","x":"s"}`: 2, `{"k":"b"}`: 1}},
		{"every one has values, and anything is allowed", choice[open[kindA, kindB, kindCD]], map[string]int{
			`{"k":"a","x":1}`: 1, `{"k":"a","x":"s"}`: 0, `{"k":"a"}`: 0, `{"k":"b"}`: 2, `{"k":"d","x":1}`: 0, `{"k":"z"}`: 0, `1`: 0}},
		{"every one has values", choice[three[kindA, kindB, kindCD]], map[string]int{
			`{"k":"a","x":1}`: 0, `{"k":"b"}`: 1, `{"k":"d","x":"s"}`: 2, `{"k":"z"}`: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for text, want := range tt.want {
				got, out, err := tt.code(text)
				if err != nil || got != want {
					t.Errorf("%s: variant %d, %v, want %d", text, got, err, want)
				}
				if !sameJSON(t, text, out) {
					t.Errorf("%s: encodes to %s", text, out)
				}
			}
		})
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatal(err)
	}
	return json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// TestChoiceWithoutRaw: when no variant fits, the best that decodes is taken.
func TestChoiceWithoutRaw(t *testing.T) {
	tests := []struct {
		code func(string) (int, string, error)
		in   string
		want int
		out  string
	}{
		{choice[strictly[p[hasA], p[hasB]]], `{"p":{}}`, 0, `{"p":{"a":0}}`},
		{choice[strictly[p[hasA], p[hasB]]], `{"p":{"b":null,"a":"s"}}`, 1, `{"p":{"b":0}}`},
		{choice[strictly[p[string], p[nothing]]], `{"p":null}`, 1, `{"p":null}`},
		{choice[strictly[p[string], int]], `{}`, 0, `{"p":""}`},
		{choice[strictly[kindA, kindAny]], `{"k":"a"}`, 0, `{"k":"a","x":0}`},
		{choice[strictly[kindA, kindB]], `{"k":"a"}`, 0, `{"k":"a","x":0}`},
	}
	for _, tt := range tests {
		got, out, err := tt.code(tt.in)
		if err != nil || got != tt.want || out != tt.out {
			t.Errorf("%s: variant %d, %s, %v, want %d, %s", tt.in, got, out, err, tt.want, tt.out)
		}
	}
}

// TestDiscriminator: where every variant has values for the key, a fault
// inside the one that is told is an error, and what it lacks is zero.
func TestDiscriminator(t *testing.T) {
	_, _, err := choice[three[kindA, kindB, kindCD]](`{"k":"a","x":"s"}`)
	checkError(t, err, "/x", "a string where a number is expected")
	_, _, err = choice[either[p[three[kindA, kindB, kindCD]], p[int]]](`{"p":{"k":"a","x":1.5}}`)
	if err != nil {
		t.Errorf("inside a union: %v", err)
	}
	got, out, err := choice[three[kindA, kindB, kindAny]](`{"k":"b","x":"s"}`)
	if err != nil || got != 1 || out != `{"k":"b"}` { // told and fits, though another would keep x
		t.Errorf("got variant %d, %s, %v", got, out, err)
	}
	got, out, err = choice[three[kindA, kindB, kindCD]](`{"k":"a"}`)
	if err != nil || got != 0 || out != `{"k":"a","x":0}` {
		t.Errorf("got variant %d, %s, %v", got, out, err)
	}
}

// chain is a union in itself, in four ways that only the innermost tells apart.
type chain struct{ Value any }

type chainLink[T any] struct {
	Next  *chain `json:"next,omitzero"`
	Other *chain `json:"other,omitzero"`
	Leaf  T      `json:"leaf"`
}

func (chain) Variants() codec.Variants {
	return codec.Variants{
		(*chainLink[hasA])(nil), (*chainLink[[]hasA])(nil), (*chainLink[hasB])(nil), (*chainLink[[]hasB])(nil),
		(*json.RawMessage)(nil),
	}
}

// TestChoiceInTime: unions in unions cost no more than their text, also when each
// level is found not to fit at its very end.
func TestChoiceInTime(t *testing.T) {
	for _, tt := range []struct{ name, leaf string }{
		{"first fits", `{"a":1}`},
		{"last fits", `[{"b":1}]`},
		{"none fits", `[{"a":1},{"b":1}]`},
		{"none decodes", `[{"a":"s"}]`},
		{"null", `null`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, before := range []string{`{"next":`, `{"other":[1],"other":`} {
				text := nest(450, before, `{"leaf":`+tt.leaf+`}`, `,"leaf":`+tt.leaf+`}`)
				inTime(t, func() {
					var v chain
					if err := codec.Unmarshal(text, &v); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
	// Of many levels each is told right.
	text := nest(300, `{"next":`, `{"leaf":[{"b":1}]}`, `,"leaf":[{"b":1}]}`)
	var v chain
	if err := codec.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	for level := 0; ; level++ {
		link, ok := v.Value.(chainLink[[]hasB])
		if !ok {
			t.Fatalf("level %d is %T", level, v.Value)
		}
		if link.Next == nil {
			break
		}
		v = *link.Next
	}
}

// TestChoiceKeepsNothing: what was tried in vain is no part of the next value.
func TestChoiceKeepsNothing(t *testing.T) {
	for i := range 20 {
		text := fmt.Sprintf(`{"p":[{"b":%d},{"b":2}]}`, i)
		if got, out, err := choice[either[p[[]hasA], p[[]hasB]]](text); err != nil || got != 1 || out != text {
			t.Errorf("got variant %d, %s, %v", got, out, err)
		}
	}
}

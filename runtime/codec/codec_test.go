package codec_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// into decodes text into a new T and returns what it encodes to.
func into[T any](text string) (string, error) {
	var v T
	if err := codec.Unmarshal([]byte(text), &v); err != nil {
		return "", err
	}
	out, err := codec.Marshal(v)
	return string(out), err
}

// field decodes text as the one field of a struct.
type field[T any] struct {
	F T `json:"f"`
}

type optional[T any] struct {
	F T `json:"f,omitzero"`
}

func TestRoundTrip(t *testing.T) {
	const same = "same"
	tests := []struct {
		name string
		code func(string) (string, error)
		in   string
		want string // what it encodes to again; same: as it came
	}{
		{"string", into[field[string]], `{"f":"a<&>b\u2028"}`, "{\"f\":\"a<&>b\u2028\"}"},
		{"string escapes", into[field[string]], `{"f":"\"\\\b\f\n\r\t\u0001"}`, same},
		{"embedded NUL", into[field[string]], `{"f":"a\u0000b"}`, same},
		{"lone surrogate", into[field[string]], `{"f":"\ud800x"}`, "{\"f\":\"\ufffdx\"}"},
		{"invalid UTF-8", into[field[string]], "{\"f\":\"\xff\"}", "{\"f\":\"\ufffd\"}"},
		{"surrogate pair", into[field[string]], `{"f":"\ud83d\ude00"}`, `{"f":"😀"}`},
		{"null string", into[field[string]], `{"f":null}`, `{"f":""}`},
		{"bool", into[field[bool]], `{"f":true}`, same},
		{"int", into[field[int]], `{"f":-12}`, same},
		{"int with point", into[field[int]], `{"f":1.0}`, `{"f":1}`},
		{"int with exponent", into[field[int]], `{"f":1e3}`, `{"f":1000}`},
		{"int with fraction digits used up", into[field[int]], `{"f":-1.250e2}`, `{"f":-125}`},
		{"int zero with huge exponent", into[field[int]], `{"f":0e1000000000}`, `{"f":0}`},
		{"int minus zero", into[field[int]], `{"f":-0}`, `{"f":0}`},
		{"int max", into[field[int]], `{"f":9223372036854775807}`, same},
		{"int min", into[field[int]], `{"f":-9223372036854775808}`, same},
		{"int8", into[field[int8]], `{"f":-128}`, same},
		{"uint64 max", into[field[uint64]], `{"f":18446744073709551615}`, same},
		{"uint64 minus zero", into[field[uint64]], `{"f":-0.0}`, `{"f":0}`},
		{"float", into[field[float64]], `{"f":1.5e300}`, `{"f":1.5e+300}`},
		{"float minus zero", into[field[float64]], `{"f":-0}`, same},
		{"float underflow", into[field[float64]], `{"f":1e-400}`, `{"f":0}`},
		{"number verbatim", into[field[json.Number]], `{"f":-0.10E+0400}`, same},
		{"number null", into[field[json.Number]], `{"f":null}`, `{"f":0}`},
		{"named number", into[field[Level]], `{"f":12345678901234567890.0}`, same},
		{"list", into[field[[]int]], `{"f":[1,2]}`, same},
		{"required list absent", into[field[[]int]], `{}`, `{"f":[]}`},
		{"required list null", into[field[[]int]], `{"f":null}`, `{"f":[]}`},
		{"optional list absent", into[optional[[]int]], `{}`, same},
		{"optional list null", into[optional[[]int]], `{"f":null}`, `{}`},
		{"optional list empty", into[optional[[]int]], `{"f":[]}`, same},
		{"pointer to list null", into[field[*[]int]], `{"f":null}`, same},
		{"pointer to list empty", into[field[*[]int]], `{"f":[]}`, same},
		{"pointer to list absent", into[field[*[]int]], `{}`, `{"f":null}`},
		{"list of nullables", into[[]*int], `[1,null]`, same},
		{"map", into[map[string]int], `{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{"map of nullables", into[map[string]*int], `{"a":null,"b":1}`, same},
		{"required map null", into[field[map[string]int]], `{"f":null}`, `{"f":{}}`},
		{"optional map empty", into[optional[map[string]int]], `{"f":{}}`, same},
		{"pointer to map null", into[field[*map[string]int]], `{"f":null}`, same},
		{"map with odd keys", into[map[string]int], `{"":1,"\u0000":2,"a/b~c":3,"it's":4}`, same},
		{"required pointer null", into[field[*string]], `{"f":null}`, same},
		{"optional pointer zero", into[optional[*int]], `{"f":0}`, same},
		{"nullable absent", into[optional[codec.Nullable[int]]], `{}`, same},
		{"nullable null", into[optional[codec.Nullable[int]]], `{"f":null}`, same},
		{"nullable value", into[optional[codec.Nullable[int]]], `{"f":0}`, same},
		{"nullable list", into[optional[codec.Nullable[[]int]]], `{"f":[]}`, same},
		{"any", into[any], `{"b":[1.50,true,null,"x",{}],"a":12345678901234567890}`, `{"a":12345678901234567890,"b":[1.50,true,null,"x",{}]}`},
		{"any null", into[any], `null`, same},
		{"required any null", into[field[any]], `{"f":null}`, same},
		{"required any absent", into[field[any]], `{}`, `{"f":null}`},
		{"optional any null", into[optional[any]], `{"f":null}`, same},
		{"optional any absent", into[optional[any]], `{}`, same},
		{"raw", into[json.RawMessage], ` {"b": 1.0, "a" : "\u0041\ud800" , "a":1e999} `, `{"b":1.0,"a":"\u0041\ud800","a":1e999}`},
		{"raw absent", into[field[json.RawMessage]], `{}`, `{"f":null}`},
		{"optional raw null", into[optional[json.RawMessage]], `{"f":null}`, same},
		{"time", into[field[time.Time]], `{"f":"2026-11-30T21:00:00.5+02:00"}`, same},
		{"time null", into[optional[*time.Time]], `{"f":null}`, `{}`},
		{"duplicate keys", into[field[*[]int]], `{"f":[1,2],"f":[3],"f":null}`, `{"f":null}`},
		{"duplicate keys do not merge", into[map[string]ShapePoint], `{"a":{"x":1,"y":2},"a":{"x":3}}`, `{"a":{"x":3}}`},
		{"keys have case", into[field[int]], `{"F":1}`, `{"f":0}`},
		{"space", into[field[[]int]], " {\n\t\"f\" :\r[ 1 , 2 ] } ", `{"f":[1,2]}`},
		{"no properties", into[Empty], `{"x":1}`, `{}`},
		{"recursive list", into[Tree], `[[],[[]]]`, same},
		{"recursive map", into[Dict], `{"a":{},"b":{"c":{}}}`, same},
		{"recursive struct", into[Order], `{"id":1,"payment":{"kind":"invoice"},"replaces":{"id":2,"payment":{"kind":"card","last4":"0"}},"note":"n"}`, same},
		{"extra", into[Order], `{"z":"1","id":1,"payment":7,"a":"2"}`, `{"id":1,"payment":7,"a":"2","z":"1"}`},
		{"constant missing", into[OrderPaymentCard], `{"last4":"1"}`, `{"kind":"card","last4":"1"}`},
		{"constant null", into[OrderPaymentCard], `{"kind":null}`, `{"kind":"card","last4":""}`},
		{"constant spelled otherwise", into[OrderPaymentCard], `{"kind":"c\u0061rd"}`, `{"kind":"card","last4":""}`},
		{"constant of duplicates", into[OrderPaymentCard], `{"kind":1,"kind":"card"}`, `{"kind":"card","last4":""}`},
		{"tuple", into[Pair], `["a",1,["x"]]`, same},
		{"tuple cut short", into[Pair], `["a"]`, same},
		{"tuple without required item", into[Pair], `[]`, `[""]`},
		{"tuple with hole", into[Pair], `["a",null,[]]`, same},
		{"tuple rest", into[Range], `[1,2,"x",3,null]`, same},
		{"tuple null", into[field[Pair]], `{"f":null}`, `{"f":[""]}`},
		{"unsafe keys", into[Everything], `{"a\"b\\c,d":"1","":"2","\u0000` + "\u202e😀" + `":"3"}`,
			`{"type":"every","version":1,"bool":false,"int":0,"uint":0,"float":0,"number":0,"string":"","list":[],"map":{},` +
				`"any":null,"raw":null,"level":0,"null_int":null,"null_list":null,"null_map":null,"items":[],"time":"0001-01-01T00:00:00Z",` +
				`"a\"b\\c,d":"1","":"2","\u0000` + "\u202e😀" + `":"3"}`},
		{"number constant", into[Everything], `{"version":1.0,"Case":"1","case":"2"}`,
			`{"type":"every","version":1,"bool":false,"int":0,"uint":0,"float":0,"number":0,"string":"","list":[],"map":{},` +
				`"any":null,"raw":null,"level":0,"null_int":null,"null_list":null,"null_map":null,"items":[],"time":"0001-01-01T00:00:00Z",` +
				`"Case":"1","case":"2"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == same {
				want = tt.in
			}
			got, err := tt.code(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		name    string
		code    func(string) (string, error)
		in      string
		pointer string
		text    string // part of the error
	}{
		{"no text", into[int], ``, "", "EOF"},
		{"two values", into[int], `1 2`, "", "more text after the value"},
		{"syntax", into[field[[]int]], `{"f":[1,2}`, "/f", "invalid JSON at offset"},
		{"kind", into[field[[]string]], `{"f":["a",1]}`, "/f/1", "a number where a string is expected"},
		{"object", into[Empty], `[]`, "", "an array where an object is expected"},
		{"list", into[[]int], `{}`, "", "an object where an array is expected"},
		{"map", into[map[string]map[string]int], `{"a/b~":{"":"x"}}`, "/a~1b~0/", "a string where a number is expected"},
		{"fraction", into[field[int]], `{"f":1.5}`, "/f", "fraction"},
		{"tiny fraction", into[field[int]], `{"f":1e-1000000000}`, "/f", "fraction"},
		{"int range", into[field[int]], `{"f":9223372036854775808}`, "/f", "outside the range of int"},
		{"int min range", into[field[int]], `{"f":-9223372036854775809}`, "/f", "outside the range of int"},
		{"int huge exponent", into[field[int]], `{"f":1e1000000000}`, "/f", "outside the range of int"},
		{"int exponent past int64", into[field[int]], `{"f":1e99999999999999999999999}`, "/f", "outside the range of int"},
		{"int8 range", into[field[int8]], `{"f":128}`, "/f", "outside the range of int8"},
		{"uint negative", into[field[uint64]], `{"f":-1}`, "/f", "outside the range of uint64"},
		{"uint range", into[field[uint64]], `{"f":18446744073709551616}`, "/f", "outside the range of uint64"},
		{"float range", into[field[float64]], `{"f":1E400}`, "/f", "outside the range of float64"},
		{"number as string", into[field[json.Number]], `{"f":"1"}`, "/f", "a string where a number is expected"},
		{"constant", into[OrderPaymentCard], `{"kind":"invoice","last4":""}`, "/kind", "constant"},
		{"extra", into[Order], `{"x":1}`, "/x", "a number where a string is expected"},
		{"discriminator is final", into[SearchOrdersOutput], `{"orders":[{"payment":{"kind":"card","last4":1}}]}`, "/orders/0/payment/last4", "a number where a string is expected"},
		{"discriminator after the fault", into[OrderPayment], `{"last4":1,"kind":"card"}`, "/last4", "a number where a string is expected"},
		{"no variant", into[field[Strict]], `{"f":"x"}`, "/f", "fits no variant"},
		{"only variant", into[field[Strict]], `{"f":1.5}`, "/f", "fraction"},
		{"tuple too long", into[Pair], `["a",1,[],4]`, "/3", "more items than the tuple has"},
		{"tuple item", into[Pair], `["a","b"]`, "/1", "a string where a number is expected"},
		{"tuple rest", into[struct {
			_    struct{}       `codec:"tuple"`
			V0   int            `codec:"item"`
			Rest []OrderPayment `codec:"rest"`
		}], `[1,7,{"kind":"card","last4":1}]`, "/2/last4", "a number where a string is expected"},
		{"foreign", into[field[time.Time]], `{"f":"secret"}`, "/f", "time.Time does not take the value"},
		{"foreign with codec inside", into[field[wrapped]], `{"f":{"order_id":"x"}}`, "/f/order_id", "a string where a number is expected"},
		{"nullable", into[optional[codec.Nullable[int]]], `{"f":"x"}`, "/f", "a string where a number is expected"},
		{"any too deep", into[any], strings.Repeat("[", 1001) + strings.Repeat("]", 1001), strings.Repeat("/0", 1000), "nested more than"},
		{"too deep", into[Tree], strings.Repeat("[", 1001) + strings.Repeat("]", 1001), strings.Repeat("/0", 1000), "nested more than"},
		{"too deep for jsontext", into[json.RawMessage], strings.Repeat("[", 10001) + strings.Repeat("]", 10001), strings.Repeat("/0", 10000), "depth"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.code(tt.in)
			checkError(t, err, tt.pointer, tt.text)
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error quotes the value: %v", err)
			}
		})
	}
}

func checkError(t *testing.T, err error, pointer, text string) {
	t.Helper()
	e, ok := errors.AsType[*codec.Error](err)
	if !ok {
		t.Fatalf("error is %T (%v), want *codec.Error", err, err)
	}
	if e.Pointer != pointer {
		t.Errorf("pointer is %.100q, want %.100q", e.Pointer, pointer)
	}
	if !strings.Contains(e.Error(), text) {
		t.Errorf("error %.200q does not say %q", e, text)
	}
}

func TestUnmarshalOverwrites(t *testing.T) {
	v := Order{ID: 9, Replaces: &Order{}, Extra: map[string]string{"a": "b"}}
	if err := codec.Unmarshal([]byte(`{"payment":"free"}`), &v); err != nil {
		t.Fatal(err)
	}
	want := Order{Payment: OrderPayment{Value: OrderPaymentRaw(`"free"`)}}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Error(diff)
	}
}

func TestUnmarshalKeepsNoBytes(t *testing.T) {
	text := []byte(`{"any":{"k":"v"},"raw":"raw","string":"s","number":12,"x":[1]}`)
	var v Everything
	if err := codec.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	before, _ := codec.Marshal(v)
	for i := range text {
		text[i] = '#'
	}
	after, err := codec.Marshal(v)
	if err != nil || string(before) != string(after) {
		t.Errorf("the value changed with the text: %s, %v", after, err)
	}
}

package codec_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// FuzzRoundTrip decodes any text into types of every kind. Nothing panics, what
// is encoded is valid JSON, and decoding that and encoding it again changes
// nothing.
func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `1`, `"x"`, `[`, `{}`, `[[],[[]]]`, `["a",null,["x"],4]`, `{"":{"":{}}}`,
		`{"orders":[{"id":1.0,"payment":{"kind":"card","last4":"1"},"replaces":{"id":2e0,"payment":7},"note":"n"}],"next_cursor":null,"total":1}`,
		`{"order_id":1e1000000000,"amount":"all","it's urgent":true}`,
		`{"query":"\ud800","since":null,"limit":-0,"tags":null}`,
		`{"kind":"circle","radius":1,"inner":{"kind":"box","side":2},"kind":"box"}`,
		`{"x":1,"name":"n","sub":[{"x":1},{"x":"y"},null,1e400,{"kind":"circle","radius":""}]}`,
		`{"sub":{"sub":1,"list":["x"]},"list":[1]}`, `"2026-11-30T21:00:00Z"`, `{"a":"x","a":1}`,
		`{"type":"every","version":1.0,"any":null,"opt_any":null,"level":0.10,"opt_range":[1,null,{"x":1}],"opt_pair":["a"],"a\"b\\c,d":"1","table":{"t":[1]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		roundTrip[Everything](t, text)
		roundTrip[SearchOrdersOutput](t, text)
		roundTrip[SearchOrdersInput](t, text)
		roundTrip[RefundInput](t, text)
		roundTrip[Shape](t, text)
		roundTrip[Range](t, text)
		roundTrip[Twin](t, text)
		roundTrip[Nested](t, text)
		roundTrip[Tree](t, text)
		roundTrip[Dict](t, text)
		roundTrip[json.RawMessage](t, text)
		roundTrip[any](t, text)
	})
}

func roundTrip[T any](t *testing.T, text []byte) {
	var first T
	if err := codec.Unmarshal(text, &first); err != nil {
		return
	}
	once, err := codec.Marshal(first)
	if err != nil {
		return // a required union that the text lacks
	}
	if !json.Valid(once) {
		t.Fatalf("%T: encoded to invalid JSON: %q", first, once)
	}
	var second T
	if err := codec.Unmarshal(once, &second); err != nil {
		t.Fatalf("%T: does not decode what it encoded: %v\n%s", first, err, once)
	}
	twice, err := codec.Marshal(second)
	if err != nil {
		t.Fatalf("%T: does not encode again: %v\n%s", first, err, once)
	}
	if !bytes.Equal(once, twice) {
		t.Fatalf("%T: encodes to other text the second time:\n%s\n%s", first, once, twice)
	}
}

// FuzzAny holds the walk through valid text against jsontext's own: both find
// the same tokens.
func FuzzAny(f *testing.F) {
	f.Add([]byte(`{"a":[1,-2.5e+3,"\u00e9\"",true,false,null,{}],"\ud83d\ude00":{"":[]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		err := codec.Unmarshal(text, &v)
		allow := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
		valid := jsontext.Value(text).IsValid(allow...)
		switch {
		case !valid && err == nil:
			t.Fatal("decoded invalid JSON")
		case valid && err != nil && !strings.Contains(err.Error(), "nested"):
			t.Fatalf("valid JSON is refused: %v", err)
		case err != nil:
			return
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Skip("encoding/json is stricter about UTF-8")
		}
		got, err := codec.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		other, err := codec.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, other) {
			t.Fatalf("read\n%s\nwhere encoding/json reads\n%s", got, other)
		}
	})
}

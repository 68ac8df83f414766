package codec_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

func TestUnionChoice(t *testing.T) {
	type shape = ShapeVariant
	tests := []struct {
		in   string
		want shape
	}{
		{`"x"`, ShapeText("x")},
		{`1.5`, ShapeNumber(1.5)},
		{`1e999`, ShapeRaw(`1e999`)},
		{`true`, ShapeFlag(true)},
		{`null`, ShapeRaw(`null`)},
		{`["x",[]]`, ShapeList{{Value: ShapeText("x")}, {Value: ShapeList{}}}},
		{`{"kind":"circle","radius":2}`, ShapeCircle{Radius: 2}},
		{`{"radius":2,"x":1,"name":"n","kind":"circle"}`, ShapeCircle{Radius: 2}},
		{`{"kind":"box","side":1}`, ShapeSquare{Kind: "box", Side: 1}},
		{`{"kind":"box"}`, ShapeRaw(`{"kind":"box"}`)}, // others have no kind: not final
		{`{"kind":"circle","kind":"box","side":1}`, ShapeSquare{Kind: "box", Side: 1}},
		{`{"kind":"box","radius":1,"kind":"circle"}`, ShapeCircle{Radius: 1}},
		{`{"kind":"circle","kind":"other"}`, ShapeRaw(`{"kind":"circle","kind":"other"}`)},
		{`{"kind":"other","x":1}`, ShapePoint{X: 1}},
		{`{"kind":"other"}`, ShapeRaw(`{"kind":"other"}`)},
		{`{"k\u0069nd":"b\u006fx","side":1}`, ShapeSquare{Kind: "box", Side: 1}},
		{`{"x":1}`, ShapePoint{X: 1}},
		{`{"x":1,"name":"n"}`, ShapeNamed{X: 1, Name: "n"}},
		{`{"x":1,"name":"n","y":2}`, ShapePoint{X: 1, Y: new(2)}}, // y is no text: ShapeNamed does not decode
		{`{"x":1,"name":"n","more":"m"}`, ShapeNamed{X: 1, Name: "n", More: map[string]string{"more": "m"}}},
		{`{"x":"1"}`, ShapeRaw(`{"x":"1"}`)},
		{`{}`, ShapeRaw(`{}`)},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			var got Shape
			if err := codec.Unmarshal([]byte(tt.in), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Value); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValues(t *testing.T) {
	var in SearchOrdersInput
	if err := codec.Unmarshal([]byte(`{"query":"q","since":null,"limit":5}`), &in); err != nil {
		t.Fatal(err)
	}
	if !in.Since.IsNull() || in.Since.IsZero() || *in.Limit != 5 || in.Tags != nil {
		t.Errorf("got %+v", in)
	}
	if v, ok := codec.Value("x").Get(); v != "x" || !ok {
		t.Errorf("Get() = %q, %t", v, ok)
	}
	if v, ok := codec.Null[string]().Get(); v != "" || ok {
		t.Errorf("Get() of null = %q, %t", v, ok)
	}
	var open struct {
		A any `json:"a"`
		B any `json:"b"`
		C any `json:"c"`
	}
	if err := codec.Unmarshal([]byte(`{"a":null,"c":[null,1]}`), &open); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(json.RawMessage("null")), open.A); diff != "" {
		t.Error(diff)
	}
	if open.B != nil {
		t.Errorf("an absent any is %v", open.B)
	}
	if diff := cmp.Diff(any([]any{nil, json.Number("1")}), open.C); diff != "" {
		t.Error(diff)
	}
}

func TestThroughEncodingJSON(t *testing.T) {
	const text = `{"orders":[{"id":1,"payment":{"kind":"card","last4":"<1>"},"replaces":{"id":2,"payment":"free"},"note":"n"}],"next_cursor":null,"total":1}`
	var direct, through SearchOrdersOutput
	if err := codec.Unmarshal([]byte(text), &direct); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &through); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(direct, through); diff != "" {
		t.Error(diff)
	}
	out, err := json.Marshal(map[string]any{"out": through})
	if err != nil {
		t.Fatal(err)
	}
	// encoding/json escapes HTML in what a Marshaler returns.
	want := `{"out":` + strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(text) + `}`
	if string(out) != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
	var empty RefundInput
	if err := json.Unmarshal([]byte(`{"order_id":1.0,"Amount":3}`), &empty); err != nil {
		t.Fatal(err)
	}
	if empty.OrderID != 1 || empty.Amount.Value != nil {
		t.Errorf("got %+v", empty)
	}
}

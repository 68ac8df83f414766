package codec_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// wrapped is a hand-written type that holds a generated one.
type wrapped struct{ in RefundInput }

func (w wrapped) MarshalJSON() ([]byte, error) { return codec.Marshal(w.in) }

func (w *wrapped) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, &w.in) }

type (
	cycle  struct{ Next *cycle }
	looped *looped
)

func TestEncodeErrors(t *testing.T) {
	ring := &cycle{}
	ring.Next = ring
	var loop looped
	loop = &loop
	self := map[string]any{}
	self["self"] = self
	var pointer any
	pointer = &pointer
	tests := []struct {
		name    string
		in      any
		pointer string
		text    string
	}{
		{"NaN", field[[]float64]{[]float64{0, math.NaN()}}, "/f/1", "NaN"},
		{"infinity in any", map[string]any{"a/b": math.Inf(1)}, "/a~1b", "infinities"},
		{"number", field[json.Number]{"1x"}, "/f", "json.Number"},
		{"number in any", []any{json.Number("01")}, "/0", "json.Number"},
		{"raw", field[json.RawMessage]{json.RawMessage(`{"a":}`)}, "/f", "invalid JSON"},
		{"raw empty", field[json.RawMessage]{json.RawMessage{}}, "/f", "invalid JSON"},
		{"raw twice", field[json.RawMessage]{json.RawMessage(`1 2`)}, "/f", "invalid JSON"},
		{"union without value", field[[]Shape]{[]Shape{{}}}, "/f/0", "codec_test.Shape: a union without a Value: set it to a value of codec_test.ShapeText, codec_test.ShapeNumber, "},
		{"union with nil variant", Shape{Value: (*ShapeCircle)(nil)}, "", "without a Value"},
		{"extra", Order{Payment: OrderPayment{Value: OrderPaymentRaw("1")}, Extra: map[string]string{"id": "1"}}, "/id", "Extra"},
		{"extra constant", Everything{ExtraValue: map[string]json.RawMessage{"type": nil}}, "/type", "Extra"},
		{"channel in struct", struct{ C chan int }{}, "", "chan int"},
		{"ring", ring, strings.Repeat("/Next", 1000), "nested more than"},
		{"pointer to itself", loop, "", "nested more than"},
		{"any that points to itself", pointer, "", "nested more than"},
		{"map in itself", self, strings.Repeat("/self", 1000), "nested more than"},
		{"channel in any", map[string]any{"c": make(chan int)}, "/c", "chan int"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := codec.Marshal(tt.in)
			checkError(t, err, tt.pointer, tt.text)
			if out != nil {
				t.Errorf("got text with the error: %.100s", out)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	type inner struct {
		A string `json:"a,omitempty"`
		B []int
		C int `json:"-"`
		d int
	}
	type embedding struct {
		inner
		N int64 `json:"n,string"`
	}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"nil", nil, `null`},
		{"nil pointer", (*Order)(nil), `null`},
		{"pointer", &Empty{}, `{}`},
		{"raw nil", json.RawMessage(nil), `null`},
		{"list nil", []int(nil), `[]`},
		{"map nil", map[string]any(nil), `{}`},
		{"any with what only encoding/json knows", map[string]any{"m": map[int]string{1: "<"}, "b": []byte("hi"), "a": [2]int{1, 2}, "t": time.UTC}, `{"a":[1,2],"b":"aGk=","m":{"1":"<"},"t":{}}`},
		{"any with generated", map[string]any{"e": OrderPaymentCard{Last4: "1"}, "p": &OrderPaymentCard{}}, `{"e":{"kind":"card","last4":"1"},"p":{"kind":"card","last4":""}}`},
		{"caller's struct", inner{A: "", B: nil, C: 1, d: 2}, `{"B":[]}`},
		{"embedded struct", embedding{inner{A: "<"}, 5}, `{"a":"<","B":null,"n":"5"}`},
		{"pointer variant", field[Shape]{Shape{Value: &ShapeCircle{Radius: 1}}}, `{"f":{"kind":"circle","radius":1}}`},
		{"raw variant", Shape{Value: ShapeRaw(`{ "a": 1.0 }`)}, `{"a":1.0}`},
		{"nil raw variant", Shape{Value: ShapeRaw(nil)}, `null`},
		{"optional union without value", optional[Shape]{}, `{}`},
		{"optional union with nil variant", optional[Shape]{Shape{Value: (*ShapeCircle)(nil)}}, `{}`},
		{"nullable union", optional[codec.Nullable[Shape]]{codec.Null[Shape]()}, `{"f":null}`},
		{"nullable required and absent", field[codec.Nullable[int]]{}, `{"f":null}`},
		{"nullable", []codec.Nullable[int]{codec.Value(1), codec.Null[int]()}, `[1,null]`},
		{"optional empty list", SearchOrdersInput{Tags: []string{}, Limit: new(0)}, `{"query":"","limit":0,"tags":[]}`},
		{"float", []float64{0.1, 1e21, 100, math.Copysign(0, -1)}, `[0.1,1e+21,100,-0]`},
		{"float32", []float32{0.1}, `[0.1]`},
		{"text", field[textual]{textual("x")}, `{"f":"<x>"}`},
		{"pointer method", field[pointed]{}, `{"f":"pointed"}`},
		{"extra sorted", Order{Payment: OrderPayment{Value: OrderPaymentRaw("1")}, Extra: map[string]string{"b": "1", "a": "2"}}, `{"id":0,"payment":1,"a":"2","b":"1"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := codec.Marshal(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

type textual string

func (t textual) MarshalText() ([]byte, error) { return []byte("<" + t + ">"), nil }

type pointed struct{}

func (*pointed) MarshalJSON() ([]byte, error) { return []byte(`"pointed"`), nil }

package codec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// tenFields and its twin differ in who codes them: no methods, so encoding/json
// walks them by their tags.
type tenFields struct {
	ID       int      `json:"id"`
	Title    string   `json:"title"`
	Body     string   `json:"body"`
	State    string   `json:"state"`
	Open     bool     `json:"open"`
	Score    float64  `json:"score"`
	Labels   []string `json:"labels"`
	Parent   *int     `json:"parent,omitzero"`
	Assignee *string  `json:"assignee,omitzero"`
	Comments int      `json:"comments"`
}

const tenFieldsJSON = `{"id":4711,"title":"It does not start","body":"Since the update of last week nothing happens.","state":"open","open":true,"score":0.75,"labels":["bug","ui"],"parent":12,"assignee":"somebody","comments":3}`

type record struct {
	ID    int     `json:"id"`
	Name  string  `json:"name"`
	Email string  `json:"email"`
	Score float64 `json:"score"`
	Flag  bool    `json:"flag"`
}

type records struct {
	Records []record `json:"records"`
}

func thousandJSON() []byte {
	var b bytes.Buffer
	b.WriteString(`{"records":[`)
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"Person number %d","email":"p%d@example.com","score":%d.5,"flag":true}`, i, i, i, i)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

type coding struct {
	name      string
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}

var codings = []coding{
	{"codec", codec.Marshal, codec.Unmarshal},
	{"encoding-json", json.Marshal, json.Unmarshal},
}

func benchmarkDecode[T any](b *testing.B, text []byte) {
	for _, c := range codings {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v T
				if err := c.unmarshal(text, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchmarkEncode[T any](b *testing.B, text []byte) {
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		b.Fatal(err)
	}
	for _, c := range codings {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode10(b *testing.B)   { benchmarkDecode[tenFields](b, []byte(tenFieldsJSON)) }
func BenchmarkEncode10(b *testing.B)   { benchmarkEncode[tenFields](b, []byte(tenFieldsJSON)) }
func BenchmarkDecode1000(b *testing.B) { benchmarkDecode[records](b, thousandJSON()) }
func BenchmarkEncode1000(b *testing.B) { benchmarkEncode[records](b, thousandJSON()) }

func BenchmarkDecodeUnion(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"discriminator-first", `{"kind":"card","last4":"1234"}`},
		{"discriminator-last", `{"last4":"1234","kind":"card"}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v OrderPayment
				if err := codec.Unmarshal([]byte(bb.text), &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeNested(b *testing.B) {
	text := []byte(`1`)
	for range 64 {
		text = fmt.Appendf(nil, `{"radius":1,"inner":%s,"kind":"circle"}`, text)
	}
	b.ReportAllocs()
	for b.Loop() {
		var v Shape
		if err := codec.Unmarshal(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeUntagged decodes a union that no key tells: what its variants
// hold tells them apart, the last at the end of the text.
func BenchmarkDecodeUntagged(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"first", `{"filter":{"eq":"a"},"page":{"size":10,"cursor":"c"},"items":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}`},
		{"last", `{"filter":{"eq":"a"},"page":{"size":10,"cursor":"c"},"items":[{"slug":"s","name":"a"},{"slug":"t","name":"b"}]}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var v Listing
				if err := codec.Unmarshal([]byte(bb.text), &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

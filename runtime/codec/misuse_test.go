package codec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

type noValue struct{ V StrictVariant }

func (noValue) Variants() codec.Variants { return codec.Variants{(*StrictInt)(nil)} }

type noVariants struct{ Value StrictVariant }

func (noVariants) Variants() codec.Variants { return nil }

type wrongVariant struct{ Value StrictVariant }

func (wrongVariant) Variants() codec.Variants { return codec.Variants{(*string)(nil)} }

type nilVariant struct{ Value StrictVariant }

func (nilVariant) Variants() codec.Variants { return codec.Variants{nil} }

// TestMisuse: a type that cannot be coded is an error that names it, for values
// of any content, and no panic.
func TestMisuse(t *testing.T) {
	// Made at run time: go vet would refuse it in the source.
	broken := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:a`}})
	tests := []struct {
		name string
		typ  any // a pointer to the type
		text string
	}{
		{"channel", new(chan int), "chan int"},
		{"channel in struct", new(struct{ C chan int }), "field C: chan int"},
		{"function in list", new([]func()), "func()"},
		{"map key", new(map[int]string), "map[int]string: the keys of a map must be strings"},
		{"complex", new(complex128), "complex128"},
		{"hidden fields", new(struct{ a int }), "neither exported fields nor JSON methods"},
		{"broken tag", reflect.New(broken).Interface(), "field A: broken struct tag"},
		{"unknown codec tag", new(struct {
			A int `codec:"more"`
		}), `unknown tag codec:"more"`},
		{"extra that is no map", new(struct {
			A int `json:"-" codec:"extra"`
		}), "needs a map"},
		{"two extras", new(struct {
			A map[string]int `json:"-" codec:"extra"`
			B map[string]int `json:"-" codec:"extra"`
		}), "a second"},
		{"constant without key", new(struct {
			_ struct{} `const:"1"`
		}), "wire and const"},
		{"constant that is no JSON", new(struct {
			_ struct{} `wire:"a" const:"x"`
		}), "tag const"},
		{"enum that is no list", new(struct {
			A int `json:"a" enum:"1"`
		}), "tag enum"},
		{"one key twice", new(struct {
			A int `json:"a"`
			B int `json:",omitzero" wire:"a"`
		}), `another field has the key "a"`},
		{"member in tuple", new(struct {
			_ struct{} `codec:"tuple"`
			A int      `json:"a"`
		}), "either a tuple or an object"},
		{"item in object", new(struct {
			A int `codec:"item"`
		}), "either a tuple or an object"},
		{"rest before item", new(struct {
			_ struct{} `codec:"tuple"`
			A []int    `codec:"rest"`
			B int      `codec:"item"`
		}), "must be the last"},
		{"tagged but not exported", new(struct {
			a int `wire:"a"`
		}), "not exported"},
		{"union without Value", new(noValue), "the one field Value"},
		{"union without variants", new(noVariants), "returns none"},
		{"union with a stranger", new(wrongVariant), "no pointer to a type that implements"},
		{"union with nil", new(nilVariant), "no pointer to a type that implements"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // the second answer comes from the cache
				err := codec.Unmarshal([]byte(`{}`), tt.typ)
				checkError(t, err, "", tt.text)
				_, err = codec.Marshal(tt.typ)
				checkError(t, err, "", tt.text)
			}
		})
	}
}

func TestTargets(t *testing.T) {
	var nothing *Order
	for _, target := range []any{nil, Order{}, nothing, 1} {
		if err := codec.Unmarshal([]byte(`{}`), target); err == nil || !strings.Contains(err.Error(), "non-nil pointer") {
			t.Errorf("into %T: %v", target, err)
		}
	}
	if err := nothing.UnmarshalJSON([]byte(`{}`)); err == nil {
		t.Error("decoding into a nil receiver is no error")
	}
	var iface StrictVariant
	if err := codec.Unmarshal([]byte(`1`), &iface); err == nil || !strings.Contains(err.Error(), "interface") {
		t.Errorf("into an interface with methods: %v", err)
	}
}

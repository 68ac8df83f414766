package codec_test

import (
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// Wide has many members that need not be there, and with {} is six kilobytes of two bytes.
type Wide struct {
	Texts [40]wideTexts `json:"-"`
	Next  *Wide         `json:"next,omitzero"`
	More  *Wide         `json:"more,omitzero"`
}

type wideTexts struct{ A, B, C, D, E, F, G, H, I string }

// WideUnion holds a [Wide], or whatever else as text.
type WideUnion struct{ Value wideVariant }

type wideVariant interface{ isWide() }

func (Wide) isWide()                       {}
func (WideUnion) Variants() codec.Variants { return wideVariants }

var wideVariants = codec.Variants{(*Wide)(nil)}

// TestMemory: a small text makes no Go values of a thousand times its size.
func TestMemory(t *testing.T) {
	const much = "takes more than 64 MiB"
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	tests := []struct {
		name   string
		decode func(string) error
		item   string
	}{
		{"list", decodeInto[[]Wide], `{}`},
		{"pointers", decodeInto[[]*Wide], `{}`},
		{"pointers in structs", decodeInto[[]*Wide], `{"next":{"more":{}},"more":{}}`},
		{"maps", decodeInto[[]map[string]Wide], `{"a":{}}`},
		{"duplicates in a map", decodeInto[[]map[string]*Wide], `{"a":{},"a":{},"a":{}}`},
		{"unions", decodeInto[[]WideUnion], `{}`},
		{"nullables", decodeInto[[]codec.Nullable[Wide]], `{}`},
		{"a list of lists", decodeInto[[][]Wide], `[{}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.decode(list(tt.item, 2_000)); err != nil {
				t.Errorf("few: %v", err)
			}
			err := tt.decode(list(tt.item, 20_000))
			if err == nil || !strings.Contains(err.Error(), much) {
				t.Errorf("many: got %v", err)
			}
		})
	}
	for name, err := range map[string]error{
		"integers": decodeInto[[]int](list("1", 2_000_000)),
		"texts":    decodeInto[[]string](list(`""`, 1_000_000)),
		"anything": decodeInto[any](list(`{}`, 1_000_000)),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func decodeInto[T any](text string) error {
	var v T
	return codec.Unmarshal([]byte(text), &v)
}

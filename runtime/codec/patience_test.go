package codec_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// Objects in objects, told apart by how deep a is.
type (
	l0  = p[hasA]
	l1  = p[l0]
	l2  = p[l1]
	l3  = p[l2]
	l4  = p[l3]
	l5  = p[l4]
	l6  = p[l5]
	l7  = p[l6]
	l8  = p[l7]
	l9  = p[l8]
	l10 = p[l9]
	l11 = p[l10]
	l12 = p[l11]
	l13 = p[l12]
	l14 = p[l13]
	l15 = p[l14]
	l16 = p[l15]
	l17 = p[l16]
	l18 = p[l17]
	l19 = p[l18]
)

// padded is a large object with the key p.
type padded[T any] struct {
	P   T          `json:"p"`
	Pad [32]string `json:"-"`
}

// depths is a union of twenty that one level does not tell apart.
type depths struct{ Value any }

func (depths) Variants() codec.Variants {
	return codec.Variants{
		(*padded[l0])(nil), (*padded[l1])(nil), (*padded[l2])(nil), (*padded[l3])(nil), (*padded[l4])(nil),
		(*padded[l5])(nil), (*padded[l6])(nil), (*padded[l7])(nil), (*padded[l8])(nil), (*padded[l9])(nil),
		(*padded[l10])(nil), (*padded[l11])(nil), (*padded[l12])(nil), (*padded[l13])(nil), (*padded[l14])(nil),
		(*padded[l15])(nil), (*padded[l16])(nil), (*padded[l17])(nil), (*padded[l18])(nil), (*padded[l19])(nil),
		(*json.RawMessage)(nil),
	}
}

// TestPatience: a long list of values that each of many variants must be tried for
// comes back unchanged, whether or not there is the time to find the right ones.
func TestPatience(t *testing.T) {
	item := string(nest(21, `{"p":`, `{"a":1}`, `}`))
	for _, n := range []int{2_000, 20_000} {
		text := "[" + strings.Repeat(item+",", n-1) + item + "]"
		var v []depths
		if err := codec.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%d items: %v", n, err)
		}
		told := 0
		for told < n {
			if _, ok := v[told].Value.(padded[l19]); !ok {
				break
			}
			told++
		}
		if told < 2_000 {
			t.Errorf("%d items: only %d are told", n, told)
		}
		out, err := codec.Marshal(v)
		if err != nil || string(out) != text {
			t.Errorf("%d items, of which %d are told, change: %v", n, told, err)
		}
	}
}

// TestPatienceInMemory: what is kept of unions inside a variant that is tried takes
// no more memory than the values themselves.
func TestPatienceInMemory(t *testing.T) {
	type inner = three[map[string]int, map[string]string, map[string]bool]
	text := `{"p":[{"a":"s"}` + strings.Repeat(`,{}`, 700_000) + `]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, out, err := choice[three[p[[]inner], p[[]hasA], p[[]hasB]]](text)
	runtime.ReadMemStats(&after)
	if err != nil || out != text {
		t.Errorf("changed: %v", err)
	}
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 250 {
		t.Errorf("%d MiB were made of %d", made, len(text)>>20)
	}
}

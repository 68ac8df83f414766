package codec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/internal/yardstick"
	"github.com/mcpbind/mcpbind/runtime/codec"
)

// enough is several times the CPU time that any of these texts takes.
const enough = time.Second

// inTime runs f, which must be done in a small multiple of what reading its
// input takes. Quadratic and exponential work misses the limit by far.
func inTime(t *testing.T, f func()) {
	t.Helper()
	yardstick.Check(t, enough, f)
}

// nest wraps inner n times: before + inner + after.
func nest(n int, before, inner, after string) []byte {
	return []byte(strings.Repeat(before, n) + inner + strings.Repeat(after, n))
}

// TestNestedAmbiguity: each level decodes as the first twin up to its end, and
// only then as the second. Trying all would take 2^900 steps.
func TestNestedAmbiguity(t *testing.T) {
	text := nest(900, `{"sub":`, `1`, `,"list":["x"]}`)
	inTime(t, func() {
		var v Twin
		if err := codec.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		out, err := codec.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, text) {
			t.Errorf("got %.100s", out)
		}
	})
	// Few levels cost no precision.
	text = nest(3, `{"sub":`, `1`, `,"list":["x"]}`)
	var v Twin
	if err := codec.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		level, ok := v.Value.(TwinText)
		if !ok {
			t.Fatalf("got %T", v.Value)
		}
		v = level.Sub
	}
}

// TestNestedDuplicates: each level is told by a first kind, and otherwise by a last.
func TestNestedDuplicates(t *testing.T) {
	text := nest(900, `{"kind":"circle","inner":`, `1`, `,"kind":"box","side":1}`)
	inTime(t, func() {
		var v Shape
		_ = codec.Unmarshal(text, &v) // past the budget the first kind is final
	})
	text = nest(3, `{"kind":"circle","inner":`, `1`, `,"kind":"box","side":1}`)
	if got, err := into[Shape](string(text)); err != nil || got != `{"kind":"box","side":1}` {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestNestedLookAhead: each level is told at its very end, past a large text.
func TestNestedLookAhead(t *testing.T) {
	large := `[` + strings.Repeat(`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",1,`, 100_000) + `1]`
	text := nest(900, `{"radius":1,"inner":`, large, `,"kind":"circle"}`)
	inTime(t, func() {
		var v Shape
		if err := codec.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
	})
}

// TestManyOverridden: every key is first wrong and much later right.
func TestManyOverridden(t *testing.T) {
	var text bytes.Buffer
	text.WriteByte('{')
	const keys = 30_000
	for i := range keys {
		fmt.Fprintf(&text, `"%d":"x",`, i)
	}
	for i := range keys {
		fmt.Fprintf(&text, `"%d":1,`, i)
	}
	text.WriteString(`"":1}`)
	inTime(t, func() {
		var v map[string]int
		if err := codec.Unmarshal(text.Bytes(), &v); err != nil && !strings.Contains(err.Error(), "a string where a number is expected") {
			t.Error(err)
		}
	})
}

// TestDeepInPlaceOfConstant: what stands for a constant nests deeply, escapes
// and all.
func TestDeepInPlaceOfConstant(t *testing.T) {
	for _, deep := range []string{string(nest(9000, `[`, `"\\"`, `]`)), string(nest(9000, `{"\"":`, `1`, `}`))} {
		inTime(t, func() {
			if got, err := into[OrderPayment](`{"kind":` + deep + `}`); err != nil || got != `{"kind":`+deep+`}` {
				t.Errorf("got %.50s, %v", got, err)
			}
			var v struct {
				_ struct{} `wire:"kind" const:"{\"a\":[[1]]}"`
			}
			err := codec.Unmarshal([]byte(`{"kind":`+deep+`}`), &v)
			checkError(t, err, "/kind", "not the constant")
		})
	}
}

func TestHugeNumbers(t *testing.T) {
	digits := strings.Repeat("7", 500_000)
	for _, text := range []string{digits, "0." + digits, "1e" + digits, "-1e-" + digits, digits + "e-" + digits} {
		inTime(t, func() {
			var i int
			if err := codec.Unmarshal([]byte(text), &i); err == nil {
				t.Errorf("%.20s is an int", text)
			}
			var f float64
			_ = codec.Unmarshal([]byte(text), &f)
			var n json.Number
			if err := codec.Unmarshal([]byte(text), &n); err != nil || string(n) != text {
				t.Errorf("%.20s is no json.Number: %v", text, err)
			}
			var s Everything
			if err := codec.Unmarshal([]byte(`{"version":`+text+`}`), &s); err == nil {
				t.Errorf("%.20s is the constant 1", text)
			}
		})
	}
}

func TestDuplicateKeys(t *testing.T) {
	tests := []struct {
		code     func(string) (string, error)
		in, want string
	}{
		{into[field[int]], `{"f":"x","f":{},"f":1}`, `{"f":1}`},
		{into[map[string]int], `{"a":"x","b":2,"a":1}`, `{"a":1,"b":2}`},
		{into[Order], `{"n":1,"payment":1,"n":"2"}`, `{"id":0,"payment":1,"n":"2"}`},
		{into[map[string]map[string]int], `{"a":{"b":{"c":1}},"\u0061":{"b":1}}`, `{"a":{"b":1}}`},
		{into[any], `{"a":{"b":1},"a":{"c":2}}`, `{"a":{"c":2}}`},
	}
	for _, tt := range tests {
		got, err := tt.code(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.in, got, err, tt.want)
		}
	}
	_, err := into[field[int]](`{"f":1,"f":"x"}`)
	checkError(t, err, "/f", "a string where a number is expected")
}

func TestNestedUnions(t *testing.T) {
	for _, text := range []string{
		`"2026-11-30T21:00:00Z"`,
		`-0.10e5`,
		`{"a":[1,null,"x",{"kind":"circle","radius":1,"inner":[{"x":1}]}]}`,
		`{"sub":{"list":["x"]},"list":[1]}`,
		`"no time"`,
		`null`,
		`[{"list":[1]}]`,
	} {
		got, err := into[map[string]Nested](`{"k":` + text + `}`)
		if text == `null` { // no variant of Nested itself is raw
			checkError(t, err, "/k", "without a Value")
			continue
		}
		if want := `{"k":` + text + `}`; err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// TestConcurrent builds plans of recursive types in many goroutines at once, in
// different orders.
func TestConcurrent(t *testing.T) {
	texts := []func() error{
		func() error { _, err := into[Shape](`{"kind":"circle","radius":1,"inner":{"x":1}}`); return err },
		func() error {
			_, err := into[Everything](`{"opt_shape":[{"x":1}],"table":{"a":[1,2,true]}}`)
			return err
		},
		func() error { _, err := into[ShapeCircle](`{"radius":1,"inner":{"kind":"circle"}}`); return err },
		func() error { _, err := into[Nested](`{"sub":{"list":["x"]},"list":[1]}`); return err },
		func() error { _, err := into[SearchOrdersOutput](`{"orders":[{"payment":1}]}`); return err },
	}
	for range 20 {
		codec.ForgetPlans()
		var wg sync.WaitGroup
		for i := range 2 * len(texts) {
			wg.Go(func() {
				for n := range texts {
					if err := texts[(i+n)%len(texts)](); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestPooledStateDoesNotLeak: a failed decoding leaves nothing to the next.
func TestPooledStateDoesNotLeak(t *testing.T) {
	deep := nest(999, `[`, `"x"`, `]`)
	const text = `{"radius":2,"kind":"circle","inner":[{"x":1},{"x":1,"name":"\u006e"}]}`
	var want Shape
	if err := codec.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		var tree Tree
		var got Shape
		if err := codec.Unmarshal(deep, &tree); err == nil {
			t.Fatal("no error")
		}
		if err := codec.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestLargeObjectIsForgotten: one huge object makes no later text slower.
func TestLargeObjectIsForgotten(t *testing.T) {
	if kept := codec.KeptMembers(600_000); kept > 1000 {
		t.Errorf("room for %d members is kept, and cleared after each text", kept)
	}
	if kept := codec.KeptMembers(20); kept != 20 {
		t.Errorf("room for %d of 20 members is kept", kept)
	}
}

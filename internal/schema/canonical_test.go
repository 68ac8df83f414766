package schema_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
)

func parse(t testing.TB, text string) *schema.Value {
	t.Helper()
	if text == "" {
		return nil
	}
	v, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return v
}

func TestDecimal(t *testing.T) {
	tests := []struct {
		literal, want string
		ok            bool
	}{
		{"0", "0", true},
		{"-0", "0", true},
		{"0.0", "0", true},
		{"-0.0e5", "0", true},
		{"0e99999999999999999999999", "0", true},
		{"1", "1", true},
		{"1.0", "1", true},
		{"-1.50", "-1.5", true},
		{"100", "100", true},
		{"1e2", "100", true},
		{"1E+2", "100", true},
		{"1000e-3", "1", true},
		{"0.00012", "0.00012", true},
		{"12e-5", "0.00012", true},
		{"123.456e1", "1234.56", true},
		{"123.456e-2", "1.23456", true},
		{"9007199254740993", "9007199254740993", true},
		{"9007199254740993.0", "9007199254740993", true},
		{"18446744073709551615", "18446744073709551615", true},
		{"1e19", "10000000000000000000", true},
		{"1e20", "100000000000000000000", true},
		{"1e21", "1e21", true},
		{"1.5e22", "1.5e22", true},
		{"1000000000000000000000000", "1e24", true},
		{"123456789012345678901234567890", "123456789012345678901234567890", true},
		{"0.1e-20", "0." + strings.Repeat("0", 20) + "1", true},
		{"1e-22", "1e-22", true},
		{"1.25e-400", "1.25e-400", true},
		{"1e1000000000", "1e1000000000", true},
		{"-1e-1000000000", "-1e-1000000000", true},
		{"10e1000000000", "1e1000000001", true},
		{"1e999999999999999999", "1e999999999999999999", true},
		{"1e1000000000000000000", "", false},
		{"1e-999999999999999999", "1e-999999999999999999", true},
		{"1e-1000000000000000000", "", false},
		{"1e99999999999999999999999", "", false},
		{"", "", false},
		{"-", "", false},
		{"+1", "", false},
		{"01", "", false},
		{".5", "", false},
		{"5.", "", false},
		{"1e", "", false},
		{"1e+-2", "", false},
		{"1e--2", "", false},
		{"1.2.3", "", false},
		{"0x10", "", false},
		{"NaN", "", false},
		{" 1", "", false},
	}
	for _, tt := range tests {
		got, ok := schema.Decimal(tt.literal)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("Decimal(%q) = %q, %t, want %q, %t", tt.literal, got, ok, tt.want, tt.ok)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-1.5e3", "1e-7", "100000000000000000000000", "0.000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		got, ok := schema.Decimal(literal)
		v, err := schema.Parse([]byte(literal))
		isNumber := err == nil && v.Kind == schema.Number
		if ok && !isNumber && strings.Trim(literal, " \t\r\n") == literal {
			t.Fatalf("Decimal(%q) accepts what is no number", literal)
		}
		if !ok {
			return
		}
		if again, ok := schema.Decimal(got); !ok || again != got {
			t.Fatalf("Decimal(%q) = %q, and of that %q, %t", literal, got, again, ok)
		}
		if i := strings.IndexAny(literal, "eE"); len(literal) < 200 && (i < 0 || len(literal)-i < 5) {
			want, _ := new(big.Rat).SetString(literal)
			have, _ := new(big.Rat).SetString(got)
			if want.Cmp(have) != 0 {
				t.Fatalf("Decimal(%q) = %q, another number", literal, got)
			}
		}
	})
}

func TestCanonical(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"keys by code point", `{"b":1,"a":2,"é":3,"😀":4,"\uffff":5,"B":6}`, `{"B":6,"a":2,"b":1,"é":3,"` + "\uffff" + `":5,"😀":4}`},
		{"numbers", `{"minimum":1.0,"maximum":1e2,"x":-0.0}`, `{"maximum":100,"minimum":1,"x":0}`},
		{"huge exponent", `{"maximum":1e1000000000}`, `{"maximum":1e1000000000}`},
		{"absurd exponent", `{"maximum":1e10000000000000000000}`, `{"maximum":1e10000000000000000000}`},
		{"required and types are sets", `{"required":["b","a"],"type":["null","string"]}`, `{"required":["a","b"],"type":["null","string"]}`},
		{"types sorted", `{"type":["string","null"]}`, `{"type":["null","string"]}`},
		{"required of odd kinds", `{"required":[2,"b",null,"a"]}`, `{"required":[null,2,"a","b"]}`},
		{"required of odd kinds, again", `{"required":["a",{},"b",[],2,"",null]}`, `{"required":[null,2,"","a","b",[],{}]}`},
		{"and in another order", `{"required":[{},"b",[],"",2,"a",null]}`, `{"required":[null,2,"","a","b",[],{}]}`},
		{"required boolean", `{"required":true}`, `{"required":true}`},
		{"enum keeps its order", `{"enum":["b","a",1.0]}`, `{"enum":["b","a",1]}`},
		{"prose goes", `{"title":"t","description":"d","$comment":"c","examples":[1],"type":"object"}`, `{"type":"object"}`},
		{"prose goes everywhere", `{"properties":{"a":{"title":"t","items":{"description":"d"}}},"anyOf":[{"title":"x"}],"not":{"$comment":"y"}}`,
			`{"anyOf":[{}],"not":{},"properties":{"a":{"items":{}}}}`},
		{"property names stay", `{"properties":{"title":{"title":"t"},"description":{},"examples":{},"$comment":{}},"required":["title"]}`,
			`{"properties":{"$comment":{},"description":{},"examples":{},"title":{}},"required":["title"]}`},
		{"property called required", `{"properties":{"required":{"type":["string","null"]},"type":{"enum":["b","a"]}}}`,
			`{"properties":{"required":{"type":["null","string"]},"type":{"enum":["b","a"]}}}`},
		{"data keeps its prose", `{"const":{"title":"t"},"default":{"required":["b","a"]},"enum":[{"description":"d"}],"x-y":{"title":"z"}}`,
			`{"const":{"title":"t"},"default":{"required":["b","a"]},"enum":[{"description":"d"}],"x-y":{"title":"z"}}`},
		{"items as list", `{"items":[{"title":"a"},true]}`, `{"items":[{},true]}`},
		{"maps of the wrong kind", `{"properties":["b",{"title":"t"}],"allOf":{"title":"t"},"not":7,"items":null}`,
			`{"allOf":{"title":"t"},"items":null,"not":7,"properties":["b",{"title":"t"}]}`},
		{"escapes", `{"pattern":"\u0041\/\u000a"}`, `{"pattern":"A/\n"}`},
		{"boolean", `false`, `false`},
		{"nothing", ``, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(schema.Canonical(parse(t, tt.in))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestDigest(t *testing.T) {
	type tool struct{ annotations, input, output string }
	base := tool{``, `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{}},"required":["a","b"]}`, ``}
	// Digests live in checked-in files: this one may never change.
	const want = "s1:lkmsMKquxhibwP0UPhy6jbNlb883zIBUhUQAzkbN40Y"
	digest := func(tl tool) string {
		return schema.Digest(parse(t, tl.annotations), parse(t, tl.input), parse(t, tl.output))
	}
	same := map[string]tool{
		"itself":                {``, base.input, ``},
		"keys reordered":        {``, `{"required":["b","a"],"properties":{"b":{},"a":{"type":["null","string"]}},"type":"object"}`, ``},
		"annotations empty":     {`{}`, base.input, ``},
		"annotations preset":    {`{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`, base.input, ``},
		"annotations title":     {`{"title":"T","x":1}`, base.input, ``},
		"annotations odd":       {`{"readOnlyHint":"yes","destructiveHint":"no"}`, base.input, ``},
		"annotations no object": {`[]`, base.input, ``},
		"documentation":         {``, `{"type":"object","title":"T","properties":{"a":{"type":["string","null"],"description":"d"},"b":{"examples":[1]}},"required":["a","b"]}`, ``},
	}
	for name, tl := range same {
		if got := digest(tl); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	different := map[string]tool{
		"read-only":     {`{"readOnlyHint":true}`, base.input, ``},
		"closed world":  {`{"openWorldHint":false}`, base.input, ``},
		"no input":      {``, ``, ``},
		"null input":    {``, `null`, ``},
		"output":        {``, base.input, base.input},
		"only output":   {``, ``, base.input},
		"one more name": {``, strings.Replace(base.input, `["a","b"]`, `["a"]`, 1), ``},
	}
	seen := map[string]string{want: "base"}
	for name, tl := range different {
		got := digest(tl)
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[got] = name
	}
}

func TestSet(t *testing.T) {
	one, also, other := parse(t, `[1,"a"]`), parse(t, `[1.0,"\u0061"]`), parse(t, `["a",1]`)
	s := schema.SetOf([]*schema.Value{one, also})
	if !s.Has(also) || s.Has(other) || s.Add(one) || !s.Add(other) || s.Add(other) {
		t.Error("the set does not tell equal values from others")
	}
	if got := s.Values(); len(got) != 2 || got[0] != one || got[1] != other {
		t.Errorf("values %v", got)
	}
	var empty schema.Set
	if empty.Has(one) || empty.Values() != nil || !empty.Add(one) || !empty.Has(one) {
		t.Error("the zero Set is not empty")
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b      string
		equal     bool
		identical bool // SameText
	}{
		{`1`, `1`, true, true},
		{`1`, `1.0`, true, false},
		{`100`, `1e2`, true, false},
		{`0`, `-0`, true, false},
		{`9007199254740993`, `9007199254740992`, false, false},
		{`1e10000000000000000000`, `1e10000000000000000000`, true, true},
		{`1e10000000000000000000`, `1e10000000000000000001`, false, false},
		{`"a"`, `"\u0061"`, true, true},
		{`"1"`, `1`, false, false},
		{`null`, `null`, true, true},
		{`null`, `false`, false, false},
		{`true`, `false`, false, false},
		{`[1,2]`, `[1,2]`, true, true},
		{`[1,2]`, `[2,1]`, false, false},
		{`[1]`, `[1,1]`, false, false},
		{`{"a":1,"b":2}`, `{ "b":2, "a":1 }`, true, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false, false},
		{`{"a":null}`, `{"b":null}`, false, false},
		{`{"a":{"b":[1.0]}}`, `{"a":{"b":[1]}}`, true, false},
		{``, ``, true, true},
		{``, `null`, false, false},
	}
	for _, tt := range tests {
		a, b := parse(t, tt.a), parse(t, tt.b)
		for range 2 {
			if got := schema.Equal(a, b); got != tt.equal {
				t.Errorf("Equal(%s, %s) = %t", tt.a, tt.b, got)
			}
			if a != nil && b != nil && (schema.Key(a) == schema.Key(b)) != tt.equal {
				t.Errorf("Key(%s) and Key(%s): want them equal: %t", tt.a, tt.b, tt.equal)
			}
			if got := schema.SameText(a, b); got != tt.identical {
				t.Errorf("SameText(%s, %s) = %t", tt.a, tt.b, got)
			}
			a, b = b, a
		}
	}
}

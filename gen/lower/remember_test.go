package lower

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// refersTo is a tool with properties that all are one union of a definition with
// a union in it.
func refersTo(names ...string) []snapshot.Tool {
	var properties []string
	for _, name := range names {
		properties = append(properties, `"`+name+`":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/D"}]}`)
	}
	return []snapshot.Tool{{Name: "t", InputSchema: parsed(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"$defs":{"D":{"anyOf":[
		{"type":"object","properties":{"k":{"const":"one"},"n":{"enum":[1,2]}},"required":["k"]},
		{"type":"object","properties":{"k":{"const":"two"},"s":{"type":"object","properties":{"t":{"type":"string"}}}},"required":["k"]}]}}}`)}}
}

// A variant that gains a property keeps its names, and so do those beside it:
// with all earlier names known, and then with what is pinned of them alone.
func TestVariantsAreKnownAgain(t *testing.T) {
	union := func(a, b string) []snapshot.Tool {
		return []snapshot.Tool{{Name: "t", InputSchema: parsed(`{"type":"object","properties":{"v":{"anyOf":[` + a + `,` + b + `]}}}`)}}
	}
	const (
		number = `{"type":"object","properties":{"p":{"type":"integer"}}}`
		text   = `{"type":"object","properties":{"p":{"type":"string"}}}`
		one    = `{"type":"object","properties":{"p":{"type":"object","properties":{"a":{"type":"string"}}}}}`
		two    = `{"type":"object","properties":{"p":{"type":"object","properties":{"b":{"type":"string"}}}}}`
	)
	for name, c := range map[string]struct{ before, after []snapshot.Tool }{
		"beside a constant": {
			union(`{"type":"object","properties":{"e":{"const":null},"a":{"type":"string"}},"required":["e"]}`,
				`{"type":"object","properties":{"e":{"type":"string"},"a":{"type":"integer"}},"required":["e"]}`),
			union(`{"type":"object","properties":{"e":{"const":null},"a":{"type":"string"}},"required":["e"]}`,
				`{"type":"object","properties":{"e":{"type":"string"},"E":{"type":"string"},"a":{"type":"integer"}},"required":["e"]}`),
		},
		"same keys, the second": {union(number, text),
			union(number, `{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"string"}}}`)},
		"same keys, the first": {union(number, text),
			union(`{"type":"object","properties":{"q":{"type":"string"},"p":{"type":"integer"}}}`, text)},
		"same keys and kinds": {union(one, two),
			union(one, `{"type":"object","properties":{"p":{"type":"object","properties":{"b":{"type":"string"}}},"q":{"type":"string"}}}`)},
		"same keys and kinds, both": {union(one, two),
			union(`{"type":"object","properties":{"p":{"type":"object","properties":{"a":{"type":"string"}}},"q":{"type":"string"}}}`,
				`{"type":"object","properties":{"p":{"type":"object","properties":{"b":{"type":"string"}}},"q":{"type":"string"}}}`)},
		"a map, beside another object": {union(`{"type":"object","additionalProperties":{"type":["string","boolean"]}}`, `{"type":"string"}`),
			union(`{"type":"object","additionalProperties":{"type":["string","boolean"]}}`,
				`{"type":"string"},{"type":"object","properties":{"q":{"type":"string"}},"required":["r"]}`)},
		"a map, behind another object": {union(`{"type":"object","additionalProperties":{"type":["string","boolean"]}}`, `{"type":"string"}`),
			union(`{"type":"object","properties":{"q":{"type":"string"}},"required":["r"]}`,
				`{"type":"object","additionalProperties":{"type":["string","boolean"]}},{"type":"string"}`)},
		"an object, behind one with more properties": {union(`{"type":"string"}`, `{"type":"object","properties":{"k":{"const":"a"},"x":{"enum":["s"]}},"required":["k"]}`),
			union(`{"type":"object","properties":{"k":{"const":"b"},"x":{"enum":["s","t"]},"y":{}},"required":["k"]}`,
				`{"type":"string"},{"type":"object","properties":{"k":{"const":"a"},"x":{"enum":["s"]}},"required":["k"]}`)},
		"told by another property": {
			union(`{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}`, `{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}`),
			union(`{"type":"object","properties":{"c":{"const":"x"},"k":{"const":"a"}},"required":["c","k"]}`,
				`{"type":"object","properties":{"c":{"const":"y"},"k":{"const":"b"}},"required":["c","k"]}`)},
		"values in another order": {
			union(`{"type":"object","properties":{"k":{"enum":["b","a"]}},"required":["k"]}`, `{"type":"object","properties":{"k":{"const":"c"}},"required":["k"]}`),
			union(`{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"]}`, `{"type":"object","properties":{"k":{"const":"c"}},"required":["k"]}`)},
		"properties in another order": {
			union(`{"type":"object","properties":{"b":{},"a":{}}}`, `{"type":"object","properties":{"b":{},"c":{}}}`),
			union(`{"type":"object","properties":{"a":{},"b":{}}}`, `{"type":"object","properties":{"c":{},"b":{}}}`)},
		"the one with more keys first": {
			union(`{"type":"object","properties":{"p":{},"q":{}}}`, `{"type":"object","properties":{"p":{}}}`),
			union(`{"type":"object","properties":{"p":{},"q":{},"r":{}}}`, `{"type":"object","properties":{"p":{},"z":{}}}`)},
		"in two unions": {refersTo("v"), refersTo("a", "v")},
	} {
		before := lowerTools(t, Input{Tools: c.before})
		after := lowerTools(t, Input{Tools: c.after, Pins: before.Names})
		for owner, want := range before.Names {
			if got := after.Names[owner]; got != want {
				t.Errorf("%s: %s was called %s and now %q", name, owner, want, got)
			}
		}
		pins := maps.Clone(after.Pins)
		for owner, name := range after.Names { // as generation finds what else to store
			if alone := lowerTools(t, Input{Tools: c.after, Pins: pins}); alone.Names[owner] != name {
				pins[owner] = name
			}
		}
		alone := lowerTools(t, Input{Tools: c.after, Pins: pins})
		again := lowerTools(t, Input{Tools: c.after, Pins: alone.Pins})
		if !maps.Equal(alone.Names, after.Names) || !maps.Equal(again.Names, after.Names) || !maps.Equal(again.Pins, alone.Pins) {
			t.Errorf("%s: pins are not enough:\n%v\n%v\n%v", name, after.Names, alone.Names, again.Names)
		}
	}
}

// A label's keys may hold what else tells them apart.
func TestSplitSet(t *testing.T) {
	for owner, want := range map[string][]string{
		`"a"`:                    {`"a"`},
		`{"a","b"}`:              {`"a"`, `"b"`},
		`{1,"a,b",null}`:         {`1`, `"a,b"`, `null`},
		`{"a\",b","\\","c"}`:     {`"a\",b"`, `"\\"`, `"c"`},
		`{"a" string,"b" value}`: {`"a" string`, `"b" value`},
	} {
		if got := splitSet(owner); !slices.Equal(got, want) {
			t.Errorf("%s: %q", owner, got)
		}
	}
}

// What a schema lists in another order, it calls the same.
func TestOrderTellsNothingApart(t *testing.T) {
	variants := func(schemas ...string) map[string]string {
		r := lowerOne(t, Options{}, `{"type":"object","properties":{"v":{"anyOf":[`+strings.Join(schemas, ",")+`]}}}`, "")
		return r.Names
	}
	const x, y = `{"type":"object","properties":{"c":{"const":"x"},"k":{"const":"a"}}}`, `{"type":"object","properties":{"k":{"const":"b"},"c":{"const":"y"}}}`
	for name, c := range map[string]struct {
		names map[string]string
		owner string
	}{
		"values":             {variants(`{"type":"object","properties":{"k":{"enum":["b","a"]}}}`, `{"type":"object","properties":{"k":{"const":"c"}}}`), `{"a","b"}`},
		"keys":               {variants(`{"type":"object","properties":{"b":{},"a":{}}}`, `{"type":"object","properties":{"b":{},"c":{}}}`), `{"a","b"}`},
		"tags, of the one":   {variants(x, y), `"x"`},
		"tags, of the other": {variants(x, y), `"y"`},
	} {
		if c.names["variant:t#/inputSchema/properties/v/"+c.owner] == "" {
			t.Errorf("%s: no variant %s in %v", name, c.owner, c.names)
		}
	}
}

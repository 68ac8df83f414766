//go:build unix

package gen_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/yardstick"
)

// What a catalog may cost to refuse, from its bytes to a package without the bad
// parts, names of an earlier package kept. Memory is the heap at its largest,
// garbage included.
const (
	bombTime   = 2 * time.Second
	bombMemory = 512 << 20
)

// list joins n texts made by format, in which % is the number of each.
func list(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.ReplaceAll(strings.ReplaceAll(format, "%+", fmt.Sprint(i+1)), "%", fmt.Sprint(i))
	}
	return strings.Join(texts, ",")
}

func nested(levels int, open, middle, end string) string {
	return strings.Repeat(open, levels) + middle + strings.Repeat(end, levels)
}

// TestBombs generates from schemas made to cost much. Each ends in time, says
// what was given up with the tool and the place, and leaves the tool beside it
// whole.
func TestBombs(t *testing.T) {
	if underRace {
		t.Skip("measures time")
	}
	object := func(rest string) string { return `{"type":"object",` + rest + `}` }
	under := func(schema string) string { return object(`"properties":{"p":` + schema + `}`) }
	deep := func(levels int, name, schema string) string {
		for i := range levels {
			schema = object(`"properties":{"` + strings.ReplaceAll(name, "%", fmt.Sprint(i)) + `":` + schema + `}`)
		}
		return schema
	}
	wide := object(`"properties":{` + list(1500, `"q%":{"type":"object","properties":{"r":{"type":"object","properties":{"x%":{"type":"string"}}}}},"q-%":{"type":"object","properties":{"x%":{"type":"string"}}}`) + `}`)
	for _, bomb := range []struct {
		name, schema string
		honest       bool // costs nothing but its own size, so nothing is given up
		more         int  // further tools with the same schema
	}{
		{"deep properties", nested(30_000, `{"type":"object","properties":{"p":`, `{}`, `}}`), false, 0},
		{"deep lists", under(nested(100_000, `{"items":`, `{}`, `}`)), false, 0},
		{"deep unions", under(nested(5000, `{"anyOf":[{"type":"string"},`, `{"type":"null"}`, `]}`)), false, 0},
		{"deep nots", under(nested(20_000, `{"not":`, `{}`, `}`)), false, 0},
		{"deep default", under(`{"type":"string","default":` + nested(50_000, `[`, ``, `]`) + `}`), false, 0},
		{"deep constant", under(`{"const":` + nested(3000, `{"a":`, `1`, `}`) + `}`), false, 0},
		{"references that double", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(60, `"D%":{"allOf":[{"$ref":"#/$defs/D%+"},{"$ref":"#/$defs/D%+"}]}`) + `,"D60":{"type":"integer"}}`), true, 0},
		{"unions that double", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(60, `"D%":{"anyOf":[{"$ref":"#/$defs/D%+"},{"type":"object","properties":{"p%":{"$ref":"#/$defs/D%+"}}}]}`) + `,"D60":{"type":"integer"}}`), true, 0},
		{"product of unions", under(object(`"allOf":[` + list(40, `{"anyOf":[{"properties":{"a%":{"type":"string"}}},{"properties":{"b%":{"type":"string"}}}]}`) + `]`)), false, 0},
		{"everything refers to everything", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(100, `"D%":{"allOf":[`+list(100, `{"$ref":"#/$defs/D%"}`)+`]}`) + `}`), false, 0},
		{"a chain of references", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(20_000, `"D%":{"$ref":"#/$defs/D%+"}`) + `,"D20000":{"type":"integer"}}`), true, 0},
		{"a ring of references", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(20_000, `"D%":{"$ref":"#/$defs/D%+"}`) + `,"D20000":{"$ref":"#/$defs/D0"}}`), false, 0},
		{"wide union", under(`{"oneOf":[` + list(20_000, `{"type":"object","properties":{"v%":{"type":"string"}}}`) + `]}`), false, 0},
		{"unions of one wide object", object(`"properties":{` + list(3000, `"p%":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}`) + `},"$defs":{"A":{"type":"object","properties":{` + list(4000, `"v%":{"enum":["a","b%"]}`) + `}},"B":{"type":"object","properties":{"b":{"type":"string"}}}}`), false, 0},
		{"unions of two wide objects", object(`"properties":{` + list(3000, `"p%":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}`) + `},"$defs":{"A":{"type":"object","properties":{` + list(2000, `"v%":{"enum":["a","b%"]}`) + `}},"B":{"type":"object","properties":{` + list(2000, `"v%":{"enum":["a","c%"]}`) + `}}}`), false, 0},
		{"references to one wide enum", object(`"properties":{` + list(4000, `"p%":{"description":"d","$ref":"#/$defs/E"}`) + `},"$defs":{"E":{"enum":[` + list(9000, `"v%"`) + `]}}`), true, 0},
		{"wide allOf", under(`{"allOf":[` + list(20_000, `{"type":"object","properties":{"v%":{"type":"string"}}}`) + `]}`), false, 0},
		{"everything restricts everything", under(object(`"allOf":[` + list(3000, `{"properties":{"v%":{}},"additionalProperties":{"type":"string"}}`) + `]`)), false, 0},
		{"wide tuple", under(`{"type":"array","prefixItems":[` + list(20_000, `{"type":"string"}`) + `]}`), false, 0},
		{"wide enum", under(`{"enum":[` + list(3000, `"v%"`) + `]}`), true, 0},
		{"wide enum of objects", under(`{"enum":[` + list(9000, `{"a":%,"b":[1,2,3,%]}`) + `]}`), true, 0},
		{"wide enum of lists", under(`{"enum":[` + list(5000, `[%]`) + `]}`), true, 0},
		{"wide type", under(`{"type":[` + list(100_000, `"string"`) + `]}`), true, 0},
		{"wide required", object(`"required":[` + list(30_000, `"v%"`) + `]`), false, 0},
		{"properties that are one name", object(`"properties":{` + list(3000, `"a`+strings.Repeat("_", 20)+`%!":{"type":"string"},"a-%":{"type":"string"}`) + `}`), false, 0},
		{"deep names", deep(40, strings.Repeat("Abcde", 12)+"%", wide), false, 0},
		{"deep names of many words", deep(25, strings.Repeat("aB", 30)+"%", wide), false, 0},
		{"wide tools", object(`"properties":{` + list(4000, `"v%":{"type":"string"}`) + `}`), true, 30},
		{"deep tools", object(`"properties":{"p":{"$ref":"#/$defs/D0"}},"$defs":{` + list(100, `"D%":{"type":"object","properties":{"a":{"$ref":"#/$defs/D%+"},"b":{"type":"array","items":{"type":"object","properties":{"c":{"$ref":"#/$defs/D%+"}}}}}}`) + `}`), false, 100},
		{"properties", object(`"properties":{` + list(100_000, `"v%":{"type":"string"}`) + `}`), false, 0},
		{"definitions nobody uses", object(`"$defs":{` + list(50_000, `"D%":{"type":"object","properties":{"x":{"$ref":"#/$defs/D%+"}}}`) + `}`), true, 0},
		{"long key", object(`"properties":{"` + strings.Repeat("k", 1<<20) + `":{"type":"object","properties":{"` + strings.Repeat("l", 1<<20) + `":{"enum":["a"]}}}}`), false, 0},
		{"long keys", deep(4, strings.Repeat("k", 3900), object(`"properties":{`+list(4900, `"q%":{"enum":["a","b"]}`)+`}`)), false, 0},
		{"long keys of many tools", deep(4, strings.Repeat("k", 3900), object(`"properties":{`+list(100, `"q%":{"enum":["a","b"]}`)+`}`)), true, 100},
		{"long text", under(`{"type":"string","description":"` + strings.Repeat(`- a\n\n`, 300_000) + `"}`), true, 0},
		{"long pattern", under(`{"type":"string","pattern":"` + strings.Repeat(`(a|b)*`, 300_000) + `"}`), false, 0},
		{"huge numbers", object(`"properties":{` + list(500, `"v%":{"type":"integer","minimum":1e99999999%,"maximum":-1e-99999999%}`) + `}`), true, 0},
		{"long numbers", under(`{"type":"integer","maximum":` + strings.Repeat("9", 1<<20) + `}`), true, 0},
		{"huge counts", under(`{"type":"array","minItems":1e9,"maxItems":1e300,"items":{"type":"string"}}`), true, 0},
		{"long pointer", under(`{"$ref":"#` + strings.Repeat("/$defs", 200_000) + `"}`), false, 0},
		{"too large", under(`{"type":"string","description":"` + strings.Repeat("x", 5<<20) + `"}`), false, 0},
	} {
		t.Run(bomb.name, func(t *testing.T) {
			tools := []json.RawMessage{
				json.RawMessage(`{"name":"bomb","inputSchema":` + bomb.schema + `,"outputSchema":` + bomb.schema + `}`),
				json.RawMessage(`{"name":"neighbour","inputSchema":{"type":"object","properties":{"word":{"type":"string"}}}}`),
			}
			for i := range bomb.more {
				tools = append(tools, fmt.Appendf(nil, `{"name":"bomb%d","inputSchema":%s}`, i, bomb.schema))
			}
			_, _, before := generateBomb(t, tools[:1], nil)
			out, diagnostics, _ := generateBomb(t, tools, nil)
			generateBomb(t, tools, before)
			if !strings.Contains(string(out.Files["client_gen.go"]), "NeighbourInput") {
				t.Error("the tool beside it is lost")
			}
			said := slices.ContainsFunc(append(diagnostics, out.Diagnostics...), func(d diag.Diagnostic) bool {
				if d.Code == snapshot.CodeToolSkipped { // its name may stand behind what cannot be read
					return strings.Contains(d.Message, "/inputSchema/")
				}
				return d.Tool == "bomb" && d.Pointer != "" && d.Message != ""
			})
			if said == bomb.honest {
				t.Errorf("diagnostics: %.1000v", append(diagnostics, out.Diagnostics...))
			}
		})
	}
}

// generateBomb generates from tools, with names of an earlier snapshot to keep
// unless previous is nil, within bounds.
func generateBomb(t *testing.T, tools []json.RawMessage, previous *snapshot.Snapshot) (gen.Output, []diag.Diagnostic, *snapshot.Snapshot) {
	t.Helper()
	var out gen.Output
	var diagnostics []diag.Diagnostic
	var snap *snapshot.Snapshot
	var memory uint64
	took := yardstick.Check(t, bombTime, func() {
		peak := watchHeap()
		var err error
		snap, diagnostics, err = snapshot.New(snapshot.Catalog{Tools: tools}, previous, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err = gen.Generate(gen.Input{Snapshot: snap, Previous: previous, Server: "bomb", Source: "snapshots/bomb.json"})
		if err != nil {
			t.Fatal(err)
		}
		memory = peak()
	})
	t.Logf("%v CPU, %d MiB, %+v", took.Round(time.Millisecond), memory>>20, out.Stats)
	if memory > bombMemory {
		t.Errorf("took %d MiB", memory>>20)
	}
	return out, diagnostics, snap
}

// watchHeap begins to look at the heap, every millisecond. The function it
// returns ends that and returns by how much the heap grew at its largest.
func watchHeap() (peak func() uint64) {
	size := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before, largest := size(), uint64(0)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			largest = max(largest, size())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-stopped
		return max(largest, size(), before) - before
	}
}

//go:build unix

package gen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/yardstick"
)

// Budgets of CPU time, garbage collection included, on a machine of 2024.
const (
	budgetLarge   = 300 * time.Millisecond // generate from 1,000 properties and 200 definitions
	budgetCompile = time.Second            // compile what came of it
	budgetTools   = 600 * time.Millisecond // generate from 1,000 tools
)

// BenchmarkLargeSchema generates from one schema of 1,000 properties and 200
// definitions, everything from stored bytes to checked source.
func BenchmarkLargeSchema(b *testing.B) {
	benchmarkGenerate(b, encoded(b, largeSchema()), budgetLarge)
}

// BenchmarkTools shows that cost grows with the number of tools and no faster:
// cpu-us/tool is about the same in all.
func BenchmarkTools(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmarkGenerate(b, encoded(b, manyTools(n)), budgetTools*time.Duration(n)/1000)
		})
	}
}

// benchmarkGenerate measures the way of `mcpbind generate --offline`: from the
// bytes of a snapshot to files that may be written.
func benchmarkGenerate(b *testing.B, stored []byte, budget time.Duration) {
	tuneGC(b)
	b.ReportAllocs()
	lines, tools := 0, 0
	start := cpu(b)
	for b.Loop() {
		out := generateStored(b, stored)
		if len(out.Diagnostics) > 0 {
			b.Fatalf("something was given up: %v", out.Diagnostics[0])
		}
		lines, tools = bytes.Count(out.Files["types_gen.go"], []byte("\n")), out.Stats.Tools
	}
	per := (cpu(b) - start) / time.Duration(b.N)
	b.ReportMetric(float64(per)/1e6, "cpu-ms/op")
	b.ReportMetric(float64(budget)/1e6, "budget-ms")
	b.ReportMetric(float64(per)/1e3/float64(tools), "cpu-us/tool")
	b.ReportMetric(float64(lines), "lines")
}

// BenchmarkCompile compiles what BenchmarkLargeSchema generates: that package
// alone, what it imports being compiled already. idle-ms/op is what the go command
// takes of it to find that there is nothing to do.
func BenchmarkCompile(b *testing.B) {
	out := generateStored(b, encoded(b, largeSchema()))
	m := newModule(b)
	m.add(b, out)
	m.run(b, "build", "./...")
	var total, idle time.Duration
	n := 0
	for b.Loop() {
		n++
		m.write(b, out.Package+"/changed.go", fmt.Appendf(nil, "package %s\n\nconst changed = %d\n", out.Package, n))
		total += m.run(b, "build", "./...")
		idle += m.run(b, "build", "./...")
	}
	b.ReportMetric(float64(total)/1e6/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(idle)/1e6/float64(b.N), "idle-ms/op")
	b.ReportMetric(float64(budgetCompile)/1e6, "budget-ms")
}

// tuneGC collects garbage as seldom as the command line does while it generates:
// nearly all that is allocated lives until the files are written.
func tuneGC(tb testing.TB) {
	tb.Helper()
	before := debug.SetGCPercent(400)
	tb.Cleanup(func() { debug.SetGCPercent(before) })
}

// TestCost holds the budgets, with half as much again for what a machine's speed
// does not explain, and that growth is linear.
func TestCost(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("measures time")
	}
	tuneGC(t)
	measure := func(budget time.Duration, catalog []json.RawMessage) time.Duration {
		stored := encoded(t, catalog)
		return yardstick.Check(t, budget*3/2, func() { generateStored(t, stored) })
	}
	large := measure(budgetLarge, largeSchema())
	thousand := measure(budgetTools, manyTools(1000))
	t.Logf("large schema %v, 1,000 tools %v", large, thousand)
	measure(5*budgetTools, manyTools(5000))
}

func generateStored(tb testing.TB, stored []byte) gen.Output {
	tb.Helper()
	snap, err := snapshot.Parse(stored)
	if err != nil {
		tb.Fatal(err)
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: "bench", Source: "snapshots/bench.json"})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// encoded returns the snapshot file of a catalog, pins included.
func encoded(tb testing.TB, tools []json.RawMessage) []byte {
	tb.Helper()
	snap, _, err := snapshot.New(snapshot.Catalog{Tools: tools}, nil, nil)
	if err != nil {
		tb.Fatal(err)
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: "bench"})
	if err != nil {
		tb.Fatal(err)
	}
	return withPins(snap, out.Pins).Encode()
}

// properties writes n properties that look like those of real servers.
func properties(n int) string {
	kinds := []string{
		`"name%d":{"type":"string","description":"The name of the thing.\nIt must be unique.","minLength":1}`,
		`"count%d":{"type":"integer","minimum":0,"maximum":100,"default":10}`,
		`"state%d":{"type":"string","enum":["open","closed","all"],"description":"Which ones to list."}`,
		`"labels%d":{"type":"array","items":{"type":"string"}}`,
		`"since%d":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}`,
		`"options%d":{"type":"object","properties":{"deep":{"type":"boolean"},"ratio":{"type":"number"}},"required":["deep"]}`,
	}
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(kinds[i%len(kinds)], i/len(kinds)+1)
	}
	return strings.Join(list, ",")
}

// manyTools makes n tools of the size that tools of real servers have on
// average: 6 properties, nested ones included, in 1.3 objects.
func manyTools(n int) []json.RawMessage {
	tools := make([]json.RawMessage, n)
	for i := range tools {
		count := 5
		if i%3 == 0 {
			count = 6 // the sixth is an object of two
		}
		tools[i] = fmt.Appendf(nil, `{"name":"do_thing_%d","description":"Does thing number %d.\n\nUse it with care.","inputSchema":{"type":"object","properties":{%s},"required":["name1","count1"]}}`,
			i, i, properties(count))
	}
	return tools
}

// largeSchema makes one tool with 1,000 properties, four in each of 200
// definitions and one that refers to each of them.
func largeSchema() []json.RawMessage {
	var defs, uses []string
	for i := range 200 {
		defs = append(defs, fmt.Sprintf(`"Thing%d":{"type":"object","description":"Thing number %d.","properties":{%s,"next":{"$ref":"#/$defs/Thing%d"}},"required":["name1"]}`, i, i, properties(3), i/2))
		uses = append(uses, fmt.Sprintf(`"thing%d":{"$ref":"#/$defs/Thing%d"}`, i, i))
	}
	return []json.RawMessage{fmt.Appendf(nil, `{"name":"build","inputSchema":{"type":"object","properties":{%s},"$defs":{%s}}}`,
		strings.Join(uses, ","), strings.Join(defs, ","))}
}

// cpu returns the CPU time that this process has used.
func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

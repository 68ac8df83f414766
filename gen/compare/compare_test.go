package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/compare"
	"github.com/mcpbind/mcpbind/gen/emit"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/mutate"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// TestProgram changes every tool of the corpus and holds what Source says against
// the compiler: a caller's code that uses everything of the old package fails
// against the new one exactly when there is a change.
func TestProgram(t *testing.T) {
	rounds := 1
	if testing.Short() {
		rounds = 0
	}
	l := newLoader(t)
	r := rand.New(rand.NewPCG(5, 5))
	pairs, breaking, bad := 0, 0, 0
	for i, path := range testshared.Files(t, "corpus/*.json") {
		if rounds == 0 && i%10 != 0 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		catalog, err := snapshot.ParseCatalog(data)
		if err != nil {
			t.Fatal(err)
		}
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, raw := range catalog.Tools {
			before, after, what := mutated(t, r, raw)
			if what == "" {
				continue
			}
			if r.IntN(2) == 0 {
				before, after = after, before
			}
			pairs++
			old, now := packages(t, server, before, after)
			files, err := emit.Package(now)
			if err != nil {
				t.Fatal(err)
			}
			changes := compare.Source(old, now)
			fault := l.compiles(t, old, files)
			if len(changes) > 0 {
				breaking++
			}
			if (len(changes) > 0) != (fault != nil) {
				if bad++; bad > 8 {
					t.FailNow()
				}
				t.Errorf("%s, %s: changes %v, compiler: %v\nbefore %.1200s\nafter %.1200s", server, what, changes, fault, before, after)
			}
		}
	}
	t.Logf("%d pairs, %d break source", pairs, breaking)
}

// mutated returns a tool before and after a change of its schemas; what is ""
// when there was nothing to change.
func mutated(t *testing.T, r *rand.Rand, raw json.RawMessage) (before, after json.RawMessage, what string) {
	t.Helper()
	var tool map[string]any
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	if tool["outputSchema"] == nil && r.IntN(3) > 0 { // most of the corpus says nothing of results
		tool["outputSchema"] = tool["inputSchema"]
		delete(tool, "inputSchema")
	}
	text := func() json.RawMessage {
		out, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before = text()
	var did []string
	for _, k := range []string{"inputSchema", "outputSchema"} {
		s, ok := tool[k].(map[string]any)
		if !ok {
			continue
		}
		if what := (mutate.Mutator{Rand: r}).Mutate(s); what != "" {
			did = append(did, what)
		}
	}
	return before, text(), strings.Join(did, ", ")
}

// packages returns the packages of two versions of a tool, the second generated
// after the first.
func packages(t *testing.T, server string, before, after json.RawMessage) (old, now *model.Package) {
	t.Helper()
	first, _, err := snapshot.New(snapshot.Catalog{Tools: []json.RawMessage{before}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := gen.Lower(gen.Input{Snapshot: first, Server: server, Source: "s.json"})
	if err != nil {
		t.Fatal(err)
	}
	first.Pins = a.Pins
	second, _, err := snapshot.New(snapshot.Catalog{Tools: []json.RawMessage{after}}, first, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := gen.Lower(gen.Input{Snapshot: second, Previous: first, Server: server, Source: "s.json"})
	if err != nil {
		t.Fatal(err)
	}
	return a.Package, b.Package
}

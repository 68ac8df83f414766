package drift_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/drift"
	"github.com/mcpbind/mcpbind/internal/mutate"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// pairsVariable is the environment variable that asks for more pairs than the
// default: 1,000,000 take an hour.
const pairsVariable = "MCPBIND_DRIFT_PAIRS"

const (
	defaultPairs = 24_000
	attempts     = 12 // values that are tried against a pair graded compatible
	hunt         = 60 // against one that is graded as breaking, before it counts as too strict
)

// corpusSchemas returns every schema of the corpus, decoded.
func corpusSchemas(t *testing.T) []object {
	var out []object
	for _, path := range testshared.Files(t, "corpus/*.json") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var catalog struct {
			Tools []struct{ InputSchema, OutputSchema object }
		}
		if err := json.Unmarshal(data, &catalog); err != nil {
			t.Fatal(err)
		}
		for _, tool := range catalog.Tools {
			if tool.OutputSchema != nil {
				out = append(out, tool.OutputSchema)
			}
			if tool.InputSchema != nil {
				out = append(out, tool.InputSchema)
			}
		}
	}
	return out
}

type object = map[string]any

// A tally counts, per rule, how often it said that a change breaks, and how often
// no value was found that shows it.
type tally struct{ said, unshown map[drift.Code]int }

// TestSound mutates every schema of the corpus and looks for values that a pair
// graded compatible breaks.
func TestSound(t *testing.T) {
	schemas := corpusSchemas(t)
	want := defaultPairs
	if text := os.Getenv(pairsVariable); text != "" {
		var err error
		if want, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		want /= 10
	}
	r := rand.New(rand.NewPCG(1, uint64(want)))
	m := mutate.Mutator{Rand: r}
	counts := tally{map[drift.Code]int{}, map[drift.Code]int{}}
	pairs, breaking, strict, values, bad := 0, 0, 0, 0, 0
	side := newSideBySide(t)
	for i := 0; pairs < want && bad < 10; i++ {
		before := schemas[i%len(schemas)]
		if i >= len(schemas) {
			before = schemas[r.IntN(len(schemas))]
		}
		after := mutate.Clone(before).(object)
		var did []string
		for range 1 + r.IntN(2) {
			if what := m.Mutate(after); what != "" {
				did = append(did, what)
			}
		}
		if len(did) == 0 {
			continue
		}
		if r.IntN(2) == 0 {
			before, after = after, before
		}
		old, err := compile(before)
		if err != nil {
			continue // not a schema, as some of the corpus are not
		}
		now, err := compile(after)
		if err != nil {
			continue
		}
		for _, results := range []bool{false, true} {
			pairs++
			p := pair{before, after, old, now, results, did}
			changes := p.changes()
			worst := drift.Worst(changes) == drift.Call
			n := attempts
			if worst {
				breaking++
				n = hunt
			}
			shown := p.dropped(changes)
			for range n {
				if shown {
					break
				}
				x, ok := p.value(r)
				values++
				shown = ok && p.breaks(x)
				if shown && !worst {
					bad++
					t.Errorf("%s: graded compatible, but %s breaks it\nold %s\nnew %s\nchanges %v", strings.Join(did, ", "), text(x), text(before), text(after), changes)
				}
			}
			if worst && !shown {
				strict++
			}
			counts.add(changes, shown)
			if !results {
				side.add(t, r, p, !worst, shown)
			}
		}
	}
	t.Logf("%d pairs, %d values; %d graded as breaking, of which no value shows it for %d (%.1f %%)",
		pairs, values, breaking, strict, 100*float64(strict)/float64(max(breaking, 1)))
	counts.log(t)
}

func text(x any) string {
	b, err := json.Marshal(x)
	if err != nil {
		return err.Error()
	}
	if len(b) > 3000 {
		b = append(b[:3000], "..."...)
	}
	return string(b)
}

func (c tally) add(changes []drift.Change, shown bool) {
	done := map[drift.Code]bool{}
	for _, change := range changes {
		if change.Grade() != drift.Call || done[change.Code] {
			continue
		}
		done[change.Code] = true
		c.said[change.Code]++
		if !shown {
			c.unshown[change.Code]++
		}
	}
}

func (c tally) log(t *testing.T) {
	for _, code := range slices.Sorted(maps.Keys(c.said)) {
		if c.unshown[code] > 0 {
			t.Logf("  %-28s no value in %d of %d pairs", code, c.unshown[code], c.said[code])
		}
	}
}

// A pair is two versions of a schema, in one of the two roles.
type pair struct {
	before, after object
	old, now      validator
	results       bool
	did           []string
}

func (p pair) changes() []drift.Change {
	old, now := json.RawMessage(mustJSON(p.before)), json.RawMessage(mustJSON(p.after))
	if p.results {
		return drift.Compare(drift.Tool{OutputSchema: old}, drift.Tool{OutputSchema: now}, drift.Options{})
	}
	return drift.Compare(drift.Tool{InputSchema: old}, drift.Tool{InputSchema: now}, drift.Options{})
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// value makes a value that is valid on the side that matters.
func (p pair) value(r *rand.Rand) (any, bool) {
	if p.results {
		x := maker{r, p.after, true}.value(p.after, p.before, 0)
		return x, p.now.valid(x)
	}
	x := maker{r, p.before, false}.value(p.before, nil, 0)
	if r.IntN(2) == 0 {
		x = maker{r, p.before, false}.object(maker{r, p.before, false}.merged(p.before, 0), maker{r, p.after, false}.merged(p.after, 0), 0)
	}
	return x, p.old.valid(x)
}

// breaks reports whether x, valid on one side, breaks whoever relies on it.
func (p pair) breaks(x any) bool {
	if p.results {
		return !p.old.valid(x) && !readable(p.before, p.before, x, false, 0)
	}
	return !p.now.valid(x)
}

// dropped reports whether a declared field is gone, which no single value shows.
func (p pair) dropped(changes []drift.Change) bool {
	return slices.ContainsFunc(changes, func(c drift.Change) bool { return c.Code == "result-field-removed" })
}

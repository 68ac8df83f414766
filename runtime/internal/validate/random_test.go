package validate_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

var (
	randomSeed    = flag.Uint64("random.seed", 1, "where TestRandom begins")
	randomSchemas = flag.Int("random.schemas", 300, "how many schemas TestRandom makes; TestRandomHoles a tenth")
)

// TestRandom compares with another implementation on schemas and values that nobody
// would write. That one refuses every value where a schema leads back to itself.
func TestRandom(t *testing.T) {
	schemas, values, valid, undecided, circular := 0, 0, 0, 0, 0
	for seed := range uint64(*randomSchemas) {
		seed += *randomSeed
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 0)), dialect: int(seed % uint64(len(dialects)))}
		text := jsonText(m.document())
		oracle := newOracle([]byte(text))
		if oracle == nil {
			continue
		}
		s, err := validate.Compile(json.RawMessage(text), validate.Options{})
		if err != nil {
			t.Errorf("seed %d: %s: %v", seed, text, err)
			continue
		}
		circles := slices.ContainsFunc(s.Warnings(), func(w string) bool { return strings.Contains(w, "leads back") })
		if len(s.Warnings()) > 0 && !circles { // the oracle does not read what is not in use
			continue
		}
		schemas++
		for range 12 {
			value := jsonText(m.value(3))
			want := oracle([]byte(value))
			values++
			violations, err := s.Validate(t.Context(), []byte(value))
			got := len(violations) == 0
			switch {
			case errors.Is(err, validate.ErrBudget):
				undecided++
			case err != nil:
				t.Errorf("seed %d: %s: %v", seed, value, err)
			case got && !want && circles:
				circular++
			case got != want:
				t.Errorf("seed %d: %s against %s: oracle says valid is %v, got %v", seed, value, text, want, violations)
			case got:
				valid++
			}
		}
	}
	t.Logf("%d schemas, %d values, %d valid, %d left unvalidated, %d valid here alone", schemas, values, valid, undecided, circular)
}

// TestRandomHoles holds that no value is refused that the schema allows when each of
// the references that lead nowhere is read as true or as false.
func TestRandomHoles(t *testing.T) {
	schemas, refused, doubted := 0, 0, 0
	for seed := range uint64(*randomSchemas / 10) {
		seed += *randomSeed
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), dialect: draft7 + int(seed%3), holes: true}
		text := jsonText(m.document())
		s, err := validate.Compile(json.RawMessage(text), validate.Options{})
		if err != nil {
			t.Errorf("seed %d: %s: %v", seed, text, err)
			continue
		}
		if len(s.Warnings()) == 0 {
			continue
		}
		var oracles []func([]byte) bool
		for _, one := range []string{"yes", "no"} {
			for _, two := range []string{"yes", "no"} {
				filled := strings.NewReplacer("gone:1", "#/definitions/"+one, "gone:2", "#/definitions/"+two).Replace(text)
				if oracle := newOracle([]byte(filled)); oracle != nil {
					oracles = append(oracles, oracle)
				}
			}
		}
		schemas++
		for range 12 {
			value := jsonText(m.value(3))
			violations, err := s.Validate(t.Context(), []byte(value))
			if err != nil {
				continue
			}
			allowed := slices.ContainsFunc(oracles, func(oracle func([]byte) bool) bool { return oracle([]byte(value)) })
			switch {
			case len(violations) == 0 && !allowed:
				doubted++
			case len(violations) > 0 && allowed:
				t.Errorf("seed %d: %s against %s: got %v", seed, value, text, violations)
			case len(violations) > 0:
				refused++
			}
		}
	}
	t.Logf("%d schemas, %d values refused, %d not, though each reading refuses them", schemas, refused, doubted)
}

package validate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/testshared"
	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

// TestCorpus compiles every schema of real servers and says what is not enforced.
func TestCorpus(t *testing.T) {
	schemas, failed, partial := 0, 0, 0
	var times []time.Duration
	for _, file := range testshared.Files(t, "corpus/*.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var catalog struct {
			Tools []struct {
				Name                      string
				InputSchema, OutputSchema json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &catalog); err != nil {
			t.Fatal(err)
		}
		for _, tool := range catalog.Tools {
			for _, raw := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
				if raw == nil {
					continue
				}
				schemas++
				s, took, err := compileTimed(raw)
				times = append(times, took)
				switch {
				case err != nil:
					failed++
					t.Errorf("%s: %s: %v", filepath.Base(file), tool.Name, err)
				case len(s.Warnings()) > 0:
					partial++
					t.Logf("%s: %s: %v", filepath.Base(file), tool.Name, s.Warnings())
				}
			}
		}
	}
	slices.Sort(times)
	t.Logf("%d schemas: %d compile, of them %d in part; p50 %v, p99 %v, worst %v", schemas, schemas-failed, partial,
		times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
}

// compileTimed compiles raw thrice and returns the best time: the machine has other
// things to do.
func compileTimed(raw json.RawMessage) (s *validate.Schema, took time.Duration, err error) {
	took = time.Hour
	for range 3 {
		start := time.Now()
		s, err = validate.Compile(raw, validate.Options{})
		took = min(took, time.Since(start))
	}
	return s, took, err
}

package drift_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"
)

// dumpVariable names a file for the pairs of arguments that TestSound judges, one
// a line, for testdata/jsoncompat.mjs to judge by another program.
const dumpVariable = "MCPBIND_DRIFT_DUMP"

// A sideBySide writes that file; the nil one writes nothing.
type sideBySide struct{ out *bufio.Writer }

func newSideBySide(t *testing.T) *sideBySide {
	name := os.Getenv(dumpVariable)
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &sideBySide{bufio.NewWriter(f)}
	t.Cleanup(func() {
		if err := s.out.Flush(); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// add writes a pair, our answer, and whether a value was found that shows it to
// break: one that callers may send, and any value that is valid by the old schema.
func (s *sideBySide) add(t *testing.T, r *rand.Rand, p pair, compatible, shown bool) {
	if s == nil {
		return
	}
	broken := shown
	for i := 0; i < hunt && !broken; i++ {
		from, other := p.before, p.after
		if i%2 == 1 {
			from, other = p.after, p.before
		}
		x := maker{r, from, true}.value(from, other, 0)
		broken = p.old.valid(x) && !p.now.valid(x)
	}
	line, err := json.Marshal(map[string]any{
		"old": p.before, "new": p.after, "compatible": compatible, "brokenForCallers": shown, "broken": broken,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.out.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

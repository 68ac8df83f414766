package cases

import (
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// TestCases runs every case twice: with unknown keys kept and exact numbers,
// which is the run that counts, and with neither, which is reported beside it.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some 700 packages: skipped by -short")
	}
	// A checkout without the shared data is fine; a name for it that leads nowhere
	// is not.
	root := os.Getenv(testshared.Variable)
	if root == "" {
		root = testshared.Dir(t)
	}
	folders, missing, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range missing {
		fmt.Printf("%s: skipped: no such folder\n", name)
	}
	t.Run("exact", func(t *testing.T) {
		fmt.Println("keep_unknown: true, numbers: exact (this run counts)")
		run(t, folders, lower.Options{KeepUnknown: true, Numbers: lower.NumbersExact}, true)
	})
	t.Run("native", func(t *testing.T) {
		fmt.Println("neither (reported only)")
		run(t, folders, lower.Options{}, false)
	})
}

// A value is one value of a case, and what is expected of it.
type value struct {
	Output bool
	JSON   string
	keep   bool // it must survive; else it must be refused
}

type job struct {
	ID           string
	InputSchema  json.RawMessage `json:",omitempty"`
	OutputSchema json.RawMessage `json:",omitempty"`
	Formats      bool
	Values       []value
}

// An answer is what the driver says about a value; see testdata/driver.go.txt.
type answer struct {
	Encoded, Refused, Invalid, Fault string
	Took                             time.Duration
	Allocated                        uint64
}

func (c *testCase) values() []value {
	var out []value
	add := func(list []json.RawMessage, output, keep bool) {
		for _, v := range list {
			out = append(out, value{output, string(v), keep})
		}
	}
	add(c.Accept, false, true)
	add(c.Reject, false, false)
	add(c.AcceptOutput, true, true)
	add(c.RejectOutput, true, false)
	for _, v := range c.AcceptRaw {
		out = append(out, value{false, v, true})
	}
	for _, v := range c.RejectRaw {
		out = append(out, value{false, v, false})
	}
	return out
}

func run(t *testing.T, folders []folder, options lower.Options, counts bool) {
	alone := generateAlone(t, options)
	var all []*built
	for _, f := range folders {
		for _, c := range f.cases {
			all = append(all, generate(c, len(all), options, alone))
		}
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := compile(t, dir, root, all)
	answers := ask(t, dir, program, all)
	imp := exports(t, dir)

	next := 0
	for _, f := range folders {
		report(t, f, all[next:next+len(f.cases)], answers, imp, counts && !f.optional)
		next += len(f.cases)
	}
}

func ask(t *testing.T, dir, program string, all []*built) map[string][]answer {
	t.Helper()
	var jobs []job
	for _, b := range all {
		if b.method != "" {
			jobs = append(jobs, job{ID: b.id(), InputSchema: b.Tool.InputSchema, OutputSchema: b.Tool.OutputSchema,
				Formats: b.AssertFormat, Values: b.values()})
		}
	}
	out, err := command(t, dir, mustJSON(jobs), program)
	if err != nil {
		t.Fatal(err)
	}
	var answers map[string][]answer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// minTyped is the share of positions, in percent, that must be typed where all
// schemas say what they mean: in cases/report and cases/nasty.
const minTyped = 98

// A tally adds up one folder.
type tally struct {
	passes, keep, kept, refuse, refused, positions, typed int
	short                                                 []string
}

func report(t *testing.T, f folder, all []*built, answers map[string][]answer, imp types.Importer, counts bool) {
	t.Helper()
	var sum tally
	for _, b := range all {
		sum.add(b, answers[b.id()], imp)
	}
	fmt.Printf("%s: %d of %d full passes, %d of %d values kept, %d of %d refused, %d of %d positions typed\n",
		f.name, sum.passes, len(all), sum.kept, sum.keep, sum.refused, sum.refuse, sum.typed, sum.positions)
	for _, line := range sum.short {
		fmt.Println("  " + line)
	}
	if !counts {
		return
	}
	if sum.passes < len(all) {
		t.Errorf("%s: %d of %d cases fall short", f.name, len(all)-sum.passes, len(all))
	}
	if (f.name == "cases/report" || f.name == "cases/nasty") && sum.typed*100 < sum.positions*minTyped {
		t.Errorf("%s: %d of %d positions are typed, wanted %d %%", f.name, sum.typed, sum.positions, minTyped)
	}
}

func (s *tally) add(b *built, answers []answer, imp types.Importer) {
	var reasons []string
	if b.fault != "" {
		reasons = append(reasons, b.fault)
	}
	for i, v := range b.values() {
		reason := "no answer"
		if i < len(answers) {
			reason = judge(b, v, answers[i])
		}
		if v.keep {
			s.keep++
		} else {
			s.refuse++
		}
		switch {
		case reason != "":
			reasons = append(reasons, reason)
		case v.keep:
			s.kept++
		default:
			s.refused++
		}
	}
	p, err := s.count(b, imp)
	if err != nil {
		reasons = append(reasons, "positions cannot be counted: "+err.Error())
	} else if b.wantsRefusal() {
		reasons = append(reasons, b.refusal(p)...)
	}
	if len(reasons) == 0 {
		s.passes++
	} else {
		s.short = append(s.short, b.File+": "+strings.Join(reasons, "; "))
	}
	for _, ptr := range p.untyped() {
		s.short = append(s.short, fmt.Sprintf("%s: %s is not typed: %s", b.File, ptr, b.why(ptr)))
	}
}

// count adds the positions of b, of which there are none without code.
func (s *tally) count(b *built, imp types.Importer) (*positions, error) {
	if b.method == "" {
		return &positions{}, nil
	}
	p, err := measure(b, imp)
	if err != nil {
		return &positions{}, err
	}
	typed, all := p.count()
	s.typed, s.positions = s.typed+typed, s.positions+all
	return p, nil
}

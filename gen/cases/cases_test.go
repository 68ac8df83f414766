package cases

import (
	"encoding/json"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

func openFile(name string) (io.ReadCloser, error) { return os.Open(name) }

// TestCases runs every case twice: with unknown keys kept and exact numbers,
// which is the run that counts, and with neither, which is reported beside it.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some 700 packages: skipped by -short")
	}
	root := testshared.Dir(t)
	folders := load(t, root)
	if len(folders) == 0 {
		t.Fatalf("no folder of cases below %s", root)
	}
	t.Run("exact", func(t *testing.T) {
		run(t, folders, lower.Options{KeepUnknown: true, Numbers: lower.NumbersExact}, true)
	})
	t.Run("native", func(t *testing.T) {
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

type answer struct {
	Encoded, Refused, Invalid string
	Took                      time.Duration
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
	var all []*built
	for _, f := range folders {
		for _, c := range f.cases {
			all = append(all, generate(c, len(all), options))
		}
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	writeModule(t, dir, root, all)
	program := filepath.Join(dir, "driver.exe")
	if _, err := goCommand(t, dir, "build", "-o", program, "."); err != nil {
		t.Fatalf("the generated packages do not compile: %v", err)
	}
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
	if counts && sum.passes < len(all) {
		t.Errorf("%s: %d of %d cases fall short", f.name, len(all)-sum.passes, len(all))
	}
}

func (s *tally) add(b *built, answers []answer, imp types.Importer) {
	var reasons []string
	if b.fault != "" {
		reasons = append(reasons, b.fault)
	}
	if b.wantsRefusal() {
		if reason := b.refusal(); reason != "" {
			reasons = append(reasons, reason)
		}
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
	if len(reasons) == 0 {
		s.passes++
	} else {
		s.short = append(s.short, b.File+": "+strings.Join(reasons, "; "))
	}
	if b.files == nil {
		return
	}
	p, err := measure(b, imp)
	if err != nil {
		s.short = append(s.short, b.File+": positions cannot be counted: "+err.Error())
		return
	}
	typed, positions := p.count()
	s.typed, s.positions = s.typed+typed, s.positions+positions
	for _, ptr := range p.untyped() {
		s.short = append(s.short, fmt.Sprintf("%s: %s is not typed: %s", b.File, ptr, b.why(ptr)))
	}
}

// judge returns why a value falls short, "" when it does not.
func judge(b *built, v value, a answer) string {
	bounded := b.Expect == "bounded"
	switch {
	case strings.Contains(a.Refused, "panics"):
		return fmt.Sprintf("%s: %s", v.JSON, a.Refused)
	case a.Took > 1100*time.Millisecond:
		return fmt.Sprintf("%s: validation took %s", v.JSON, a.Took)
	case bounded:
		return "" // refused or left unvalidated, in time
	case !v.keep && a.Refused == "" && a.Invalid == "":
		return v.JSON + " is not refused"
	case !v.keep:
		return ""
	case a.Refused != "":
		return fmt.Sprintf("%s is refused: %s", v.JSON, a.Refused)
	case a.Invalid != "":
		return fmt.Sprintf("%s is called invalid: %s", v.JSON, a.Invalid)
	}
	want, err := schema.Parse([]byte(v.JSON))
	if err != nil {
		return fmt.Sprintf("%s: %v", v.JSON, err)
	}
	got, err := schema.Parse([]byte(a.Encoded))
	if err != nil {
		return fmt.Sprintf("%s becomes %s: %v", v.JSON, a.Encoded, err)
	}
	if !schema.Equal(got, want) {
		return fmt.Sprintf("%s becomes %s", v.JSON, a.Encoded)
	}
	return ""
}

// refusal returns what is wrong with the diagnostics of a bad definition.
func (b *built) refusal() string {
	for _, d := range b.diagnostics {
		if d.Tool == b.tool() && strings.HasPrefix(d.Pointer, "/inputSchema") {
			return ""
		}
	}
	if b.Expect == "reject-or-last-wins" {
		return ""
	}
	return "no diagnostic names the tool and the pointer"
}

// why finds the diagnostic for the position at ptr or above it.
func (b *built) why(ptr string) string {
	best, text := -1, "no diagnostic"
	for _, d := range b.diagnostics {
		if d.Tool == b.tool() && strings.HasPrefix(ptr, d.Pointer) && len(d.Pointer) > best {
			best, text = len(d.Pointer), fmt.Sprintf("%s at %s: %s", d.Code, d.Pointer, d.Message)
		}
	}
	return text
}

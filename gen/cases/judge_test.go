package cases

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// validationTime is how long the registry may take over one value on the slowest
// machine: its context ends after ten seconds. What validation costs is measured
// where it is written.
const validationTime = 30 * time.Second

// judge returns why a value falls short, "" when it does not.
func judge(b *built, v value, a answer) string {
	switch {
	case a.Fault != "":
		return fmt.Sprintf("%s: %s", v.JSON, a.Fault)
	case a.Took > validationTime:
		return fmt.Sprintf("%s: validation took %s", v.JSON, a.Took.Round(time.Millisecond))
	case a.Allocated > maxMemory:
		return fmt.Sprintf("%s: decoding and validation allocated %d MiB", v.JSON, a.Allocated>>20)
	case !v.keep && b.Expect == "bounded":
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

// refusal returns what is wrong with how a bad definition was received: some
// diagnostic must name the tool and the place, and whatever lost its type must
// have lost it to a diagnostic of its own, so that no more was given up than
// could not be read.
func (b *built) refusal(p *positions) []string {
	var reasons []string
	if b.Expect != "reject-or-last-wins" && len(b.about("/inputSchema"))+len(b.about("/outputSchema")) == 0 {
		reasons = append(reasons, "no diagnostic names the tool and the pointer")
	}
	for _, ptr := range p.untyped() {
		if !b.blamed(ptr, p) {
			reasons = append(reasons, ptr+" was given up, and no diagnostic is about it")
		}
	}
	return reasons
}

// blamed reports whether a diagnostic accounts for the lost type at ptr: one at
// it, above it (where the whole place was given up), or below it with no other
// position between.
func (b *built) blamed(ptr string, p *positions) bool {
	for _, d := range b.diagnostics {
		if d.Tool != b.tool() || d.Pointer == "" {
			continue
		}
		if d.Pointer == ptr {
			return true
		}
		if above, isPosition := p.typed[d.Pointer]; strings.HasPrefix(ptr, d.Pointer+"/") && (!isPosition || !above) {
			return true
		}
		if strings.HasPrefix(d.Pointer, ptr+"/") && !p.between(ptr, d.Pointer) {
			return true
		}
	}
	return false
}

// between reports whether a position lies below the one at ptr, on the way to end.
func (p *positions) between(ptr, end string) bool {
	for other := range p.typed {
		if other != ptr && strings.HasPrefix(other, ptr+"/") && (other == end || strings.HasPrefix(end, other+"/")) {
			return true
		}
	}
	return false
}

// about lists the diagnostics of the case's tool at or below ptr.
func (b *built) about(ptr string) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range b.diagnostics {
		if d.Tool == b.tool() && (d.Pointer == ptr || strings.HasPrefix(d.Pointer, ptr+"/")) {
			out = append(out, d)
		}
	}
	return out
}

// why finds the diagnostic for the position at ptr: the nearest one at or above
// it, else the first below it.
func (b *built) why(ptr string) string {
	best, text := -1, "no diagnostic"
	for _, d := range b.diagnostics {
		if d.Tool == b.tool() && (ptr == d.Pointer || strings.HasPrefix(ptr, d.Pointer+"/")) && len(d.Pointer) > best {
			best, text = len(d.Pointer), describe(d)
		}
	}
	if below := b.about(ptr); best < 0 && len(below) > 0 {
		return describe(below[0])
	}
	return text
}

func describe(d diag.Diagnostic) string {
	return fmt.Sprintf("%s at %s: %s", d.Code, d.Pointer, d.Message)
}

// TestJudge makes sure that each of the harness's complaints can be made.
func TestJudge(t *testing.T) {
	plain, bounded := &built{testCase: &testCase{}}, &built{testCase: &testCase{Expect: "bounded"}}
	keep, refuse := value{JSON: `{"a":1.0}`, keep: true}, value{JSON: `{"a":1.0}`}
	for _, test := range []struct {
		b    *built
		v    value
		a    answer
		want string
	}{
		{plain, keep, answer{Encoded: `{"a":1}`}, ""},
		{plain, keep, answer{Encoded: `{"a":"1"}`}, `{"a":1.0} becomes {"a":"1"}`},
		{plain, keep, answer{Encoded: `{"a":1,"b":null}`}, `{"a":1.0} becomes {"a":1,"b":null}`},
		{plain, keep, answer{}, `{"a":1.0} becomes : `},
		{plain, keep, answer{Refused: "no"}, `{"a":1.0} is refused: no`},
		{plain, keep, answer{Encoded: `{"a":1}`, Invalid: "no"}, `{"a":1.0} is called invalid: no`},
		{plain, refuse, answer{Encoded: `{"a":1}`}, `{"a":1.0} is not refused`},
		{plain, refuse, answer{Encoded: `{"a":1}`, Invalid: "no"}, ""},
		{plain, refuse, answer{Refused: "no"}, ""},
		{plain, refuse, answer{Refused: "no", Fault: "the codec panics"}, `{"a":1.0}: the codec panics`},
		{bounded, refuse, answer{Encoded: `{"a":1}`}, ""},
		{bounded, keep, answer{Refused: "no"}, `{"a":1.0} is refused: no`},
		{bounded, refuse, answer{Took: time.Minute}, `{"a":1.0}: validation took 1m0s`},
		{bounded, refuse, answer{Allocated: 1 << 30}, `{"a":1.0}: decoding and validation allocated 1024 MiB`},
	} {
		if got := judge(test.b, test.v, test.a); got != test.want && (test.want == "" || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%+v, %+v: got %q, want %q", test.v, test.a, got, test.want)
		}
	}
}

// TestRefusal does the same for bad definitions.
func TestRefusal(t *testing.T) {
	p := &positions{typed: map[string]bool{"/inputSchema/properties/a": true, "/inputSchema/properties/b": false}}
	for _, test := range []struct {
		pointer string
		want    int
	}{
		{"/inputSchema", 0},
		{"/inputSchema/properties/b", 0},
		{"/inputSchema/properties/b/$ref", 0},
		{"/inputSchema/properties/a", 1},
		{"/inputSchema/properties/bb", 1},
		{"", 2},
	} {
		b := &built{testCase: &testCase{File: "x", Expect: "reject"}}
		b.diagnostics = []diag.Diagnostic{{Tool: b.tool(), Pointer: test.pointer}}
		if got := b.refusal(p); len(got) != test.want {
			t.Errorf("diagnostic at %q: %q", test.pointer, got)
		}
	}
}

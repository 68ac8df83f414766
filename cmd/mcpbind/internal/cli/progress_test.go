package cli

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/config"
)

func twoTargets() []target {
	return []target{{Entry: config.Entry{Name: "a"}}, {Entry: config.Entry{Name: "b"}}}
}

// Elsewhere than on a terminal lines come in order of name, whoever is first.
func TestProgressInOrder(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&stream{w: &out}, twoTargets())
	p.phase(0, "connecting")
	p.phase(1, "connecting")
	p.done(1, "b: done\n", 0)
	if out.Len() > 0 {
		t.Errorf("b is printed before a: %q", out.String())
	}
	p.done(0, "a: done\n", 0)
	p.close()
	if want := "a: done\nb: done\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// On a terminal the block is erased before it is drawn again, and what a server
// is called cannot reach the terminal as a command.
func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&stream{w: &out}, twoTargets())
	p.width = 40
	p.phase(0, "connecting")
	p.phase(1, "reading \x1b[2J\r\nx")
	p.done(0, "a: done\n", 0)
	p.done(1, "b: done\n", 0)
	p.close()
	got := regexp.MustCompile(`\(\d+\.\ds\)`).ReplaceAllString(out.String(), "(T)")
	if bytes.Contains([]byte(got), []byte("\x1b[2J")) {
		t.Errorf("a control sequence passes: %q", got)
	}
	if want := regexp.MustCompile(`^a: connecting \(T\)\n\x1b\[1A\x1b\[Ja: connecting \(T\)\nb: reading .*\n\x1b\[2A\x1b\[Ja: done \(T\)\nb: reading .*\n\x1b\[1A\x1b\[Jb: done \(T\)\n$`); !want.MatchString(got) {
		t.Errorf("drawn: %q", got)
	}
}

// A row without a line leaves none: what failed is in the report that follows.
func TestProgressLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&stream{w: &out}, twoTargets())
	p.width = 40
	p.phase(0, "connecting")
	out.Reset()
	p.done(0, "", 0)
	p.close()
	if want := "\x1b[1A\x1b[J"; out.String() != want {
		t.Errorf("drawn: %q, want %q", out.String(), want)
	}
}

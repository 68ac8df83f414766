package validate

import (
	"regexp"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A pattern is an ECMA-262 regular expression. One that means the same in RE2 runs
// there, in linear time; the others run on a backtracking engine under a time limit.
type pattern struct {
	source  string
	unknown bool // no engine can run it: it decides nothing
	linear  *regexp.Regexp
	size    int // of linear, about the number of its states
	slow    *regexp2.Regexp
}

const (
	maxPatternBytes  = 4096
	maxPatternStates = 20_000  // of one pattern in RE2
	maxPatternsTotal = 200_000 // of one schema's patterns

	// slowTimeout is how long one match on the backtracking engine may take. The
	// engine looks at the clock every 100 ms, so that a match may take 250 ms.
	slowTimeout = 50 * time.Millisecond
	// slowStep is the time on the backtracking engine that costs one step.
	slowStep = 5 * time.Microsecond
	// slowSize is what a pattern on the backtracking engine counts for.
	slowSize = 200
)

// pattern compiles source, which stands at. One that cannot be run decides nothing.
func (c *compiler) pattern(at schema.Node, source string) *pattern {
	p := newPattern(source)
	switch c.patterns += p.size; {
	case p.unknown:
		c.note(at, "the pattern is no regular expression that can be run here")
	case c.patterns > maxPatternsTotal:
		c.note(at, "the patterns of the schema are too large together")
		return &pattern{source: source, unknown: true}
	}
	return p
}

func newPattern(source string) *pattern {
	p := &pattern{source: source}
	if len(source) > maxPatternBytes {
		p.unknown = true
		return p
	}
	if text, size, ok := toRE2(source); ok && size <= maxPatternStates {
		if re, err := regexp.Compile(text); err == nil {
			p.linear, p.size = re, size
			return p
		}
	}
	p.size = slowSize
	p.slow = compileSlow(source)
	p.unknown = p.slow == nil
	return p
}

// compileSlow compiles source as JSON Schema asks (the u flag), or else as a
// browser would without it: people escape more than u allows.
func compileSlow(source string) (re *regexp2.Regexp) {
	defer func() {
		if recover() != nil {
			re = nil
		}
	}()
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		if re, err := regexp2.Compile(source, options); err == nil {
			re.MatchTimeout = slowTimeout
			return re
		}
	}
	return nil
}

// match reports whether s has a match. A pattern that cannot be run has one, in doubt.
func (e *evaluation) match(p *pattern, s string) bool {
	switch {
	case p.unknown:
		return e.undecided(nil)
	case p.linear != nil:
		e.spend(1 + len(s)*p.size/256)
		return p.linear.MatchString(s)
	}
	start := time.Now()
	matched, err := p.slow.MatchString(s)
	e.spend(1 + int(time.Since(start)/slowStep))
	if err != nil {
		e.abandon("a pattern took too long")
	}
	return matched
}

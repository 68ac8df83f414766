package lower

import (
	"github.com/dlclark/regexp2/v2"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// Bounds on the patterns of one schema that are looked at. No honest schema
// comes near; what is beyond goes unsaid.
const (
	maxPattern       = 4 << 10  // bytes; the runtime runs none that is longer
	maxPatterns      = 64 << 10 // bytes of all different ones
	maxPatternSearch = 32 << 20 // bytes of the pointers to the schemas that are searched for them
)

// A patternSearch finds the patterns of a schema that nobody can match against.
// They say nothing about the Go type, but a caller is to know that no value is
// checked by them.
type patternSearch struct {
	s        *side
	known    map[string]bool // pattern -> it is a regular expression
	read     int             // bytes of known
	searched int
}

func (p *patternSearch) visit(n schema.Node) bool {
	if p.searched += 64 + len(n.Pointer); p.searched > maxPatternSearch {
		return false
	}
	if n.Value.Kind != schema.Object {
		return true
	}
	if at := n.Value.Get("pattern"); at != nil {
		if at.Kind == schema.String {
			p.judge(n.Child("pattern"), at.Text)
		} else {
			p.s.malformed(n.Child("pattern"), "pattern takes a string")
		}
	}
	if keyed := n.Value.Get("patternProperties"); keyed != nil && keyed.Kind == schema.Object {
		for _, m := range keyed.Members {
			p.judge(n.Child("patternProperties"), m.Name)
		}
	}
	for sub := range n.Subschemas() {
		if !p.visit(sub) {
			return false
		}
	}
	return true
}

func (p *patternSearch) judge(at schema.Node, pattern string) {
	ok, known := p.known[pattern]
	if !known {
		if p.read += min(len(pattern), maxPattern); p.read > maxPatterns {
			return
		}
		ok = isPattern(pattern)
		p.known[pattern] = ok
	}
	if !ok {
		p.s.say(diag.Warning, CodeBadPattern, at.Pointer, quoted(pattern)+" is no regular expression that can be run")
	}
}

// isPattern reports whether text is a regular expression of ECMA-262, with the
// u flag as JSON Schema asks, or without it as people write.
func isPattern(text string) (ok bool) {
	if len(text) > maxPattern {
		return false
	}
	defer func() {
		if recover() != nil {
			ok = false // the parser is a guest here
		}
	}()
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript | regexp2.Unicode, regexp2.ECMAScript} {
		if _, err := regexp2.Compile(text, options); err == nil {
			return true
		}
	}
	return false
}

package drift

import (
	"fmt"
	"slices"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// A Grade says whom a change breaks. Lower grades are worse.
type Grade uint8

// The grades, in order.
const (
	Call      Grade = iota + 1 // today's callers break at run time
	Privilege                  // an annotation turned from safe to dangerous
	Source                     // regenerated Go breaks the code of callers
	Doc                        // only what is said about the tool has changed
	Safe                       // nobody breaks
)

var gradeNames = [...]string{Call: "call", Privilege: "privilege", Source: "source", Doc: "doc", Safe: "safe"}

// Grades lists all grades in order.
func Grades() []Grade { return []Grade{Call, Privilege, Source, Doc, Safe} }

// String returns the grade's name, like "call".
func (g Grade) String() string {
	if g < Call || g > Safe {
		return fmt.Sprintf("Grade(%d)", uint8(g))
	}
	return gradeNames[g]
}

// MarshalText implements [encoding.TextMarshaler].
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (g *Grade) UnmarshalText(text []byte) error {
	i := slices.Index(gradeNames[:], string(text))
	if i < int(Call) {
		return fmt.Errorf("grade %.20q is none of call, privilege, source, doc, safe", text)
	}
	*g = Grade(i)
	return nil
}

// A Code names a rule. Codes are stable: what has one keeps it.
type Code string

// A Change is one difference between two versions of a tool.
type Change struct {
	Tool    string  // wire name
	Pointer string  // place in the tool object, RFC 6901; "" is the tool
	Grades  []Grade // in order, at least one
	Code    Code
	Before  string // what stood there, in short; "" for nothing. Safe to print, as is After
	After   string
	Message string // what changed, in our own words
	Hint    string // what to do, or what it means; may be ""
	Unknown bool   // the rule could not decide, and the change is treated as breaking
}

// Grade returns the worst grade of c.
func (c Change) Grade() Grade { return c.Grades[0] }

// Worst returns the worst grade among changes, [Safe] when there are none.
func Worst(changes []Change) Grade {
	worst := Safe
	for _, c := range changes {
		worst = min(worst, c.Grade())
	}
	return worst
}

// maxText is how many runes of a server's text a change quotes.
const maxText = 100

// short makes server text fit for Before and After.
func short(s string) string { return safetext.LineN(s, maxText) }

func newChange(code Code, pointer, before, after string) Change {
	r := rules[code]
	return Change{
		Pointer: pointer,
		Grades:  []Grade{r.Grade},
		Code:    code,
		Before:  short(before),
		After:   short(after),
		Message: r.Message,
		Hint:    r.Hint,
		Unknown: r.Unknown,
	}
}

package validate

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpbind/mcpbind/internal/schema"
)

const (
	maxSteps    = 100_000 // of one evaluation; a step is one schema met by one value
	maxNesting  = 2_000   // schemas within schemas, over references
	stepsPerAsk = 256     // between looks at the context
)

// An evaluation is one value on its way through one schema. It answers true or
// false at once, or, when reporting, goes on to the end and collects violations.
// It is left by a panic with a halt, so that no caller in between can forget it.
type evaluation struct {
	ctx       context.Context
	steps     int // left
	asked     int // steps left when the context was last looked at
	nesting   int
	reporting bool
	shallow   bool // while reporting: say no more of a union than that it fails
	inverted  int  // how many enclosing keywords can turn a wrong yes into a wrong no
	path      []token
	scope     []*resource // that led here, outermost first
	found     *findings   // set when reporting
}

// A token is one step from a value to a value in it.
type token struct {
	name  string
	index int // of an item, when name does not count
	item  bool
}

type halt struct{ err error }

func newEvaluation(ctx context.Context) *evaluation {
	return &evaluation{ctx: ctx, steps: maxSteps, asked: maxSteps + stepsPerAsk}
}

// abandon ends the evaluation without an answer.
func (e *evaluation) abandon(reason string) {
	panic(halt{fmt.Errorf("%w: %s", ErrBudget, reason)})
}

// undecided is called where a part of the schema cannot be decided and is taken to
// hold. Where that could make a valid value invalid, the evaluation is given up.
func (e *evaluation) undecided(reason string) {
	if e.inverted > 0 {
		e.abandon("its validity depends on " + reason)
	}
}

// recovered turns what recover returned into the error of the evaluation.
func (e *evaluation) recovered(r any) error {
	switch r := r.(type) {
	case nil:
		return nil
	case halt:
		return r.err
	default:
		return fmt.Errorf("%w: the validator failed", ErrBudget)
	}
}

// spend takes n steps from the budget and now and then looks at the context.
func (e *evaluation) spend(n int) {
	if e.steps -= n; e.steps < 0 {
		e.abandon(fmt.Sprintf("it takes more than %d steps", maxSteps))
	}
	if e.asked-e.steps >= stepsPerAsk {
		e.asked = e.steps
		if err := e.ctx.Err(); err != nil {
			panic(halt{errors.Join(ErrBudget, context.Cause(e.ctx))})
		}
	}
}

// check reports whether v is valid against n. Into seen, when there is one, go the
// members and items of v that n evaluated; they count only when the answer is true.
func (e *evaluation) check(n *node, v *schema.Value, seen *marks) bool {
	e.spend(1)
	switch {
	case n.never:
		return e.fail(finding{message: "no value is allowed here"})
	case n.unknown != "":
		e.undecided("a part of its schema that cannot be read")
		seen.markAll()
		return true
	case !e.isOne(n, v):
		return false // what else is wrong with a value of another kind helps nobody
	}
	if e.nesting++; e.nesting > maxNesting {
		e.abandon("its schema refers to itself without end")
	}
	if seen == nil && n.tracks(v) {
		seen = newMarks(v)
	}
	depth := e.enter(n)
	ok := true
	for _, ref := range n.refs {
		ok = e.goOn(ok) && e.within(ref, v, seen) && ok
	}
	if n.dynamic != nil {
		ok = e.goOn(ok) && e.within(e.outermost(n.dynamic), v, seen) && ok
	}
	ok = e.goOn(ok) && e.byKind(n, v, seen) && ok
	ok = e.goOn(ok) && e.combined(n, v, seen) && ok
	ok = ok && e.unevaluated(n, v, seen)
	e.leave(depth)
	e.nesting--
	return ok
}

// goOn reports whether to look further after the answer ok.
func (e *evaluation) goOn(ok bool) bool { return ok || e.reporting }

// within checks v itself against a schema inside the one it is checked against.
func (e *evaluation) within(n *node, v *schema.Value, seen *marks) bool {
	if seen == nil {
		return e.check(n, v, nil)
	}
	own := newMarks(v)
	ok := e.check(n, v, own)
	if ok {
		seen.merge(own)
	}
	return ok
}

// quietly checks like within, but collects no violations.
func (e *evaluation) quietly(n *node, v *schema.Value, seen *marks) bool {
	reporting := e.reporting
	e.reporting = false
	ok := e.within(n, v, seen)
	e.reporting = reporting
	return ok
}

// invertedly checks quietly where a wrong yes could lead to a wrong no.
func (e *evaluation) invertedly(n *node, v *schema.Value, seen *marks) bool {
	e.inverted++
	ok := e.quietly(n, v, seen)
	e.inverted--
	return ok
}

// byKind applies the keywords that are for values of v's kind.
func (e *evaluation) byKind(n *node, v *schema.Value, seen *marks) bool {
	switch {
	case v.Kind == schema.Object && n.object != nil:
		return e.object(n.object, v, seen)
	case v.Kind == schema.Array && n.array != nil:
		return e.array(n.array, v, seen)
	case v.Kind == schema.String && (n.text != nil || n.format != nil):
		return e.text(n, v.Text)
	case v.Kind == schema.Number && n.number != nil:
		return e.number(n.number, v.Text)
	}
	return true
}

// combined applies the keywords that combine schemas.
func (e *evaluation) combined(n *node, v *schema.Value, seen *marks) bool {
	ok := true
	for _, part := range n.allOf {
		ok = e.goOn(ok) && e.within(part, v, seen) && ok
	}
	if len(n.anyOf) > 0 {
		ok = e.goOn(ok) && e.anyOf(n, v, seen) && ok
	}
	if len(n.oneOf) > 0 {
		ok = e.goOn(ok) && e.oneOf(n, v, seen) && ok
	}
	if n.not != nil && e.goOn(ok) && e.invertedly(n.not, v, nil) {
		ok = e.fail(finding{message: forbidden(n.not)})
	}
	if n.cond != nil && e.goOn(ok) {
		ok = e.conditional(n, v, seen) && ok
	}
	return ok
}

func (e *evaluation) anyOf(n *node, v *schema.Value, seen *marks) bool {
	matched := false
	for _, form := range n.anyOf {
		if e.quietly(form, v, seen) {
			if matched = true; seen == nil {
				break
			}
		}
	}
	return matched || e.failForms(n.anyOf, v)
}

func (e *evaluation) oneOf(n *node, v *schema.Value, seen *marks) bool {
	matched := -1
	for i, form := range n.oneOf {
		if !e.invertedly(form, v, seen) {
			continue
		}
		if matched >= 0 {
			return e.fail(finding{message: fmt.Sprintf(
				"matches forms %d and %d, but must match exactly one of the %d allowed forms", matched+1, i+1, len(n.oneOf))})
		}
		matched = i
	}
	return matched >= 0 || e.failForms(n.oneOf, v)
}

func (e *evaluation) conditional(n *node, v *schema.Value, seen *marks) bool {
	branch := n.other
	if e.invertedly(n.cond, v, seen) {
		branch = n.then
	}
	return branch == nil || e.within(branch, v, seen)
}

// push and pop move to a value inside the present one, and back.
func (e *evaluation) push(t token) { e.path = append(e.path, t) }
func (e *evaluation) pop()         { e.path = e.path[:len(e.path)-1] }

// child checks the value that t leads to.
func (e *evaluation) child(n *node, t token, v *schema.Value) bool {
	e.push(t)
	ok := e.check(n, v, nil)
	e.pop()
	return ok
}

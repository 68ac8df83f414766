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
	doubts    int // how often something undecided was taken to hold, and it counts
	reporting bool
	shallow   bool // while reporting: say no more of a union than that it fails
	path      []token
	visits    []visit              // under way, outermost first
	circles   int                  // how many visits were found to be under way already
	rounds    map[visit]int        // how many led into a circle; or refused
	scope     *scope               // that led here
	scopes    map[*resource]*scope // those of one resource
	found     *findings            // set when reporting
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

// undecided is called where a part of the schema cannot be decided. It answers yes,
// with a doubt: keywords that would make a no of that yes must see to it that a
// value is refused only for what is certain. A no is always certain.
func (e *evaluation) undecided(seen *marks) bool {
	e.doubts++
	seen.doubtAll()
	return true
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
		return e.failText(func() string { return "no value is allowed here" })
	case n.unknown != "":
		return e.undecided(seen)
	case !e.isOne(n, v):
		return false // what else is wrong with a value of another kind helps nobody
	}
	if e.nesting++; e.nesting > maxNesting {
		e.abandon(fmt.Sprintf("its schemas are nested deeper than %d", maxNesting))
	}
	scope, before := e.scope, e.doubts
	e.enter(n.resource)
	ok := e.visit(n, v, seen)
	if !ok {
		e.doubts = before
	}
	e.scope = scope
	e.nesting--
	return ok
}

// apply applies the keywords of n.
func (e *evaluation) apply(n *node, v *schema.Value, seen *marks) bool {
	if seen == nil && n.tracks(v) {
		seen = newMarks(v)
	}
	ok := true
	if n.partial {
		ok = e.undecided(nil)
	}
	for _, ref := range n.refs {
		ok = e.goOn(ok) && e.within(ref, v, seen) && ok
	}
	if n.dynamic != nil {
		ok = e.goOn(ok) && e.within(e.outermost(n.dynamic), v, seen) && ok
	}
	ok = e.goOn(ok) && e.byKind(n, v, seen) && ok
	ok = e.goOn(ok) && e.combined(n, v, seen) && ok
	return ok && e.unevaluated(n, v, seen)
}

// goOn reports whether to look further after the answer ok.
func (e *evaluation) goOn(ok bool) bool { return ok || e.reporting }

// within checks v itself against a schema inside the one it is checked against.
func (e *evaluation) within(n *node, v *schema.Value, seen *marks) bool {
	if seen == nil {
		return e.check(n, v, nil)
	}
	own := newMarks(v)
	e.spend(len(own.seen) / 64) // making and merging them
	ok := e.check(n, v, own)
	if ok {
		seen.merge(own)
	}
	return ok
}

// quietly checks like within, but collects no violations, and leaves it to the
// caller to make something of a doubt.
func (e *evaluation) quietly(n *node, v *schema.Value, seen *marks) verdict {
	reporting, before := e.reporting, e.doubts
	e.reporting = false
	ok := e.within(n, v, seen)
	doubtful := e.doubts > before
	e.reporting, e.doubts = reporting, before
	switch {
	case !ok:
		return no
	case doubtful:
		return perhaps
	}
	return yes
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
	if n.not != nil && e.goOn(ok) {
		ok = e.not(n.not, v) && ok
	}
	if n.cond != nil && e.goOn(ok) {
		ok = e.conditional(n, v, seen) && ok
	}
	return ok
}

func (e *evaluation) anyOf(n *node, v *schema.Value, seen *marks) bool {
	best := no
	for _, form := range n.anyOf {
		answer := e.quietly(form, v, seen)
		if answer == perhaps {
			seen.doubt()
		}
		if best = max(best, answer); best == yes && seen == nil {
			break
		}
	}
	return e.settle(best) || e.failForms(n.anyOf, v)
}

func (e *evaluation) oneOf(n *node, v *schema.Value, seen *marks) bool {
	matched, best := -1, no
	for i, form := range n.oneOf {
		answer := e.quietly(form, v, seen)
		switch {
		case answer == perhaps:
			best = perhaps
		case answer == no:
		case matched >= 0:
			return e.failText(func() string {
				return fmt.Sprintf("matches forms %d and %d, but must match exactly one of the %d allowed forms", matched+1, i+1, len(n.oneOf))
			})
		default:
			matched = i
		}
	}
	if matched >= 0 && best == no {
		best = yes
	}
	return e.settle(best) || e.failForms(n.oneOf, v)
}

func (e *evaluation) not(n *node, v *schema.Value) bool {
	answer := e.quietly(n, v, nil)
	if answer == yes {
		return e.failText(func() string { return e.forbidden(n) })
	}
	return e.settle(yes - answer)
}

func (e *evaluation) conditional(n *node, v *schema.Value, seen *marks) bool {
	branch := n.other
	switch e.quietly(n.cond, v, seen) {
	case yes:
		branch = n.then
	case perhaps: // what both branches refuse is refused
		e.doubts++
		seen.doubt()
		then, other := e.branch(n.then, v, seen), e.branch(n.other, v, seen)
		if then != no || other != no {
			return true
		}
	}
	return branch == nil || e.within(branch, v, seen)
}

func (e *evaluation) branch(n *node, v *schema.Value, seen *marks) verdict {
	if n == nil {
		return yes
	}
	return e.quietly(n, v, seen)
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

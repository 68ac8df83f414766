package validate

import (
	"iter"
	"slices"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A visit is one schema met by one value. References that lead back to a visit
// under way consume nothing of the value and could go on for ever.
type visit struct {
	node  *node
	value *schema.Value
	scope *scope
}

// maxRounds is how often a visit that leads into a circle may be made before it is
// one too: the ways through definitions that all refer to each other are without
// number. A refusal is not sought again: it is certain, whatever led here.
const (
	maxRounds = 8
	refused   = maxRounds + 1
)

// visit applies n to v. When that is under way already, the specification leaves
// the meaning open: the answer is undecided, as if n said nothing.
func (e *evaluation) visit(n *node, v *schema.Value, seen *marks) bool {
	if !n.leads {
		return e.apply(n, v, seen)
	}
	now := visit{n, v, e.scope}
	rounds := e.rounds[now]
	switch {
	case rounds == refused && !e.reporting:
		return false
	case rounds == maxRounds || e.underWay(now):
		e.circles++
		return e.undecided(seen)
	}
	circles := e.circles
	e.visits = append(e.visits, now)
	ok := e.apply(n, v, seen)
	e.visits = e.visits[:len(e.visits)-1]
	if e.circles > circles {
		if e.rounds == nil {
			e.rounds = make(map[visit]int)
		}
		e.rounds[now]++
		if !ok {
			e.rounds[now] = refused
		}
	}
	return ok
}

// underWay looks for now among the visits. Those of one value stand together.
func (e *evaluation) underWay(now visit) bool {
	for i := len(e.visits) - 1; i >= 0 && e.visits[i].value == now.value; i-- {
		if e.visits[i] == now {
			return true
		}
		if i%64 == 0 {
			e.spend(1)
		}
	}
	return false
}

// onSame yields the nodes that n applies to the same value, each as often as it does.
func (n *node) onSame() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for _, list := range [][]*node{n.refs, n.allOf, n.anyOf, n.oneOf, {n.not, n.cond, n.then, n.other}} {
			for _, to := range list {
				if to != nil && !yield(to) {
					return
				}
			}
		}
		if n.dynamic != nil && !yield(n.dynamic.target) {
			return
		}
		if n.object != nil {
			for _, d := range n.object.dependencies {
				if d.node != nil && !yield(d.node) {
					return
				}
			}
		}
	}
}

func (n *node) leadsOn() bool {
	for range n.onSame() {
		return true
	}
	return false
}

// warnOfCircles names the places at which references lead back to where they came
// from with nothing of the value consumed.
func (c *compiler) warnOfCircles() {
	places := make(map[*node]schema.Node, len(c.leading))
	for _, p := range c.leading {
		places[p.node] = p.at
	}
	type step struct {
		node *node
		next []*node
	}
	entered, under := make(map[*node]bool), make(map[*node]bool)
	for _, p := range c.leading {
		path := []step{{nil, []*node{p.node}}}
		for len(path) > 0 {
			last := &path[len(path)-1]
			if len(last.next) == 0 {
				delete(under, last.node)
				path = path[:len(path)-1]
				continue
			}
			to := last.next[0]
			last.next = last.next[1:]
			switch {
			case under[to]:
				c.note(places[last.node], "it leads back to itself, and is taken for anything there")
			case to.leads && !entered[to]:
				entered[to], under[to] = true, true
				path = append(path, step{to, slices.Collect(to.onSame())})
			}
		}
	}
}

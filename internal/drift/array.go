package drift

import (
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A listing is what a shape says about the items of a list.
type listing struct {
	prefix []*view // of the first positions
	rest   *view   // of the others
	low    int
	high   int // -1: no bound
}

// at returns the view of position i.
func (l listing) at(i int) *view {
	if i < len(l.prefix) {
		return l.prefix[i]
	}
	return l.rest
}

// has reports whether there may be a position i.
func (l listing) has(i int) bool { return l.high < 0 || i < l.high }

// maxPrefix bounds the positions of a tuple that are told apart.
const maxPrefix = 200

// listing reads prefixItems and items in either spelling.
func (c *comparer) listing(s *shape) listing {
	low, high := s.counts("minItems", "maxItems")
	l := listing{low: low, high: high}
	type share struct {
		prefix []schema.Node
		rest   schema.Node
	}
	var shares []share
	longest := 0
	for _, n := range s.nodes {
		items := n.Child("items")
		own := share{rest: items}
		if prefix := n.Child("prefixItems"); prefix.Value != nil && n.Dialect() >= schema.Draft2020 && readable("prefixItems", prefix.Value) {
			own.prefix = children(prefix)
		}
		if items.Value != nil && !readable("items", items.Value) {
			own.rest = schema.Node{}
		} else if items.Value != nil && items.Value.Kind == schema.Array {
			own.prefix, own.rest = children(items), n.Child("additionalItems")
		}
		if own.rest.Value != nil && own.rest.Value.Kind == schema.Bool && !own.rest.Value.Bool && (l.high < 0 || l.high > len(own.prefix)) {
			l.high = len(own.prefix)
		}
		longest = max(longest, len(own.prefix))
		shares = append(shares, own)
	}
	longest = min(longest, maxPrefix)
	if l.high >= 0 {
		longest = min(longest, l.high)
	}
	place := func(i int, nodes []schema.Node) schema.Node {
		if len(nodes) > 0 {
			return nodes[0]
		}
		at := schema.Node{Pointer: s.v.place.Pointer + "/items"}
		if i >= 0 {
			at.Pointer += "/" + strconv.Itoa(i)
		}
		return at
	}
	for i := range longest {
		var nodes []schema.Node
		for _, own := range shares {
			if i < len(own.prefix) {
				nodes = append(nodes, own.prefix[i])
			} else if own.rest.Value != nil {
				nodes = append(nodes, own.rest)
			}
		}
		l.prefix = append(l.prefix, c.view(s.side, place(i, nodes), nodes...))
	}
	var nodes []schema.Node
	for _, own := range shares {
		if own.rest.Value != nil && (own.rest.Value.Kind != schema.Bool || own.rest.Value.Bool) {
			nodes = append(nodes, own.rest)
		}
		if len(own.prefix) > maxPrefix {
			nodes = append(nodes, own.prefix[maxPrefix:]...)
		}
	}
	l.rest = c.view(s.side, place(-1, nodes), nodes...)
	return l
}

func (c *comparer) array(o, n *shape) {
	old, now := c.listing(o), c.listing(n)
	c.ends(n, "minItems", "maxItems", old.low, old.high, now.low, now.high)
	if a, b := o.unique(), n.unique(); a != b {
		c.bound(n, a, "uniqueItems "+strconv.FormatBool(a), "uniqueItems "+strconv.FormatBool(b))
	}
	if c.relation == read && len(old.prefix) > 0 {
		c.tuple(n, old, now)
		return
	}
	from := old
	if c.relation == read {
		from = now
	}
	longest := max(len(old.prefix), len(now.prefix))
	for i := range longest {
		if from.has(i) {
			c.pair(old.at(i), now.at(i), position{})
		}
	}
	if from.has(longest) {
		c.pair(old.rest, now.rest, position{})
	}
}

// tuple compares what readers have as a struct with one field per position.
func (c *comparer) tuple(n *shape, old, now listing) {
	for i, was := range old.prefix {
		required := i < old.low
		if !now.has(i) {
			c.found(resultFieldRemoved, was.pointer(), strconv.Itoa(i), "")
			continue
		}
		if required && i >= now.low {
			c.found(resultFieldNowOptional, now.at(i).pointer(), "", "")
		}
		c.pair(was, now.at(i), position{optional: !required})
	}
	for i := len(old.prefix); i < len(now.prefix); i++ {
		c.beyond(n, old, now, i)
	}
	if now.has(max(len(old.prefix), len(now.prefix))) {
		c.beyond(n, old, now, max(len(old.prefix), len(now.prefix)))
	}
}

// beyond compares a position behind those that readers have fields for.
func (c *comparer) beyond(n *shape, old, now listing, i int) {
	if old.has(i) {
		c.pair(old.rest, now.at(i), position{})
		return
	}
	c.found(resultExtraClash, n.pointer(), strconv.Itoa(old.high)+" items", "more items")
}

func (s *shape) unique() bool {
	for _, n := range s.nodes {
		if v := n.Value.Get("uniqueItems"); v != nil && v.Kind == schema.Bool && v.Bool {
			return true
		}
	}
	return false
}

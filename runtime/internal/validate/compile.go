package validate

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// Bounds of one schema. The largest in a corpus of 3,801 real tools has 90 KiB.
const (
	maxSchemaBytes  = 1 << 20
	maxSchemaNodes  = 20_000
	maxPointerBytes = 4096
	maxWarnings     = 20
)

var (
	errTooManyNodes = fmt.Errorf("schema has more than %d subschemas", maxSchemaNodes)
	errLongPointer  = fmt.Errorf("schema has a path of more than %d bytes", maxPointerBytes)
)

// A compiler turns the schemas of one document into nodes, each once. It works
// off a queue: no chain of references can exhaust its stack.
type compiler struct {
	doc       *schema.Document
	formats   bool
	nodes     map[*schema.Value]*node
	queue     []pending
	leading   []pending // those filled whose nodes lead to others for the same value
	warnings  []string
	unread    int         // keywords that could not be read so far
	patterns  int         // size of all compiled patterns so far
	resources []*resource // nil unless there are dynamic references
	err       error
}

type pending struct {
	at   schema.Node
	node *node
}

func (c *compiler) compile(dynamic bool) (*node, error) {
	if dynamic {
		c.readResources()
	}
	root := c.node(c.doc.RootNode())
	for len(c.queue) > 0 && c.err == nil {
		next := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.fill(next.node, next.at)
		if next.node.leads = next.node.leadsOn(); next.node.leads {
			c.leading = append(c.leading, next)
		}
	}
	c.warnOfCircles()
	return root, c.err
}

// node returns the node of the schema at, to be filled in later.
func (c *compiler) node(at schema.Node) *node {
	if n, ok := c.nodes[at.Value]; ok {
		return n
	}
	n := &node{}
	c.nodes[at.Value] = n
	switch {
	case len(c.nodes) > maxSchemaNodes:
		c.err = errTooManyNodes
	case len(at.Pointer) > maxPointerBytes:
		c.err = errLongPointer
	}
	c.queue = append(c.queue, pending{at, n})
	return n
}

// warn notes that a keyword of the schema being filled cannot be read.
func (c *compiler) warn(at schema.Node, format string, args ...any) {
	c.unread++
	c.note(at, fmt.Sprintf(format, args...))
}

// note notes that a part of the schema is not enforced.
func (c *compiler) note(at schema.Node, reason string) string {
	if len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, fmt.Sprintf("%s: %s", safetext.LineN(at.Pointer, 200), reason))
	}
	return reason
}

// fill compiles the schema at into n.
func (c *compiler) fill(n *node, at schema.Node) {
	switch at.Value.Kind {
	case schema.Bool:
		n.never = !at.Value.Bool
		return
	case schema.Object:
	default:
		n.unknown = c.note(at, fmt.Sprintf("a JSON %s where a schema belongs", at.Value.Kind))
		return
	}
	if c.resources != nil {
		n.resource = c.resourceOf(at)
	}
	if at.Value.Get("$ref") != nil && at.Dialect().RefAlone() {
		c.reference(n, at, "$ref")
		return
	}
	before := c.unread
	for _, m := range at.Value.Members {
		if rule, ok := keywords[m.Name]; ok && at.Dialect() >= rule.from && at.Dialect() <= rule.to {
			rule.compile(c, n, at)
		}
	}
	n.partial = c.unread > before
	if n.array != nil && n.array.contains == nil {
		n.array.matches = span{} // minContains and maxContains mean nothing alone
	}
}

// reference adds the target of a keyword like $ref.
func (c *compiler) reference(n *node, at schema.Node, keyword string) {
	ref := at.Child(keyword)
	if ref.Value.Kind != schema.String {
		c.lost(n, ref, keyword+" is no string")
		return
	}
	target, err := c.doc.Resolve(at, ref.Value.Text)
	switch {
	case errors.Is(err, schema.ErrRemote):
		c.lost(n, ref, "it refers out of the schema, and nothing is ever fetched")
	case err != nil:
		c.lost(n, ref, "it refers to nothing in the schema")
	default:
		n.refs = append(n.refs, c.node(target))
	}
}

// lost adds a target to n that cannot be decided: what stands beside the reference
// counts all the same.
func (c *compiler) lost(n *node, ref schema.Node, reason string) {
	n.refs = append(n.refs, &node{unknown: c.note(ref, reason)})
}

// one compiles the schema under keyword.
func (c *compiler) one(at schema.Node, keyword string) *node { return c.node(at.Child(keyword)) }

// list compiles the array of schemas under keyword.
func (c *compiler) list(at schema.Node, keyword string) []*node {
	list := at.Child(keyword)
	if list.Value.Kind != schema.Array {
		c.warn(list, "%s is no array", keyword)
		return nil
	}
	nodes := make([]*node, 0, len(list.Value.Items))
	for i := range list.Value.Items {
		if c.err != nil {
			break
		}
		nodes = append(nodes, c.node(list.Child(strconv.Itoa(i))))
	}
	return nodes
}

// members calls each for every member of the object under keyword.
func (c *compiler) members(at schema.Node, keyword string, each func(name string, at schema.Node)) {
	object := at.Child(keyword)
	if object.Value.Kind != schema.Object {
		c.warn(object, "%s is no object", keyword)
		return
	}
	for _, m := range object.Value.Members {
		if c.err != nil {
			break
		}
		each(m.Name, object.Child(m.Name))
	}
}

// strings reads the array of strings at.
func (c *compiler) strings(at schema.Node) []string {
	if at.Value.Kind != schema.Array {
		c.warn(at, "a JSON %s where a list of names belongs", at.Value.Kind)
		return nil
	}
	var texts []string
	for _, item := range at.Value.Items {
		if item.Kind != schema.String {
			c.warn(at, "a name that is no string")
			continue
		}
		texts = append(texts, item.Text)
	}
	return texts
}

// number reads the number under keyword.
func (c *compiler) number(at schema.Node, keyword string) *decimal {
	v := at.Child(keyword)
	if v.Value.Kind != schema.Number {
		c.warn(v, "%s is no number", keyword)
		return nil
	}
	return new(parseDecimal(v.Value.Text))
}

// count reads the number of elements under keyword.
func (c *compiler) count(at schema.Node, keyword string) (int, bool) {
	d := c.number(at, keyword)
	if d == nil {
		return 0, false
	}
	n, ok := bound(*d)
	if !ok {
		c.warn(at.Child(keyword), "%s is no count", keyword)
	}
	return n, ok
}

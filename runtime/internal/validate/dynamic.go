package validate

import (
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A resource is the part of a document under one $id. Which $dynamicAnchor a
// $dynamicRef means depends on the resources that an evaluation came through. Only
// documents with such references have resources here.
type resource struct {
	pointer string
	anchors map[string]*node // by $dynamicAnchor; "" for $recursiveAnchor
}

// A dynamicRef is a reference whose target is the outermost of its anchor.
type dynamicRef struct {
	anchor string
	target *node // where it points without regard to who is asking
}

// maxResources bounds the resources of a document with dynamic references.
const maxResources = 100

var errTooManyResources = fmt.Errorf("schema has dynamic references and more than %d embedded resources", maxResources)

// readResources finds the resources of the document and their dynamic anchors.
func (c *compiler) readResources() {
	c.resources = []*resource{{anchors: make(map[string]*node)}}
	queue := []schema.Node{c.doc.RootNode()}
	for len(queue) > 0 && c.err == nil {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if at.Pointer != "" && isResource(at) {
			c.resources = append(c.resources, &resource{at.Pointer, make(map[string]*node)})
		}
		if len(c.resources) > maxResources {
			c.err = errTooManyResources
		}
		// The walk goes inwards, so the resource around at is known by now.
		anchors := c.resourceOf(at).anchors
		if v := at.Value.Get("$dynamicAnchor"); v != nil && v.Kind == schema.String {
			anchors[v.Text] = c.node(at)
		}
		if v := at.Value.Get("$recursiveAnchor"); v != nil && v.Bool {
			anchors[""] = c.node(at)
		}
		if len(at.Pointer) > maxPointerBytes {
			c.err = errLongPointer
		}
		for sub := range at.Subschemas() {
			queue = append(queue, sub)
		}
	}
}

func isResource(at schema.Node) bool {
	id := at.Value.Get("$id")
	return id != nil && id.Kind == schema.String && id.Text != "" && id.Text[0] != '#'
}

// resourceOf returns the innermost resource around at.
func (c *compiler) resourceOf(at schema.Node) *resource {
	best := c.resources[0]
	for _, r := range c.resources[1:] {
		inside := at.Pointer == r.pointer || strings.HasPrefix(at.Pointer, r.pointer+"/")
		if inside && len(r.pointer) > len(best.pointer) {
			best = r
		}
	}
	return best
}

// dynamicReference compiles $dynamicRef or $recursiveRef.
func (c *compiler) dynamicReference(n *node, at schema.Node, keyword, anchorKeyword string) {
	ref := at.Child(keyword)
	if ref.Value.Kind != schema.String {
		c.lost(n, ref, keyword+" is no string")
		return
	}
	target, err := c.doc.Resolve(at, ref.Value.Text)
	if err != nil {
		c.lost(n, ref, "it refers to nothing in the schema")
		return
	}
	_, anchor, _ := strings.Cut(ref.Value.Text, "#")
	own := target.Value.Get(anchorKeyword)
	dynamic := own != nil && (own.Bool && anchor == "" || own.Kind == schema.String && own.Text == anchor)
	if !dynamic {
		n.refs = append(n.refs, c.node(target))
		return
	}
	n.dynamic = &dynamicRef{anchor, c.node(target)}
}

// A scope is the resources that led to where an evaluation is; nil is none. There is
// one of each, so that equal scopes are equal pointers.
type scope struct {
	resource *resource
	outer    *scope
	size     int
	inner    map[*resource]*scope // with one resource more
}

// enter notes the resource that the evaluation is in now. Only the first of several
// stays counts.
func (e *evaluation) enter(r *resource) {
	if r == nil {
		return
	}
	for s := e.scope; s != nil; s = s.outer {
		if s.resource == r {
			return
		}
	}
	e.scope = e.inner(r)
}

// inner returns the present scope with r in it.
func (e *evaluation) inner(r *resource) *scope {
	all := &e.scopes
	size := 1
	if e.scope != nil {
		all, size = &e.scope.inner, e.scope.size+1
	}
	if *all == nil {
		*all = make(map[*resource]*scope)
	}
	if (*all)[r] == nil {
		(*all)[r] = &scope{resource: r, outer: e.scope, size: size}
	}
	return (*all)[r]
}

// outermost resolves r against the resources that led here.
func (e *evaluation) outermost(r *dynamicRef) *node {
	to := r.target
	if e.scope != nil {
		e.spend(e.scope.size / 8)
	}
	for s := e.scope; s != nil; s = s.outer {
		if n := s.resource.anchors[r.anchor]; n != nil {
			to = n
		}
	}
	return to
}

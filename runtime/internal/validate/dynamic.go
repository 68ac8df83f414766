package validate

import (
	"fmt"
	"slices"
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
		n.unknown = c.note(ref, keyword+" is no string")
		return
	}
	target, err := c.doc.Resolve(at, ref.Value.Text)
	if err != nil {
		n.unknown = c.note(ref, "it refers to nothing in the schema")
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

// enter notes the resource that the evaluation is in now; the caller gives back to
// leave what it returns. Only the first of several stays counts.
func (e *evaluation) enter(n *node) (depth int) {
	depth = len(e.scope)
	if n.resource != nil && !slices.Contains(e.scope, n.resource) {
		e.scope = append(e.scope, n.resource)
	}
	return depth
}

func (e *evaluation) leave(depth int) { e.scope = e.scope[:depth] }

// outermost resolves r against the resources that led here.
func (e *evaluation) outermost(r *dynamicRef) *node {
	e.spend(len(e.scope) / 8)
	for _, res := range e.scope {
		if n := res.anchors[r.anchor]; n != nil {
			return n
		}
	}
	return r.target
}

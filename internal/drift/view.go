package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// Bounds on what is looked at. The largest real schema needs a fiftieth.
const (
	maxBytes  = 4 << 20
	maxSteps  = 300_000
	maxShapes = 64  // ways to satisfy one place
	maxDepth  = 150 // places below each other
)

// A view is the effective schema at one place: everything that must hold there,
// with $ref and allOf followed. Two views with one key are the same.
type view struct {
	root    string      // "/inputSchema" or "/outputSchema"
	place   schema.Node // where it stands, before references were followed
	flat    flat
	key     string
	shapes  []*shape // see shapesOf
	crowded bool     // more than maxShapes; shapes is nil
	done    bool     // shapes has been filled
}

// pointer returns the place of v in the tool object.
func (v *view) pointer() string { return v.root + v.place.Pointer }

// A flat is a list of schemas that must all hold, each looked at by itself.
type flat struct {
	nodes  []schema.Node
	unions []union
	opaque []opaque // what is not understood about them
	never  bool     // nothing is valid
}

// A union is an anyOf or oneOf with several branches.
type union struct {
	at       schema.Node // that holds the keyword
	keyword  string
	branches []schema.Node
}

// An opaque is a keyword that is compared as a whole.
type opaque struct {
	keyword string
	use     use
	node    schema.Node // that holds it
}

// A schemaSide is one of the two schemas that are compared.
type schemaSide struct {
	doc  *schema.Document
	root string
}

// view makes the view of nodes, which must all hold at place, or finds it.
func (c *comparer) view(s *schemaSide, place schema.Node, nodes ...schema.Node) *view {
	var ids []string
	for _, n := range nodes {
		if n.Value == nil || n.Value.Kind == schema.Bool && n.Value.Bool {
			continue
		}
		ids = append(ids, strconv.Itoa(c.id(n.Value)))
	}
	slices.Sort(ids)
	key := s.root + strconv.Itoa(c.id(s.doc.Root)) + ":" + strings.Join(slices.Compact(ids), ",")
	if v, ok := c.views[key]; ok {
		if v.place.Pointer == place.Pointer {
			return v
		}
		moved := *v // same schema, said of another place
		moved.place = place
		return &moved
	}
	v := &view{root: s.root, place: place, key: key}
	for _, n := range nodes {
		c.flatten(s, &v.flat, n, map[*schema.Value]bool{})
	}
	c.views[key] = v
	return v
}

// id numbers values, each once.
func (c *comparer) id(v *schema.Value) int {
	id, ok := c.ids[v]
	if !ok {
		id = len(c.ids)
		c.ids[v] = id
	}
	return id
}

// flatten adds to f what n says. seen holds what was passed on the way: what
// leads back to itself says nothing more.
func (c *comparer) flatten(s *schemaSide, f *flat, n schema.Node, seen map[*schema.Value]bool) {
	switch {
	case n.Value == nil || seen[n.Value] || !c.step():
		return
	case n.Value.Kind == schema.Bool:
		f.never = f.never || !n.Value.Bool
		return
	case n.Value.Kind != schema.Object:
		f.opaque = append(f.opaque, opaque{"", useGeneral, n})
		return
	}
	seen[n.Value] = true
	if slices.ContainsFunc(f.nodes, func(o schema.Node) bool { return o.Value == n.Value }) {
		return
	}
	if ref := n.Value.Get("$ref"); ref != nil {
		c.follow(s, f, n, ref, seen)
		if n.Dialect().RefAlone() {
			return
		}
	}
	f.nodes = append(f.nodes, n)
	for _, m := range n.Value.Members {
		k, ok := restricts(n.Dialect(), m.Name)
		switch {
		case !ok || m.Name == "$ref" && readable("$ref", m.Value):
		case k.opaque || !readable(m.Name, m.Value) || !readableType(n, m.Name):
			f.opaque = append(f.opaque, opaque{m.Name, k.use, n})
		case m.Name == "allOf" || (m.Name == "anyOf" || m.Name == "oneOf") && len(m.Value.Items) == 1:
			for _, branch := range children(n.Child(m.Name)) {
				c.flatten(s, f, branch, seen)
			}
		case m.Name == "anyOf" || m.Name == "oneOf":
			f.unions = append(f.unions, union{n, m.Name, children(n.Child(m.Name))})
		}
	}
}

func readableType(n schema.Node, name string) bool {
	if name != "type" {
		return true
	}
	_, ok := typeKinds(n.Value)
	return ok
}

// follow flattens what the $ref of n points at.
func (c *comparer) follow(s *schemaSide, f *flat, n schema.Node, ref *schema.Value, seen map[*schema.Value]bool) {
	if ref.Kind == schema.String {
		if target, err := s.doc.Resolve(n, ref.Text); err == nil {
			c.flatten(s, f, target, seen)
			return
		}
	}
	f.opaque = append(f.opaque, opaque{"$ref", useGeneral, n})
}

// children returns the elements of a list or the members of an object.
func children(n schema.Node) []schema.Node {
	var out []schema.Node
	if n.Value == nil {
		return nil
	}
	for i := range n.Value.Items {
		out = append(out, n.Child(strconv.Itoa(i)))
	}
	for _, m := range n.Value.Members {
		out = append(out, n.Child(m.Name))
	}
	return out
}

// with returns a copy of f to which more can be added.
func (f flat) with() flat {
	return flat{slices.Clone(f.nodes), slices.Clone(f.unions), slices.Clone(f.opaque), f.never}
}

// free reports whether f restricts nothing.
func (f flat) free() bool {
	if f.never || len(f.unions) > 0 || len(f.opaque) > 0 {
		return false
	}
	for _, n := range f.nodes {
		for _, m := range n.Value.Members {
			if k, ok := restricts(n.Dialect(), m.Name); ok && m.Name != "$ref" && m.Name != "allOf" && (k.use != useGeneral || m.Name != "type") {
				return false
			}
		}
		if k, _ := typeKinds(n.Value); k != schema.AllKinds {
			return false
		}
	}
	return true
}

package lower

import (
	"fmt"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// Bounds on the schemas looked at, which is what lowering costs: for one
// direction of one tool, of which the largest in the corpus needs a fifth; and
// for all tools together, beyond which only simple ones get their types.
const (
	maxSteps        = 30_000
	maxPackageSteps = 200_000
	simpleSteps     = 1_000
)

// maxNesting bounds how deep types are nested in each other.
const maxNesting = 200

type direction uint8

const (
	arguments direction = iota
	results
)

// root returns the pointer of the schema from the tool object.
func (d direction) root() string {
	if d == results {
		return "/outputSchema"
	}
	return "/inputSchema"
}

// noun is what the name of the root type ends in.
func (d direction) noun() string {
	if d == results {
		return "Output"
	}
	return "Input"
}

// A side is one schema of one tool on its way to types: inputSchema or
// outputSchema.
type side struct {
	p    *lowering
	tool *tool
	dir  direction
	root string // "/inputSchema" or "/outputSchema"
	doc  *schema.Document

	ids     map[*schema.Value]int
	views   map[*schema.Value]*view // of one schema, in which nothing is decided
	known   map[string]*knowledge   // by key of a view
	texts   map[string]int          // of tags, numbered
	keys    map[tagKey]int          // of properties that may have tags, numbered
	memo    map[string]*shape
	labels  map[string]*label // pointer of a branch -> what its variant is called
	spots   map[string]spot   // pointer -> what it says, see place
	rootKey string            // key of the root's view
	steps   int
	weight  int // of the types declared so far
	depth   int
	over    bool
}

func newSide(p *lowering, t *tool, dir direction, doc *schema.Document) *side {
	return &side{
		p: p, tool: t, dir: dir, root: dir.root(), doc: doc,
		ids: make(map[*schema.Value]int), views: make(map[*schema.Value]*view), known: make(map[string]*knowledge),
		texts: make(map[string]int), keys: make(map[tagKey]int), memo: make(map[string]*shape), labels: make(map[string]*label),
		spots: make(map[string]spot),
	}
}

// step counts work, and reports false when there was too much.
func (s *side) step() bool {
	s.steps++
	s.p.steps++
	switch {
	case s.over:
	case s.steps > maxSteps:
		s.over = true
		s.say(diag.Warning, CodeTooComplex, "", fmt.Sprintf("the schema needs more than %d steps", maxSteps))
	case s.steps > simpleSteps && s.p.steps > maxPackageSteps:
		s.over = true
		s.say(diag.Warning, CodeTooComplex, "", fmt.Sprintf("the tools of this server need more than %d steps", maxPackageSteps))
	}
	return !s.over
}

// typ is a Go type for a value, before it is known whether the value may be
// absent.
type typ struct {
	t       model.Type
	null    bool // the schema allows null beside t
	nilable bool // list, map or union: nil is absence enough
	bare    bool // any or json.RawMessage: holds null and absence by itself
	raw     bool // bare, or holding what is bare, although the schema restricts the kind
}

// shape is what one view became. While it is being made, references to it find
// what is known already.
type shape struct {
	typ
	named *model.Named // declared because the type refers to itself
	alias *shape       // the whole is this, apart from null
	info  *info        // the declaration, when the type is one of ours
}

// untyped is the type of a value about which nothing is known: any kind of
// JSON. raw says that the schema knew more.
func (s *side) untyped(raw bool) typ {
	t := model.Any
	if s.dir == results {
		t = model.RawMessage
	}
	return typ{t: t, null: true, bare: true, raw: raw}
}

// lower returns the Go type of v.
func (s *side) lower(v *view) typ { return s.shapeOf(v, nil).now() }

// shapeOf makes the shape of v, or finds it. outer, unless nil, is the shape
// that is the same apart from null: references to it lead on to this one.
func (s *side) shapeOf(v *view, outer *shape) *shape {
	sh := s.made(v.key)
	known := sh != nil
	if !known {
		sh = &shape{}
	}
	if outer != nil {
		outer.alias = sh
	}
	if known {
		return sh
	}
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxNesting {
		s.say(diag.Warning, CodeTooComplex, v.place.Pointer, fmt.Sprintf("types are nested more than %d deep", maxNesting))
		sh.typ = s.untyped(true)
		return sh // not remembered: a shorter way may lead here
	}
	s.memo[v.key] = sh
	if !s.step() {
		sh.typ = s.untyped(true)
		return sh
	}
	if bound, ok := s.binding(v); ok {
		sh.typ = bound
		return sh
	}
	if (outer == nil || outer.named == nil) && s.recursive(v) {
		sh.named = &model.Named{}
		sh.info = s.declare(sh.named, v)
	}
	s.finish(v.key, sh, s.classify(v, sh))
	return sh
}

// made returns the shape under key, nil when there is none yet to refer to. One
// that is being made and has no name is made anew within itself: a type that has
// one stands between.
func (s *side) made(key string) *shape {
	sh := s.memo[key]
	for at := sh; at != nil; at = at.alias {
		if at.t != nil || at.named != nil {
			return sh
		}
	}
	return nil
}

// finish says what sh became, unless it was made anew meanwhile.
func (s *side) finish(key string, sh *shape, made typ) {
	if anew := s.memo[key]; anew != sh {
		*sh = *anew
		return
	}
	if sh.named != nil {
		sh.named.Underlying = made.t
		made.t = model.Ref{Decl: sh.named}
	}
	sh.typ = made
}

// now returns the type of sh as far as it is known.
func (sh *shape) now() typ {
	switch {
	case sh.t != nil:
		return sh.typ
	case sh.named != nil:
		return typ{t: model.Ref{Decl: sh.named}, null: sh.null, nilable: true}
	default:
		t := sh.alias.now()
		t.null = t.null || sh.null
		return t
	}
}

// item returns the type of a list item or map value.
func (t typ) item() model.Type {
	if t.null && !t.bare {
		return model.Pointer{Elem: t.t}
	}
	return t.t
}

// member returns the type of an object's member, and whether its zero value is
// absence.
func (t typ) member(required bool) (model.Type, bool) {
	switch {
	case t.bare:
		return t.t, !required
	case required && t.null:
		return model.Pointer{Elem: t.t}, false
	case required:
		return t.t, false
	case t.null:
		return model.Nullable{Elem: t.t}, true
	case t.nilable:
		return t.t, true
	default:
		return model.Pointer{Elem: t.t}, true
	}
}

// Package lower turns the schemas of one server's tools into a model.Package.
//
// In: the tools of a snapshot, options and pinned names. Out: a model whose
// names are final, the pins to keep and diagnostics. It knows JSON Schema and
// Go types but prints nothing; it must never import runtime, emission or I/O.
//
// Read it in the order of its work. [Lower] takes the tools one by one. A side is
// one schema of a tool, and a view of it (view, read, property, enumeration,
// leaves) is all that holds at one place. shape chooses the Go type of a view, and
// root, object, array, scalar and union make it; label and labelset tell variants
// apart, and afford bounds it all. Then, over the whole package: share and graph
// join and order the types, place, owners, candidates and naming name them, and
// docs, lead, facts and agree document them.
package lower

import (
	"cmp"
	"slices"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// An Input is what one package is lowered from. It is not modified.
type Input struct {
	Server  string            // configured server name
	Source  string            // slash-separated path of the snapshot, for the file header
	Tools   []snapshot.Tool   // in any order, names unique
	Digests map[string]string // tool name -> "s1:..."
	Pins    map[string]string // owner -> Go identifier to keep
	Untyped map[string]bool   // wire names of tools that get no types
	Options Options
	Names   bool // only names and pins are wanted: nothing is documented
}

// A Result is a package and what is to be remembered about it.
type Result struct {
	Package     *model.Package
	Names       map[string]string // every owner -> Go identifier
	Pins        map[string]string // owner -> Go identifier to write into the snapshot
	Diagnostics []diag.Diagnostic // sorted
	Stats       Stats
}

// Stats counts what a package is made of; the corpus test prints it.
type Stats struct {
	Tools  int // tools with a method
	Types  int // declared types
	Fields int // struct fields that hold a schema position (constants and Extra not counted)
	Raw    int // of Fields, those whose type is or holds any or json.RawMessage although the schema restricts its kind
	Open   int // of Fields, those that are any or json.RawMessage because the schema says nothing
}

// lowering is the state of one call of Lower.
type lowering struct {
	in     Input
	tools  []*tool
	infos  map[model.Decl]*info
	all    []*info // of infos, in order of declaration
	said   map[diag.Diagnostic]bool
	steps  int  // taken for all tools
	weight int  // of all that is declared, see afford
	full   bool // it was too much once
	wide   int  // fields of wide structs of all tools
	fields map[*model.Field]*fieldInfo
	diags  []diag.Diagnostic
	used   map[string]bool // bindings that were applied

	variants map[string][]string // owner of a union up to its labels -> pinned labels
	pinned   map[string][]string // owner of a field up to its key -> quoted keys of the pinned ones
	order    []model.Decl        // reachable types, in output order
}

// A tool is one tool on its way.
type tool struct {
	wire  string
	model *model.Tool
	sides []*side
}

// Lower makes the model of one server's package. A schema that cannot be read
// costs its own part, as a diagnostic. The error is for options that make no
// sense; it names the option.
func Lower(in Input) (Result, error) {
	if err := in.Options.check(); err != nil {
		return Result{}, err
	}
	p := &lowering{
		in:     in,
		infos:  make(map[model.Decl]*info),
		fields: make(map[*model.Field]*fieldInfo),
		used:   make(map[string]bool),
		said:   make(map[diag.Diagnostic]bool),
	}
	sorted := slices.SortedFunc(slices.Values(in.Tools), func(a, b snapshot.Tool) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range sorted {
		if in.Options.selects(t.Name) {
			p.addTool(t)
		}
	}
	p.checkUse(sorted)
	p.discriminate()
	p.locate()
	p.share()
	p.breakCycles()
	p.arrange()
	n := p.name()
	if !in.Names {
		p.document()
	}

	pkg := &model.Package{
		Name:   cmp.Or(in.Options.Package, names.Package(in.Server)),
		Server: in.Server,
		Source: in.Source,
		Decls:  p.order,
	}
	for _, t := range p.tools {
		pkg.Tools = append(pkg.Tools, t.model)
	}
	return Result{
		Package: pkg, Names: n.all(), Pins: n.pins(),
		Diagnostics: diag.Sort(p.diags), Stats: p.stats(),
	}, nil
}

// addTool lowers both schemas of t.
func (p *lowering) addTool(src snapshot.Tool) {
	t := &tool{wire: src.Name, model: &model.Tool{Name: src.Name, Digest: p.in.Digests[src.Name], Input: model.RawMessage}}
	p.tools = append(p.tools, t)
	if !p.in.Names {
		annotate(t.model, src)
	}
	if p.in.Untyped[src.Name] {
		p.say(diag.Warning, CodeToolRejected, t.wire, "", "no Go types can be written for the tool")
		if !isNone(src.OutputSchema) {
			t.model.Output = model.RawMessage
		}
		return
	}
	if isNone(src.InputSchema) {
		p.say(diag.Warning, CodeSchemaMissing, t.wire, arguments.root(), "the tool has no inputSchema")
	} else if s := p.side(t, arguments, src.InputSchema); s != nil {
		t.model.Input = s.arguments()
	}
	if isNone(src.OutputSchema) {
		return
	}
	t.model.Output = model.RawMessage
	if s := p.side(t, results, src.OutputSchema); s != nil {
		t.model.Output = s.results()
	}
}

func isNone(v *schema.Value) bool { return v == nil || v.Kind == schema.Null }

// side opens one schema; nil, with a diagnostic, when its dialect is unknown, or
// when there was too much before it.
func (p *lowering) side(t *tool, dir direction, root *schema.Value) *side {
	if p.full && len(root.JSON()) > maxSimple {
		p.sayFull(t, dir.root())
		return nil
	}
	doc, err := schema.NewDocument(root)
	s := newSide(p, t, dir, doc)
	if err != nil {
		s.say(diag.Warning, CodeUnknownDialect, "/$schema", err.Error())
		return nil
	}
	if root.Kind != schema.Object && root.Kind != schema.Bool {
		s.say(diag.Warning, CodeRootNotObject, "", "a schema is an object or a boolean")
		return nil
	}
	search := patternSearch{s: s, known: make(map[string]bool)}
	search.visit(doc.RootNode())
	t.sides = append(t.sides, s)
	return s
}

package lower

import (
	"cmp"
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

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
	Options Options
}

// A Result is a package and what is to be remembered about it.
type Result struct {
	Package     *model.Package
	Names       map[string]string // every owner -> Go identifier
	Pins        map[string]string // owner -> Go identifier to write into the snapshot
	Diagnostics []diag.Diagnostic // sorted
	Stats       Stats
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
	p.document()

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
	annotate(t.model, src)
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

// check refuses options that make no sense.
func (o Options) check() error {
	switch o.Numbers {
	case "", NumbersNative, NumbersExact:
	default:
		return fmt.Errorf("go.numbers: %q is neither native nor exact", o.Numbers)
	}
	for _, patterns := range [][]string{o.Include, o.Exclude} {
		for _, pattern := range patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("tools: pattern %q: %w", pattern, err)
			}
		}
	}
	for format, t := range o.Formats {
		if t != "string" && (t != "time" || format != "date-time") {
			return fmt.Errorf("go.formats: %s: %q is not possible: a format is a string, and date-time may be a time", format, t)
		}
	}
	for wire, name := range o.Rename {
		if !token.IsIdentifier(name) || !token.IsExported(name) {
			return fmt.Errorf("go.rename: %s: %q is no exported Go identifier", wire, name)
		}
	}
	for what, target := range o.Bindings {
		if _, ok := parseBinding(target); !ok {
			return fmt.Errorf("go.bindings: %s: %q is not of the form import/path.Type", what, target)
		}
	}
	if o.Package != "" && (!token.IsIdentifier(o.Package) || o.Package == "_") {
		return fmt.Errorf("go.package: %q is no Go package name", o.Package)
	}
	return nil
}

// selects applies include and exclude to a tool's wire name.
func (o Options) selects(name string) bool {
	matches := func(pattern string) bool { return match(pattern, name) }
	return (len(o.Include) == 0 || slices.ContainsFunc(o.Include, matches)) &&
		!slices.ContainsFunc(o.Exclude, matches)
}

func match(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil || pattern == name || pattern == "*"
}

// parseBinding splits "import/path.Type".
func parseBinding(target string) (model.Qualified, bool) {
	i := strings.LastIndexByte(target, '.')
	if i <= 0 {
		return model.Qualified{}, false
	}
	q := model.Qualified{Path: target[:i], Name: target[i+1:]}
	return q, token.IsIdentifier(q.Name) && token.IsExported(q.Name)
}

// binding returns the configured type of v, by its $defs key or its place.
func (s *side) binding(v *view) (typ, bool) {
	if len(s.p.in.Options.Bindings) == 0 || len(v.conj) == 0 {
		return typ{}, false
	}
	keys := []string{}
	for _, n := range append(slices.Clone(v.chain), v.all...) {
		keys = append(keys, s.tool.wire+"#"+s.root+n.Pointer)
	}
	if len(v.conj) == 1 && v.conj[0].alts == nil {
		n := v.conj[0].node
		keys = append(keys, s.tool.wire+"#"+s.root+n.Pointer)
		if key := defKey(n.Pointer); key != "" {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if target, ok := s.p.in.Options.Bindings[key]; ok {
			q, _ := parseBinding(target)
			s.p.used[key] = true
			return typ{t: q, null: v.kinds()&schema.Nulls != 0 && v.kinds() != schema.AllKinds}, true
		}
	}
	return typ{}, false
}

// checkUse says which entries of the configuration named nothing.
func (p *lowering) checkUse(all []snapshot.Tool) {
	known := make(map[string]bool, len(all))
	for _, t := range all {
		known[t.Name] = true
	}
	for wire := range p.in.Options.Rename {
		if !known[wire] {
			p.say(diag.Warning, CodeUnusedRename, "", "", "go.rename names the tool "+wire+", which the server does not have")
		}
	}
	for i, pattern := range slices.Concat(p.in.Options.Include, p.in.Options.Exclude) {
		key := "include"
		if i >= len(p.in.Options.Include) {
			key = "exclude"
		}
		if pattern != "*" && !slices.ContainsFunc(all, func(t snapshot.Tool) bool { return match(pattern, t.Name) }) {
			p.say(diag.Warning, CodeUnusedPattern, "", "", "tools."+key+" has the pattern "+pattern+", which fits no tool of the server")
		}
	}
	for key := range p.in.Options.Bindings {
		if !p.used[key] {
			p.say(diag.Warning, CodeUnusedBinding, "", "", "go.bindings names "+key+", which no tool uses")
		}
	}
	if len(p.tools) == 0 && len(all) > 0 {
		p.say(diag.Warning, CodeNoTools, "", "", "tools.include and tools.exclude leave no tool")
	}
}

package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/gen/names"
)

// reserved are the package-level identifiers of every generated package.
var reserved = []string{"Client", "New", "ServerName", "Tools"}

// reservedMethods are those that go vet wants with the signature that the
// standard library gives them.
var reservedMethods = []string{
	"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune",
	"UnmarshalJSON", "UnmarshalXML", "UnreadByte", "UnreadRune", "WriteByte",
}

// reservedFields are the methods that every generated type has.
var reservedFields = []string{"MarshalJSON", "UnmarshalJSON"}

// naming is the namespaces of one package.
type naming struct {
	p       *lowering
	methods *names.Scope
	types   *names.Scope
	fields  []*names.Scope
	byPlace map[string]map[string]string // owner of a struct's fields, up to the key -> pins

	// arguments holds, per tool, the names that types of its arguments may take.
	arguments map[*tool]map[string]bool
	noted     map[*info][]string         // candidates of the arguments in this round
	defs      map[*side]map[string]*info // pointer of a definition -> its type
}

// name gives every declaration its final names.
func (p *lowering) name() *naming {
	n := &naming{
		p:         p,
		byPlace:   make(map[string]map[string]string),
		arguments: make(map[*tool]map[string]bool),
		noted:     make(map[*info][]string),
		defs:      make(map[*side]map[string]*info),
	}
	methodPins, packagePins := make(map[string]string), make(map[string]string)
	for owner, name := range p.in.Pins {
		switch kind, _, _ := strings.Cut(owner, ":"); kind {
		case "tool":
			methodPins[owner] = name
		case "field":
			parent := parentOf(owner)
			if n.byPlace[parent] == nil {
				n.byPlace[parent] = make(map[string]string)
			}
			n.byPlace[parent][owner] = name
		default:
			packagePins[owner] = name
		}
	}
	n.methods = names.NewScope(reservedMethods, methodPins)
	n.types = names.NewScope(reserved, packagePins)
	n.nameMethods()
	n.nameTypes()
	n.nameConstants()
	n.nameVars()
	for _, d := range p.order {
		if st, ok := d.(*model.Struct); ok {
			n.nameFields(st)
		}
	}
	return n
}

func (n *naming) nameMethods() {
	var reqs []names.Request
	for _, t := range n.p.tools {
		renamed, ok := n.p.in.Options.Rename[t.wire]
		if !ok {
			renamed = names.Exported(t.wire)
		}
		candidates := []string{renamed}
		if slices.Contains(reservedMethods, renamed) {
			candidates = append(candidates, renamed+"Tool")
		}
		reqs = append(reqs, names.Request{Owners: []string{toolOwner(t.wire)}, Candidates: candidates, Rename: ok})
	}
	n.methods.Assign(reqs)
	for _, t := range n.p.tools {
		t.model.Method = n.methods.Name(toolOwner(t.wire))
	}
	n.checkRenames()
}

// checkRenames says which tools did not get the name that was asked for, or that they
// would have had.
func (n *naming) checkRenames() {
	asked := make(map[string]bool)
	for _, t := range n.p.tools {
		asked[n.p.in.Options.Rename[t.wire]] = true
	}
	for _, t := range n.p.tools {
		want, renamed := n.p.in.Options.Rename[t.wire]
		switch usual := names.Exported(t.wire); {
		case renamed && t.model.Method != want:
			n.p.say(diag.Warning, CodeRenameTaken, t.wire, "", "go.rename asks for the method "+want+", which is taken; it is "+t.model.Method)
		case !renamed && asked[usual] && t.model.Method != usual:
			n.p.say(diag.Warning, CodeRenameTaken, t.wire, "", "its method is "+t.model.Method+", since go.rename gives "+usual+" to another tool")
		}
	}
}

// Types are named in rounds: what comes later is named after what came before,
// and yields to it.
const (
	rootRound = iota
	definitionRound
	inlineRound
	kindRound    // variants that are called by their kind
	variantRound // the others
	lastRound    = variantRound
)

func (n *naming) nameTypes() {
	for i, round := range n.rounds() {
		if i <= inlineRound {
			n.noteArguments(round)
		}
		// Of inline types, those with the shortest paths have the fewest names to
		// choose from.
		for _, level := range byDepth(round) {
			var reqs []names.Request
			for _, in := range level {
				reqs = append(reqs, names.Request{Owners: in.typeOwners(), Candidates: n.candidates(in)})
			}
			n.types.Assign(reqs)
			for _, in := range level {
				rename(in.decl, n.types.Name(in.typeOwners()[0]))
			}
		}
		n.nameInterfaces(round)
	}
}

// rounds sorts types into rounds, and notes the definitions among them.
func (n *naming) rounds() [lastRound + 1][]*info {
	var rounds [lastRound + 1][]*info
	for _, d := range n.p.order {
		in := n.p.infos[d]
		i := variantRound
		switch {
		case in.root:
			i = rootRound
		case in.def != "":
			i = definitionRound
			n.noteDefinition(in)
		case in.union == nil:
			i = inlineRound
		case in.label.keys == nil:
			i = kindRound
		}
		rounds[i] = append(rounds[i], in)
	}
	return rounds
}

func (n *naming) noteDefinition(in *info) {
	for _, one := range in.everyone() {
		if n.defs[one.s] == nil {
			n.defs[one.s] = make(map[string]*info)
		}
		n.defs[one.s][one.pointer] = in
	}
}

// byDepth groups infos by the length of their paths, shortest first.
func byDepth(round []*info) [][]*info {
	var out [][]*info
	for _, in := range round {
		depth := len(in.words)
		for len(out) <= depth {
			out = append(out, nil)
		}
		out[depth] = append(out[depth], in)
	}
	return out
}

func rename(d model.Decl, name string) {
	switch d := d.(type) {
	case *model.Struct:
		d.Name = name
	case *model.Enum:
		d.Name = name
	case *model.Named:
		d.Name = name
	case *model.Union:
		d.Name = name
	}
}

func (n *naming) nameInterfaces(round []*info) {
	var reqs []names.Request
	for _, in := range round {
		if u, ok := in.decl.(*model.Union); ok {
			reqs = append(reqs, names.Request{Owners: in.owners("variant", "interface"), Candidates: []string{u.Name + "Variant"}})
		}
	}
	n.types.Assign(reqs)
	for _, in := range round {
		if u, ok := in.decl.(*model.Union); ok {
			u.Interface = n.types.Name(in.owners("variant", "interface")[0])
			u.Marker = "is" + u.Name
		}
	}
}

// nameConstants names the values of every enum after its type.
func (n *naming) nameConstants() {
	var values []*model.EnumValue
	var reqs []names.Request // of values, in their order
	for _, d := range n.p.order {
		e, ok := d.(*model.Enum)
		if !ok {
			continue
		}
		for i := range e.Values {
			v := &e.Values[i]
			values = append(values, v)
			reqs = append(reqs, names.Request{
				Owners:     n.p.infos[d].owners("const", "enum", v.JSON),
				Candidates: []string{e.Name + wordOf(v.JSON)},
			})
		}
	}
	n.types.Assign(reqs)
	for i, v := range values {
		v.Name = n.types.Name(reqs[i].Owners[0])
	}
}

// nameVars names what is not exported: no owner, no pin, nobody else sees it.
func (n *naming) nameVars() {
	taken := map[string]bool{"runtime": true, "codec": true, "context": true, "json": true, "time": true}
	free := func(name string) string {
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		return name
	}
	for _, t := range n.p.tools {
		t.model.Var = free(names.Unexported(t.model.Method) + "Tool")
	}
	for _, d := range n.p.order {
		if u, ok := d.(*model.Union); ok {
			u.Var = free(names.Unexported(u.Name) + "Variants")
		}
	}
}

// nameFields names the fields of one struct: properties, then Extra.
func (n *naming) nameFields(st *model.Struct) {
	if st.Tuple {
		return // by position
	}
	in := n.p.infos[st]
	pins := make(map[string]string)
	for _, owner := range append(in.owners("field", "properties", ""), in.owners("field", "")...) {
		maps.Copy(pins, n.byPlace[parentOf(owner)])
		delete(n.byPlace, parentOf(owner))
	}
	scope := names.NewScope(reservedFields, pins)
	n.fields = append(n.fields, scope)
	assign := func(role model.Role, request func(f *model.Field) names.Request) {
		var fields []*model.Field
		var reqs []names.Request // of fields, in their order
		for _, f := range st.Fields {
			if f.Role == role {
				fields, reqs = append(fields, f), append(reqs, request(f))
			}
		}
		scope.Assign(reqs)
		for i, f := range fields {
			f.Name = scope.Name(reqs[i].Owners[0])
		}
	}
	assign(model.RoleMember, func(f *model.Field) names.Request {
		return names.Request{Owners: in.owners("field", "properties", f.Key), Candidates: []string{names.Exported(f.Key)}}
	})
	assign(model.RoleExtra, func(*model.Field) names.Request {
		return names.Request{Owners: in.owners("field", "additionalProperties"), Candidates: []string{"Extra", "ExtraFields"}}
	})
}

// scopes yields every namespace.
func (n *naming) scopes() []*names.Scope {
	return append([]*names.Scope{n.methods, n.types}, n.fields...)
}

// all returns the identifier of every owner.
func (n *naming) all() map[string]string {
	out := make(map[string]string)
	for _, s := range n.scopes() {
		maps.Copy(out, s.Names())
	}
	return out
}

// pins returns what the snapshot has to remember, pins of what is gone included.
func (n *naming) pins() map[string]string {
	out := make(map[string]string)
	for _, pins := range n.byPlace {
		maps.Copy(out, pins)
	}
	for _, s := range n.scopes() {
		maps.Copy(out, s.Pins())
	}
	n.pinKnown(out)
	return out
}

// pinKnown adds the pins by which variants are known again that go by an
// earlier owner, see remember: their own, those of their fields, and those of the
// variants beside them, which would else be taken for them.
func (n *naming) pinKnown(out map[string]string) {
	pin := func(owners []string, name string) {
		for _, owner := range owners {
			if name != "" {
				out[owner] = name
			}
		}
	}
	for _, in := range n.p.all {
		if in.union == nil || !slices.ContainsFunc(in.union.labels, func(l label) bool { return l.known }) {
			continue
		}
		owners := in.typeOwners()
		pin(owners, n.types.Name(owners[0]))
		if st, ok := in.decl.(*model.Struct); ok && in.label.known {
			for _, f := range st.Fields {
				if f.Role == model.RoleMember {
					pin(in.owners("field", "properties", f.Key), f.Name)
				}
			}
		}
	}
}

package lower

import (
	"maps"
	"slices"
	"strings"

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
	defs      map[*side]map[string]*info // pointer of a definition -> its type
}

// name gives every declaration its final names.
func (p *lowering) name() *naming {
	n := &naming{
		p:         p,
		byPlace:   make(map[string]map[string]string),
		arguments: make(map[*tool]map[string]bool),
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
}

// nameTypes names roots, definitions, inline types and variants, in this order:
// what comes later is named after what came before, and yields to it.
func (n *naming) nameTypes() {
	var rounds [5][]*info
	for _, d := range n.p.order {
		in := n.p.infos[d]
		switch {
		case in.root:
			rounds[0] = append(rounds[0], in)
		case in.def != "":
			rounds[1] = append(rounds[1], in)
		case in.union == nil:
			rounds[2] = append(rounds[2], in)
		case in.label.keys == nil: // called by its kind, and nothing else
			rounds[3] = append(rounds[3], in)
		default:
			rounds[4] = append(rounds[4], in)
		}
		for _, one := range in.everyone() {
			if in.def != "" {
				if n.defs[one.s] == nil {
					n.defs[one.s] = make(map[string]*info)
				}
				n.defs[one.s][one.pointer] = in
			}
		}
	}
	for i, round := range rounds {
		if i < 3 {
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

// candidates returns the names that the type of in would like, best first.
func (n *naming) candidates(in *info) []string {
	method := in.s.tool.model.Method
	switch {
	case in.root && in.s.dir == arguments:
		return []string{method + "Input"}
	case in.root:
		return []string{method + "Output"}
	case in.union != nil:
		name := in.union.decl.Ident() + in.label.word
		if _, object := in.decl.(*model.Struct); object {
			return []string{name, name + "Object"} // the text variant may be called Text
		}
		return []string{name}
	case in.def != "":
		key := names.Exported(in.def)
		if n.collides(in, method+key) {
			return []string{key, method + "Output" + key}
		}
		return []string{key, names.Join(method, key), method + key}
	}
	var out, whole []string
	add := func(list *[]string, name string) {
		if !slices.Contains(out, name) && !slices.Contains(whole, name) {
			*list = append(*list, name)
		}
	}
	prefix := n.prefix(in)
	longest := ""
	for _, path := range paths(in.words) {
		once := ""
		for _, text := range path {
			once = names.Join(once, text)
		}
		once, longest = names.Join(prefix, once), strings.Join(path, "")
		if in.anchor == "" && (n.collides(in, once) || n.collides(in, prefix+longest)) {
			add(&out, method+"Output"+longest)
			continue
		}
		add(&out, once)
		add(&whole, prefix+longest)
	}
	out = append(out, whole...)
	if in.anchor != "" && !strings.HasPrefix(prefix, method) {
		add(&out, method+out[0])
	}
	if root := map[direction]string{arguments: "Input", results: "Output"}[in.s.dir]; in.anchor == "" && (longest == "Input" || longest == "Output") {
		add(&out, method+root+longest) // a property called like what the tool takes or gives
	}
	return out
}

// prefix is what the names of types within a definition or a tool begin with.
func (n *naming) prefix(in *info) string {
	if in.anchor == "" {
		return in.s.tool.model.Method
	}
	if def := n.defs[in.s][in.anchor]; def != nil {
		return def.decl.Ident()
	}
	return names.Exported(defKey(in.anchor))
}

// paths returns the suffixes of words, shortest first: with the last word in
// the singular where the type is an element of a list, then as they are. None
// begins with the kind of a variant.
func paths(words []word) [][]string {
	if len(words) == 0 {
		return [][]string{{"Value"}}
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	var out [][]string
	last := len(words) - 1
	suffixes := func(texts []string) {
		for i := last; i >= 0; i-- {
			if i == 0 || !words[i].kind {
				out = append(out, texts[i:])
			}
		}
	}
	if words[last].element {
		one := slices.Clone(texts)
		one[last] = singular(one[last])
		suffixes(one)
	}
	suffixes(texts)
	return out
}

// noteArguments remembers the names that the arguments of a tool may take.
func (n *naming) noteArguments(round []*info) {
	for _, in := range round {
		if in.s.dir != arguments || in.root {
			continue
		}
		set := n.arguments[in.s.tool]
		if set == nil {
			set = make(map[string]bool)
			n.arguments[in.s.tool] = set
		}
		for _, name := range n.candidates(in) {
			set[name] = true
		}
	}
}

// collides reports whether a type of the same tool's arguments may be called name.
func (n *naming) collides(in *info, name string) bool {
	return in.s.dir == results && n.arguments[in.s.tool][name]
}

// nameConstants names the values of every enum after its type.
func (n *naming) nameConstants() {
	var reqs []names.Request
	each := func(do func(v *model.EnumValue, owners []string, name string)) {
		for _, d := range n.p.order {
			e, ok := d.(*model.Enum)
			if !ok {
				continue
			}
			for i := range e.Values {
				v := &e.Values[i]
				do(v, n.p.infos[d].owners("const", "enum", v.JSON), e.Name+wordOf(v.JSON))
			}
		}
	}
	each(func(_ *model.EnumValue, owners []string, name string) {
		reqs = append(reqs, names.Request{Owners: owners, Candidates: []string{name}})
	})
	n.types.Assign(reqs)
	each(func(v *model.EnumValue, owners []string, _ string) { v.Name = n.types.Name(owners[0]) })
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
	var members, extra []names.Request
	for _, f := range st.Fields {
		switch f.Role {
		case model.RoleMember:
			members = append(members, names.Request{Owners: in.owners("field", "properties", f.Key), Candidates: []string{names.Exported(f.Key)}})
		case model.RoleExtra:
			extra = append(extra, names.Request{Owners: in.owners("field", "additionalProperties"), Candidates: []string{"Extra", "ExtraFields"}})
		}
	}
	scope.Assign(members)
	scope.Assign(extra)
	for _, f := range st.Fields {
		switch f.Role {
		case model.RoleMember:
			f.Name = scope.Name(in.owners("field", "properties", f.Key)[0])
		case model.RoleExtra:
			f.Name = scope.Name(in.owners("field", "additionalProperties")[0])
		}
	}
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
// earlier owner, see remember: their own, and those of their fields.
func (n *naming) pinKnown(out map[string]string) {
	pin := func(owners []string, name string) {
		for _, owner := range owners {
			if name != "" {
				out[owner] = name
			}
		}
	}
	for _, in := range n.p.all {
		if in.union == nil || !in.label.known {
			continue
		}
		owners := in.typeOwners()
		pin(owners, n.types.Name(owners[0]))
		if st, ok := in.decl.(*model.Struct); ok {
			for _, f := range st.Fields {
				if f.Role == model.RoleMember {
					pin(in.owners("field", "properties", f.Key), f.Name)
				}
			}
		}
	}
}

package names

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A Request asks for one identifier.
type Request struct {
	// Owners are what the identifier names, sorted, at least one. Several share
	// one identifier.
	Owners []string
	// Candidates are legal identifiers, the preferred one first, at least one.
	// When none is free, the last one gets a number: 2, 3, ...
	Candidates []string
	// Rename says that the user chose Candidates[0]: a pin does not hold
	// against it. It still yields to the pins of other owners.
	Rename bool
}

// A Scope gives out the identifiers of one namespace: the package level, the
// methods of Client, or the fields of one struct. It is not safe for concurrent
// use.
type Scope struct {
	pins     map[string]string   // as given
	pinned   map[string][]string // identifier -> owners, of pins
	reserved map[string]bool
	taken    map[string]bool
	granted  []grant
	byOwner  map[string]int // owner -> index in granted
	next     map[string]int // identifier -> the number to try behind it
}

type grant struct {
	name string
	req  Request
}

// NewScope returns a Scope that never gives out the reserved identifiers, Go's
// keywords or its predeclared identifiers, and none of the pinned ones to any
// but their owners. A pin that is reserved or no identifier is ignored.
func NewScope(reserved []string, pins map[string]string) *Scope {
	s := &Scope{
		pins:     pins,
		pinned:   make(map[string][]string, len(pins)),
		reserved: make(map[string]bool, len(reserved)),
		taken:    make(map[string]bool),
		byOwner:  make(map[string]int),
		next:     make(map[string]int),
	}
	for _, name := range reserved {
		s.reserved[name] = true
	}
	for owner, name := range pins {
		s.pinned[name] = append(s.pinned[name], owner)
	}
	return s
}

// Assign answers reqs, in whatever order they come: pinned ones first, renames
// second, then the rest by the code points of their first owner. It may be
// called again with further requests, which yield to the earlier ones. An owner
// that was asked for before keeps its name.
func (s *Scope) Assign(reqs []Request) {
	sorted := slices.SortedFunc(slices.Values(reqs), func(a, b Request) int {
		return cmp.Compare(a.Owners[0], b.Owners[0])
	})
	var renames, rest []Request
	for _, req := range sorted {
		switch {
		case req.Rename:
			renames = append(renames, req)
		case !s.assignPinned(req):
			rest = append(rest, req)
		}
	}
	for _, req := range renames {
		s.assignFree(req)
	}
	for _, req := range rest {
		s.assignFree(req)
	}
}

// assignPinned gives req the pin of its first owner whose pin is still to be
// had. Where owners that shared an identifier ask for two, the first keeps it.
func (s *Scope) assignPinned(req Request) bool {
	for _, owner := range req.Owners {
		name, ok := s.pins[owner]
		if !ok || !s.legal(name) || token.IsExported(name) != token.IsExported(req.Candidates[0]) {
			continue
		}
		if !s.taken[name] {
			s.grant(req, name)
			return true
		}
	}
	return false
}

func (s *Scope) assignFree(req Request) {
	for _, name := range req.Candidates {
		if s.free(name, req) {
			s.grant(req, name)
			return
		}
	}
	last := req.Candidates[len(req.Candidates)-1]
	if r, _ := utf8.DecodeLastRuneInString(last); '0' <= r && r <= '9' {
		last += "_" // V1 and 2 is not V12
	}
	// Numbers below next are taken for good, or pinned for others: counting from 2
	// each time would be quadratic.
	for n := max(2, s.next[last]); ; n++ {
		if name := last + strconv.Itoa(n); s.free(name, req) {
			s.next[last] = n + 1
			s.grant(req, name)
			return
		}
	}
}

func (s *Scope) free(name string, req Request) bool {
	if s.taken[name] || !s.legal(name) {
		return false
	}
	return !slices.ContainsFunc(s.pinned[name], func(owner string) bool { return !slices.Contains(req.Owners, owner) })
}

func (s *Scope) legal(name string) bool {
	return token.IsIdentifier(name) && name != "_" && !s.reserved[name] && types.Universe.Lookup(name) == nil
}

func (s *Scope) grant(req Request, name string) {
	s.taken[name] = true
	s.granted = append(s.granted, grant{name, req})
	for _, owner := range req.Owners {
		if _, again := s.byOwner[owner]; !again {
			s.byOwner[owner] = len(s.granted) - 1
		}
	}
}

// Name returns the identifier of owner, "" when none was asked for.
func (s *Scope) Name(owner string) string {
	if index, ok := s.byOwner[owner]; ok {
		return s.granted[index].name
	}
	return ""
}

// Names returns the identifier of every owner that was asked for.
func (s *Scope) Names() map[string]string {
	names := make(map[string]string, len(s.byOwner))
	for owner, index := range s.byOwner {
		names[owner] = s.granted[index].name
	}
	return names
}

// Pins returns what must be pinned so that a later Scope gives the same names
// whatever is added: owners whose name is not their first candidate, or is what
// another owner wanted too. Pins of owners that nobody asked for, or that the
// user renamed, are returned as they were.
func (s *Scope) Pins() map[string]string {
	pins := make(map[string]string)
	for owner, name := range s.pins {
		if index, ok := s.byOwner[owner]; !ok || s.granted[index].req.Rename {
			pins[owner] = name
		}
	}
	lost := s.lost()
	for owner, index := range s.byOwner {
		g := s.granted[index]
		if !g.req.Rename && (lost[g.name] || g.name != g.req.Candidates[0]) {
			pins[owner] = g.name
		}
	}
	return pins
}

// lost returns the candidates that somebody would rather have had. It does not
// ask how the names came about, so pinning what is there already changes nothing.
func (s *Scope) lost() map[string]bool {
	lost := make(map[string]bool)
	for _, g := range s.granted {
		for _, name := range g.req.Candidates {
			if name == g.name {
				break
			}
			lost[name] = true
		}
	}
	return lost
}

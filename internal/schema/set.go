package schema

// Key returns a text that two values share where [Equal] reports true, and nowhere
// else. V is not nil.
func Key(v *Value) string {
	switch v.Kind {
	case String:
		return `"` + v.Text // no other key begins so
	case Number:
		return numberText(v.Text)
	}
	return string(appendData(nil, v))
}

// A Set is a list of values, no two of them equal. The zero Set is empty.
type Set struct {
	list  []*Value
	known map[string]bool // by Key
}

// SetOf returns the set of values.
func SetOf(values []*Value) *Set {
	s := &Set{known: make(map[string]bool, len(values))}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add appends v, and reports false where it is there already.
func (s *Set) Add(v *Value) bool {
	key := Key(v)
	if s.known[key] {
		return false
	}
	if s.known == nil {
		s.known = make(map[string]bool)
	}
	s.known[key] = true
	s.list = append(s.list, v)
	return true
}

// Has reports whether v is in s.
func (s *Set) Has(v *Value) bool { return s.known[Key(v)] }

// Values returns the values in the order in which they came, nil for none.
func (s *Set) Values() []*Value { return s.list }

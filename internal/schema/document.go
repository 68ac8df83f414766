package schema

import (
	"iter"
	"strconv"
	"strings"
)

// A Document is one self-contained schema with everything that its references
// can reach. It is safe for concurrent use; Root must not be modified.
type Document struct {
	Root    *Value
	Dialect Dialect // of the root

	root  *resource
	index index
}

// NewDocument reads root as one schema. Without $schema it is 2020-12; a
// $schema that we do not know is an [*UnknownDialectError]. Root may be of any
// kind: judging that is the caller's work.
func NewDocument(root *Value) (*Document, error) {
	dialect := Draft2020
	if s := root.Get("$schema"); s != nil {
		uri, ok := s.Text, false
		if s.Kind == String {
			dialect, ok = DialectByURI(uri)
		} else {
			uri = s.JSON()
		}
		if !ok {
			return nil, &UnknownDialectError{uri}
		}
	}
	d := &Document{Root: root, Dialect: dialect}
	d.root, d.index = buildIndex(root, dialect)
	return d, nil
}

// A Node is a place in a document; the zero Node is nowhere.
type Node struct {
	Value   *Value // nil when there is nothing, and then nothing else is of use
	Pointer string // RFC 6901, from the document's root; "" is the root

	doc *Document
	res *resource // the innermost resource around Value: base URI and dialect
}

// RootNode returns the node of the document's root.
func (d *Document) RootNode() Node {
	return Node{Value: d.Root, doc: d, res: d.root}
}

// Dialect returns the dialect in force at n: the document's, unless an embedded
// resource around n chose another.
func (n Node) Dialect() Dialect {
	if n.res == nil {
		return Draft2020
	}
	return n.res.dialect
}

// Child returns the member or array element of n that token names, a name or a
// decimal index without its pointer escapes. Value is nil when there is none.
func (n Node) Child(token string) Node {
	value := n.Value.child(token)
	if value == nil {
		return Node{} // most keywords are asked for in vain: no pointer for those
	}
	return n.at(token, value)
}

func (n Node) at(token string, value *Value) Node {
	child := Node{Value: value, Pointer: JoinPointer(n.Pointer, token), doc: n.doc, res: n.res}
	if n.doc != nil {
		if res, ok := n.doc.index.resources[value]; ok {
			child.res = res
		}
	}
	return child
}

// Subschemas yields the schemas that stand directly in n under a keyword of
// n's dialect, in document order: members of properties, elements of allOf and
// so on. Values that are neither object nor boolean are passed over.
func (n Node) Subschemas() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		keyword := Node{}
		n.Dialect().subschemas(n.Value, func(s step, v *Value) bool {
			if !s.nested {
				return yield(n.at(s.keyword, v))
			}
			if at := n.Value.Get(s.keyword); keyword.Value != at {
				keyword = n.at(s.keyword, at)
			}
			return yield(keyword.at(s.token, v))
		})
	}
}

func (v *Value) child(token string) *Value {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case Object:
		return v.Get(token)
	case Array:
		if i, ok := arrayIndex(token); ok && i < len(v.Items) {
			return v.Items[i]
		}
	}
	return nil
}

// arrayIndex reads an RFC 6901 array index: digits without a leading zero.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || token[0] == '0' && token != "0" {
		return 0, false
	}
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}

var (
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// JoinPointer appends token to the JSON pointer ptr, escaping '~' and '/'.
func JoinPointer(ptr, token string) string {
	return ptr + "/" + escapeToken.Replace(token)
}

// SplitPointer returns the unescaped tokens of a JSON pointer: none for "".
func SplitPointer(ptr string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if ptr == "" {
			return
		}
		for token := range strings.SplitSeq(strings.TrimPrefix(ptr, "/"), "/") {
			if !yield(unescapeToken.Replace(token)) {
				return
			}
		}
	}
}

package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

var (
	// ErrRemote says that a reference leaves the document. Nothing is ever fetched.
	ErrRemote = errors.New("reference leaves the document")
	// ErrNotFound says that a reference points at nothing in the document.
	ErrNotFound = errors.New("reference points at nothing")
)

// Resolve finds what ref, the value of a $ref at from, points at: "#",
// "#/a/b/0" (percent-encoded, then with ~1 and ~0), "#name" for an anchor, or a
// URI that resolves to a resource inside the document, with any of these
// fragments. One step only: the target may itself be a reference. The error
// wraps [ErrRemote] or [ErrNotFound] and names ref.
func (d *Document) Resolve(from Node, ref string) (Node, error) {
	res := from.res
	if res == nil {
		res = d.root
	}
	address, fragment, _ := strings.Cut(ref, "#")
	if len(address) > maxURI {
		return Node{}, fmt.Errorf("$ref %q: %w", clip(ref), ErrRemote)
	}
	if address != "" {
		u, err := url.Parse(address)
		if err != nil {
			return Node{}, fmt.Errorf("$ref %q is no valid URI: %w", clip(ref), ErrNotFound)
		}
		if res = d.index.byURI[res.base.ResolveReference(u).String()]; res == nil {
			return Node{}, fmt.Errorf("$ref %q: %w", clip(ref), ErrRemote)
		}
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return Node{}, fmt.Errorf("$ref %q is badly percent-encoded: %w", clip(ref), ErrNotFound)
	}
	target := d.find(res, fragment)
	if target.Value == nil {
		return Node{}, fmt.Errorf("$ref %q: %w", clip(ref), ErrNotFound)
	}
	return target, nil
}

// find looks up a decoded fragment in res. Value is nil when there is nothing.
func (d *Document) find(res *resource, fragment string) Node {
	if fragment != "" && fragment[0] != '/' {
		return d.node(res.anchors[fragment], res)
	}
	n := d.node(res.place, res)
	for token := range SplitPointer(fragment) {
		if n.Value == nil {
			break
		}
		n = n.Child(token)
	}
	return n
}

func (d *Document) node(at place, res *resource) Node {
	return Node{Value: at.value, Pointer: at.path.pointer(), doc: d, res: res}
}

// clip shortens what an error quotes.
func clip(s string) string {
	const limit = 100
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}

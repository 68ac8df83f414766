package schema

import (
	"net/url"
	"strings"
)

// A resource is a schema with a base URI of its own: the root, or a subschema
// with $id.
type resource struct {
	base    *url.URL // absolute, without fragment
	dialect Dialect
	place   place
	anchors map[string]place
}

// A place is a value and the way to it.
type place struct {
	value *Value
	path  *path
}

// A path leads from the root to a subschema. Pointers are spelled from it only
// when asked for: a pointer for each of 100,000 schemas below a long name would
// be gigabytes.
type path struct {
	parent *path
	step   step
}

func (p *path) pointer() string {
	if p == nil {
		return ""
	}
	ptr := JoinPointer(p.parent.pointer(), p.step.keyword)
	if p.step.nested {
		ptr = JoinPointer(ptr, p.step.token)
	}
	return ptr
}

// An index finds resources by value and by URI.
type index struct {
	resources map[*Value]*resource
	byURI     map[string]*resource
}

// noBase stands for the unknown address of a document without $id, so that
// relative references inside it still meet.
var noBase = &url.URL{Scheme: "mcpbind", Path: "/"}

// Resources beyond these bounds are not entered: relative ids below a long base
// would be gigabytes of URIs.
const (
	maxURI       = 2 << 10 // bytes
	maxResources = 10_000
)

func buildIndex(root *Value, dialect Dialect) (*resource, index) {
	x := index{resources: map[*Value]*resource{}, byURI: map[string]*resource{}}
	res := &resource{base: noBase, dialect: dialect, place: place{value: root}}
	x.byURI[noBase.String()] = res
	x.walk(root, nil, res)
	if own, ok := x.resources[root]; ok {
		res = own
	}
	return res, x
}

// walk enters v and everything below it that stands at a schema position: an
// $id inside enum, const, default or examples is data.
func (x *index) walk(v *Value, at *path, res *resource) {
	if v == nil || v.Kind != Object {
		return
	}
	res = x.enter(v, at, res)
	res.dialect.subschemas(v, func(s step, sub *Value) bool {
		if sub.Kind == Object {
			x.walk(sub, &path{at, s}, res)
		}
		return true
	})
}

// enter records what v calls itself and returns the resource that v is in.
func (x *index) enter(v *Value, at *path, res *resource) *resource {
	dialect := res.dialect
	if own, ok := DialectByURI(v.Get("$schema").text()); ok {
		dialect = own // counts only together with an $id, below
	}
	if dialect.RefAlone() && v.Get("$ref").text() != "" {
		return res
	}
	here := place{v, at}
	if id, fragment, ok := splitID(v.Get(dialect.idKeyword()), res.base); ok {
		if id != res.base {
			res = x.newResource(id, dialect, here, res)
		}
		res.anchor(fragment, here)
	}
	if res.dialect >= Draft2019 {
		res.anchor(v.Get("$anchor").text(), here)
	}
	if res.dialect >= Draft2020 {
		res.anchor(v.Get("$dynamicAnchor").text(), here)
	}
	return res
}

// splitID resolves an $id against base. An $id that is only a fragment names a
// place in the resource that it stands in: then id is base itself.
func splitID(v *Value, base *url.URL) (id *url.URL, fragment string, ok bool) {
	text := v.text()
	if text == "" || len(text) > maxURI {
		return nil, "", false
	}
	if name, found := strings.CutPrefix(text, "#"); found {
		name, err := url.PathUnescape(name)
		return base, name, err == nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, "", false
	}
	fragment = u.Fragment
	id = base.ResolveReference(u)
	id.Fragment, id.RawFragment = "", ""
	return id, fragment, true
}

// newResource enters the resource that starts at a place inside outer.
func (x *index) newResource(base *url.URL, dialect Dialect, at place, outer *resource) *resource {
	uri := base.String()
	if len(uri) > maxURI || len(x.resources) >= maxResources {
		return outer
	}
	res := &resource{base: base, dialect: dialect, place: at}
	x.resources[at.value] = res
	if x.byURI[uri] == nil { // the first of equal names wins
		x.byURI[uri] = res
	}
	return res
}

func (r *resource) anchor(name string, at place) {
	if name == "" || strings.HasPrefix(name, "/") {
		return
	}
	if r.anchors == nil {
		r.anchors = map[string]place{}
	}
	if _, taken := r.anchors[name]; !taken {
		r.anchors[name] = at
	}
}

// text returns the text of a string, and "" for anything else.
func (v *Value) text() string {
	if v == nil || v.Kind != String {
		return ""
	}
	return v.Text
}

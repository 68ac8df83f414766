package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// planned lists the keys that have a meaning in a version to come. They are
// refused, since ignoring them would do something else than was asked for.
var planned = map[reflect.Type][]string{
	reflect.TypeFor[Go](): {"fake"},
}

// maxAliases bounds how often aliases are followed in one file: they can make a
// short file long.
const maxAliases = 1000

// utf8BOM is what some editors put in front of a file.
var utf8BOM = []byte("\xef\xbb\xbf")

// A decoder fills a Document from YAML and remembers where each key stood. The
// YAML package's own decoder is not used: its errors quote the source.
type decoder struct {
	path    string
	anchors map[string]ast.Node
	places  map[string]*token.Position // by dotted key
	aliases int
	errs    Errors
}

// decode reads one YAML document into doc.
func (d *decoder) decode(data []byte, doc *Document) {
	d.anchors, d.places = map[string]ast.Node{}, map[string]*token.Position{}
	file, err := parser.ParseBytes(bytes.TrimPrefix(data, utf8BOM), 0)
	if err != nil {
		d.syntax(err)
		return
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil { // comments are no part of it
			bodies = append(bodies, doc.Body)
		}
	}
	switch len(bodies) {
	case 0:
		d.errs = append(d.errs, &Error{Path: d.path, Message: "the file is empty; begin with \"version: 1\""})
	case 1:
		d.value("", bodies[0], reflect.ValueOf(doc).Elem())
	default:
		d.fail("", bodies[1], "a second YAML document; only one is read")
	}
}

func (d *decoder) syntax(err error) {
	e := &Error{Path: d.path, Message: "not valid YAML"}
	if located, ok := errors.AsType[yaml.Error](err); ok {
		// Messages of the parser name keys at most, never values.
		e.Message += ": " + located.GetMessage()
		if strings.Contains(e.Message, "'\t'") {
			e.Message = "not valid YAML: a tab where a key or a value begins; indent with spaces"
		}
		if tok := located.GetToken(); tok != nil && tok.Position != nil {
			e.Line, e.Column = tok.Position.Line, tok.Position.Column
		}
	}
	d.errs = append(d.errs, e)
}

func (d *decoder) fail(key string, node ast.Node, format string, args ...any) {
	d.failAt(key, position(node), format, args...)
}

func (d *decoder) failAt(key string, at *token.Position, format string, args ...any) {
	e := &Error{Path: d.path, Key: key, Message: fmt.Sprintf(format, args...)}
	if at != nil {
		e.Line, e.Column = at.Line, at.Column
	}
	d.errs = append(d.errs, e)
}

// position returns where node begins. A mapping's own token is its first colon.
func position(node ast.Node) *token.Position {
	if m, ok := node.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		node = m.Values[0].Key
	}
	if m, ok := node.(*ast.MappingValueNode); ok {
		node = m.Key
	}
	if node == nil || node.GetToken() == nil {
		return nil
	}
	return node.GetToken().Position
}

// resolve strips anchors, tags and aliases off node.
func (d *decoder) resolve(key string, node ast.Node) ast.Node {
	for {
		switch n := node.(type) {
		case *ast.AnchorNode:
			d.anchors[n.Name.GetToken().Value] = n.Value
			node = n.Value
		case *ast.AliasNode:
			target, ok := d.anchors[n.Value.GetToken().Value]
			if d.aliases++; !ok || d.aliases > maxAliases {
				d.fail(key, n, "an alias without its anchor, or too many aliases")
				return nil
			}
			node = target
		case *ast.TagNode:
			d.fail(key, n, "YAML tags are not supported")
			return nil
		default:
			return node
		}
	}
}

func (d *decoder) value(key string, node ast.Node, dst reflect.Value) {
	if key != "" && d.places[key] == nil {
		d.places[key] = position(node)
	}
	if node = d.resolve(key, node); node == nil {
		return
	}
	switch dst.Kind() {
	case reflect.Pointer:
		if node.Type() == ast.NullType && dst.Type().Elem().Kind() == reflect.Struct {
			return // `auth:` with nothing below it asks for nothing
		}
		dst.Set(reflect.New(dst.Type().Elem()))
		d.value(key, node, dst.Elem())
	case reflect.Struct:
		d.object(key, node, dst)
	case reflect.Map:
		d.mapping(key, node, dst)
	case reflect.Slice:
		d.list(key, node, dst)
	case reflect.String:
		if s, ok := scalar(node); ok {
			dst.SetString(s)
		} else {
			d.fail(key, node, "must be text")
		}
	case reflect.Bool:
		if b, ok := node.(*ast.BoolNode); ok {
			dst.SetBool(b.Value)
		} else {
			d.fail(key, node, "must be true or false")
		}
	case reflect.Int:
		n, err := strconv.Atoi(node.GetToken().Value)
		if _, ok := node.(*ast.IntegerNode); !ok || err != nil {
			d.fail(key, node, "must be a whole number")
			return
		}
		dst.SetInt(int64(n))
	default:
		panic("config: no rule for " + dst.Type().String())
	}
}

// scalar returns the text of a scalar as it is spelled: `args: [-p, 8080]` and
// `env: {DEBUG: true}` are meant as text.
func scalar(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	default:
		return "", false
	}
}

func (d *decoder) object(key string, node ast.Node, dst reflect.Value) {
	fields := map[string]int{}
	for i := range dst.NumField() {
		name, _, _ := strings.Cut(dst.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	d.members(key, node, func(name, full string, keyNode, value ast.Node) {
		i, known := fields[name]
		switch {
		case known:
			d.places[full] = position(keyNode)
			d.value(full, value, dst.Field(i))
		case slices.Contains(planned[dst.Type()], name):
			d.fail(key, keyNode, "%q is not supported yet", name)
		default:
			d.fail(key, keyNode, "unknown key %q%s", name, suggest(name, fields))
		}
	})
}

func (d *decoder) mapping(key string, node ast.Node, dst reflect.Value) {
	dst.Set(reflect.MakeMap(dst.Type()))
	d.members(key, node, func(name, full string, keyNode, value ast.Node) {
		d.places[full] = position(keyNode)
		item := reflect.New(dst.Type().Elem()).Elem()
		d.value(full, value, item)
		dst.SetMapIndex(reflect.ValueOf(name), item)
	})
}

// members calls f for each member of a mapping, merge keys (<<) included, which
// lose against members of the mapping itself.
func (d *decoder) members(key string, node ast.Node, f func(name, full string, keyNode, value ast.Node)) {
	m, ok := node.(ast.MapNode)
	if !ok {
		if node.Type() != ast.NullType { // `servers:` with nothing below it
			d.fail(key, node, "must be a mapping of keys to values")
		}
		return
	}
	var merged []ast.Node
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		if _, ok := it.Key().(*ast.MergeKeyNode); ok {
			merged = append(merged, it.Value())
			continue
		}
		name, ok := scalar(d.resolve(key, it.Key()))
		if !ok {
			d.fail(key, it.Key(), "a key must be text")
			continue
		}
		seen[name] = true
		f(name, join(key, name), it.Key(), it.Value())
	}
	for _, node := range merged {
		if node = d.resolve(key, node); node == nil {
			continue
		}
		d.members(key, node, func(name, full string, keyNode, value ast.Node) {
			if !seen[name] {
				f(name, full, keyNode, value)
			}
		})
	}
}

func (d *decoder) list(key string, node ast.Node, dst reflect.Value) {
	seq, ok := node.(*ast.SequenceNode)
	if !ok {
		d.fail(key, node, "must be a list")
		return
	}
	for i, value := range seq.Values {
		item := reflect.New(dst.Type().Elem()).Elem()
		d.value(key+"["+strconv.Itoa(i)+"]", value, item)
		dst.Set(reflect.Append(dst, item))
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

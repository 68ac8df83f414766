package cases

import (
	"go/types"
	"reflect"
	"strings"
)

// This file answers what the walk of typed_test.go asks about emitted Go types.

// bare takes pointers and Nullable off t.
func bare(t types.Type) types.Type {
	for {
		t = types.Unalias(t)
		switch u := t.(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Named:
			if u.Obj().Name() == "Nullable" && u.TypeArgs().Len() == 1 {
				t = u.TypeArgs().At(0)
				continue
			}
		}
		return t
	}
}

// isRaw reports whether t holds any JSON at all.
func isRaw(t types.Type) bool {
	t = bare(t)
	if i, ok := t.Underlying().(*types.Interface); ok {
		return i.Empty()
	}
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

// variants lists the types that the union t may hold, its raw one left out; t
// itself when it is no union.
func variants(t types.Type) []types.Type {
	t = bare(t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() != 1 || s.Field(0).Name() != "Value" || s.Tag(0) != "" {
		return []types.Type{t}
	}
	i, ok := s.Field(0).Type().Underlying().(*types.Interface)
	if !ok || i.Empty() {
		return []types.Type{t}
	}
	scope := t.(*types.Named).Obj().Pkg().Scope()
	var out []types.Type
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !types.IsInterface(tn.Type()) &&
			types.Implements(tn.Type(), i) && !isRaw(tn.Type()) {
			out = append(out, tn.Type())
		}
	}
	return out
}

// holds reports whether t can hold JSON of the given kind.
func holds(t types.Type, kind string) bool {
	switch u := bare(t).Underlying().(type) {
	case *types.Basic:
		isNumber := u.Info()&types.IsNumeric != 0 || u.Kind() == types.String // json.Number is a string
		switch kind {
		case "string":
			return u.Kind() == types.String
		case "boolean":
			return u.Kind() == types.Bool
		case "integer", "number":
			return isNumber
		}
		return false
	case *types.Slice:
		return kind == "array"
	case *types.Map:
		return kind == "object"
	case *types.Struct:
		tuple := u.NumFields() > 0 && strings.Contains(u.Tag(0), `codec:"tuple"`)
		return kind == "array" == tuple && (kind == "array" || kind == "object") || len(variants(t)) > 1
	}
	return false
}

// members returns the Go types of the member called key in t or its variants.
func members(t types.Type, key string) []types.Type {
	var out []types.Type
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Struct:
			if ft := field(u, key); ft != nil {
				out = append(out, ft)
			}
		case *types.Map:
			out = append(out, u.Elem())
		}
	}
	return out
}

// field finds the field of key, else the value type of Extra.
func field(s *types.Struct, key string) types.Type {
	var extra types.Type
	for i := range s.NumFields() {
		tag := reflect.StructTag(s.Tag(i))
		wire, isWire := tag.Lookup("wire")
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case isWire && wire == key, !isWire && name == key && name != "" && tag.Get("codec") == "":
			return s.Field(i).Type()
		case tag.Get("codec") == "extra":
			extra = s.Field(i).Type().Underlying().(*types.Map).Elem()
		}
	}
	return extra
}

// mapValues returns the Go types of undeclared members in t or its variants.
func mapValues(t types.Type) []types.Type {
	var out []types.Type
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Map:
			out = append(out, u.Elem())
		case *types.Struct:
			for i := range u.NumFields() {
				if reflect.StructTag(u.Tag(i)).Get("codec") == "extra" {
					out = append(out, u.Field(i).Type().Underlying().(*types.Map).Elem())
				}
			}
		}
	}
	return out
}

// elements returns the types of position i of the list or tuple t or its variants.
func elements(t types.Type, i int) []types.Type {
	var out []types.Type
	for _, v := range variants(t) {
		switch u := v.Underlying().(type) {
		case *types.Slice:
			out = append(out, u.Elem())
		case *types.Struct:
			if at := itemAt(u, i); at != nil {
				out = append(out, at)
			}
		}
	}
	return out
}

// itemAt returns the type of position i of the tuple s, nil when it has none.
func itemAt(s *types.Struct, i int) types.Type {
	item := 0
	for f := range s.NumFields() {
		switch kind, _, _ := strings.Cut(reflect.StructTag(s.Tag(f)).Get("codec"), ","); kind {
		case "item":
			if item == i {
				return s.Field(f).Type()
			}
			item++
		case "rest":
			return s.Field(f).Type().Underlying().(*types.Slice).Elem()
		}
	}
	return nil
}

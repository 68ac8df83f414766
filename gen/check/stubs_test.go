package check

import (
	"bytes"
	"encoding/json"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// TestStubsAreSubsets compares each stub with the package it stands for: what
// type-checks against the stub must type-check against the actual thing.
func TestStubsAreSubsets(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	loaded, err := stubPackages()
	if err != nil {
		t.Fatal(err)
	}
	actual := realPackages(t)
	for _, stub := range stubs {
		want, err := actual.Import(stub.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range loaded[stub.path].Scope().Names() {
			if !token.IsExported(name) {
				t.Errorf("%s: the stub declares %s", stub.path, name)
				continue
			}
			compare(t, loaded[stub.path].Scope().Lookup(name), want.Scope().Lookup(name))
		}
	}
}

// realPackages imports from the export data of the go command's build cache.
func realPackages(t *testing.T) types.Importer {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
	for _, stub := range stubs {
		args = append(args, stub.path)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports := make(map[string]string)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct{ ImportPath, Export string }
		if err := dec.Decode(&pkg); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[pkg.ImportPath] = pkg.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
}

func compare(t *testing.T, stub, actual types.Object) {
	t.Helper()
	name := stub.Pkg().Path() + "." + stub.Name()
	if actual == nil {
		t.Errorf("%s does not exist", name)
		return
	}
	if s, ok := stub.(*types.TypeName); ok {
		r, ok := actual.(*types.TypeName)
		if !ok || s.IsAlias() != r.IsAlias() {
			t.Errorf("%s is %v, the stub says %v", name, actual, stub)
			return
		}
		compareTypes(t, name, s, r)
		return
	}
	if got, want := types.ObjectString(stub, nil), types.ObjectString(actual, nil); got != want {
		t.Errorf("%s\nstub %s\nactual %s", name, got, want)
	}
}

func compareTypes(t *testing.T, name string, stub, actual *types.TypeName) {
	t.Helper()
	if stub.IsAlias() {
		if got, want := types.ObjectString(stub, nil), types.ObjectString(actual, nil); got != want {
			t.Errorf("%s\nstub %s\nactual %s", name, got, want)
		}
		return
	}
	s, r := stub.Type().(*types.Named), actual.Type().(*types.Named)
	if got, want := s.TypeParams().Len(), r.TypeParams().Len(); got != want {
		t.Errorf("%s has %d type parameters, the stub %d", name, want, got)
	}
	for method := range s.Methods() {
		compareMethod(t, name, method, types.NewMethodSet(types.NewPointer(r)).Lookup(nil, method.Name()))
	}
	switch su := s.Underlying().(type) {
	case *types.Struct:
		compareFields(t, name, su, r.Underlying())
	case *types.Interface:
		ru, ok := r.Underlying().(*types.Interface)
		if !ok {
			t.Errorf("%s is no interface", name)
			return
		}
		for method := range su.ExplicitMethods() {
			compareMethod(t, name, method, types.NewMethodSet(ru).Lookup(nil, method.Name()))
		}
	default:
		if got, want := types.TypeString(su, nil), types.TypeString(r.Underlying(), nil); got != want {
			t.Errorf("%s is %s, the stub says %s", name, want, got)
		}
	}
}

func compareMethod(t *testing.T, name string, stub *types.Func, actual *types.Selection) {
	t.Helper()
	if actual == nil {
		t.Errorf("%s has no method %s", name, stub.Name())
		return
	}
	// Parameter names do not matter: compare the types in order.
	if got, want := signature(stub.Signature()), signature(actual.Obj().(*types.Func).Signature()); !slices.Equal(got, want) {
		t.Errorf("%s.%s is %s, the stub says %s", name, stub.Name(), want, got)
	}
}

func signature(s *types.Signature) []string {
	var list []string
	for p := range s.Params().Variables() {
		list = append(list, types.TypeString(p.Type(), nil))
	}
	list = append(list, "->")
	for r := range s.Results().Variables() {
		list = append(list, types.TypeString(r.Type(), nil))
	}
	return list
}

func compareFields(t *testing.T, name string, stub *types.Struct, actual types.Type) {
	t.Helper()
	fields := make(map[string]string)
	if r, ok := actual.(*types.Struct); ok {
		for field := range r.Fields() {
			fields[field.Name()] = types.TypeString(field.Type(), nil)
		}
	} else {
		t.Errorf("%s is %v, the stub says struct", name, actual)
	}
	for field := range stub.Fields() {
		if got := types.TypeString(field.Type(), nil); got != fields[field.Name()] {
			t.Errorf("%s.%s is %q, the stub says %s", name, field.Name(), fields[field.Name()], got)
		}
	}
}

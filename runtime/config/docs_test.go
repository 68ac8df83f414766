package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keysOf returns the dotted keys of t's fields and of those below them.
func keysOf(t reflect.Type, prefix string) []string {
	var keys []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		keys = append(keys, prefix+name)
		next, below := f.Type, prefix+name+"."
		if next.Kind() == reflect.Map {
			next, below = next.Elem(), below+"NAME."
		}
		if next.Kind() == reflect.Pointer {
			next = next.Elem()
		}
		if next.Kind() == reflect.Struct {
			keys = append(keys, keysOf(next, below)...)
		}
	}
	for _, name := range planned[t] {
		keys = append(keys, prefix+name)
	}
	return keys
}

// docs/configuration.md has one table of all keys.
func TestDocumentedKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|(.*)$").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, row[1])
		isPlanned := strings.HasSuffix(row[1], ".fake")
		if isPlanned != strings.Contains(row[2], "Not supported yet.") {
			t.Errorf("%s: the table is wrong about whether it is supported", row[1])
		}
	}
	want := keysOf(reflect.TypeFor[Document](), "")
	slices.Sort(want)
	slices.Sort(documented)
	if diff := cmp.Diff(want, documented); diff != "" {
		t.Errorf("keys of docs/configuration.md (-code +docs):\n%s", diff)
	}
}

// Every field has a description, for config schema.
func TestDescriptions(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Document](), reflect.TypeFor[Server](), reflect.TypeFor[Auth](), reflect.TypeFor[Validate](), reflect.TypeFor[Tools](), reflect.TypeFor[Go](),
	} {
		for f := range typ.Fields() {
			if !strings.HasSuffix(f.Tag.Get("jsonschema_description"), ".") {
				t.Errorf("%s.%s has no description that ends in a full stop", typ.Name(), f.Name)
			}
		}
	}
}

package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpbind/mcpbind/internal/testshared"
	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

// newOracle returns another implementation's opinion of values, or nil where it has
// none. It has no bounds: only known schemas and values may come here.
func newOracle(raw []byte) func(instance []byte) bool {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if c.AddResource("mem:///schema", doc) != nil {
		return nil
	}
	s, err := c.Compile("mem:///schema")
	if err != nil {
		return nil
	}
	return func(instance []byte) bool {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
		return err == nil && s.Validate(value) == nil
	}
}

// mutants are values near instance: each with one value in it replaced or removed.
func mutants(instance []byte) [][]byte {
	var root any
	if json.Unmarshal(instance, &root) != nil {
		return nil
	}
	var out [][]byte
	emit := func() {
		if b, err := json.Marshal(root); err == nil {
			out = append(out, b)
		}
	}
	others := []any{nil, 1.0, -1.5, "a", map[string]any{}}
	var visit func(v any, set func(any))
	visit = func(v any, set func(any)) {
		for _, other := range others {
			set(other)
			emit()
		}
		set(v)
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				delete(v, name)
				emit()
				v[name] = member
				visit(member, func(x any) { v[name] = x })
			}
			v["unknown"] = "x"
			emit()
			delete(v, "unknown")
		case []any:
			for i, item := range v {
				visit(item, func(x any) { v[i] = x })
			}
			set(append(v, "x"))
			emit()
			set(v)
		}
	}
	visit(root, func(x any) { root = x })
	return out
}

// TestOracle compares with another implementation on values near the shared ones.
func TestOracle(t *testing.T) {
	values, undecided := 0, 0
	for _, folder := range []string{"cases/report", "cases/nasty", "jsts/draft2020-12", "jsts/draft7"} {
		for _, file := range testshared.Files(t, folder+"/*.json") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c struct {
				Tool           struct{ InputSchema json.RawMessage }
				Accept, Reject []json.RawMessage
			}
			if err := json.Unmarshal(data, &c); err != nil {
				t.Fatal(err)
			}
			oracle := newOracle(c.Tool.InputSchema)
			if oracle == nil || strings.HasPrefix(filepath.Base(file), "format-") { // it asserts formats of draft-07 unasked
				continue
			}
			s, err := validate.Compile(c.Tool.InputSchema, validate.Options{})
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			for _, instance := range append(c.Accept, c.Reject...) {
				for _, mutant := range mutants(instance) {
					want := oracle(mutant)
					values++
					violations, err := s.Validate(t.Context(), mutant)
					switch {
					case errors.Is(err, validate.ErrBudget):
						undecided++
					case err != nil || (len(violations) == 0) != want:
						t.Errorf("%s: %s: oracle says valid is %v, got %v %v", file, mutant, want, violations, err)
					}
				}
			}
		}
	}
	t.Logf("%d values judged alike, %d left unvalidated", values, undecided)
}

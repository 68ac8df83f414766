package validate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/testshared"
	"github.com/mcpbind/mcpbind/internal/yardstick"
	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

// enough is far more CPU time than any attack takes and far less than one without
// a bound.
const enough = time.Second

// within fails the test when f takes more than enough. It may run f again.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	t.Logf("%s: %v", what, yardstick.Check(t, enough, f).Round(10*time.Microsecond))
}

// doubling is a schema in which each of n levels refers twice to the next.
func doubling(n int, dialect, leaf string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"$schema":%q,"properties":{"v":{"$ref":"#/definitions/d%d"}},"definitions":{"d0":%s`, dialect, n, leaf)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `,"d%d":{"allOf":[{"$ref":"#/definitions/d%d"},{"$ref":"#/definitions/d%d"}]}`, i, i-1, i-1)
	}
	return b.String() + "}}"
}

func repeated(element string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
}

// clique is a schema of n definitions, each a union of all of them put into form.
func clique(n int, form string) string {
	union := `{"minProperties":1,"anyOf":[` + distinct(fmt.Sprintf(form, `{"$ref":"#/$defs/%d"}`), n) + `]}`
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"%d":%s`, i, union))
	}
	return `{"properties":{"v":{"$ref":"#/$defs/0"},"w":{"minimum":1}},"$defs":{` + strings.Join(defs, ",") + `}}`
}

func distinct(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+format, i)
	}
	return b.String()[1:]
}

func TestAttacksOnValidation(t *testing.T) {
	const draft7, latest = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"
	const (
		valid   = "valid"
		invalid = "invalid"
		left    = "left unvalidated"
		either  = "invalid, or left unvalidated on a slow machine"
	)
	tests := []struct {
		name, schema, value, want string
	}{
		{"huge exponent against a bound", `{"maximum":5}`, `1e10000000`, invalid},
		{"absurd exponent against a bound", `{"maximum":5}`, `1e99999999999999999999`, invalid},
		{"absurd negative exponent", `{"minimum":1}`, `1e-99999999999999999999`, invalid},
		{"huge exponent as integer", `{"type":"integer"}`, `1e1000000000`, valid},
		{"huge exponent divided", `{"multipleOf":0.7}`, `1e1000000000`, invalid},
		{"huge exponent in an enum", `{"enum":[1e1000000000]}`, `10e999999999`, valid},
		{"huge exponent in the bound", `{"maximum":1e1000000000}`, `5`, valid},
		{"huge exponent in a count", `{"minLength":1e1000000000}`, `"a"`, invalid},
		{"a long number divided", `{"multipleOf":7}`, strings.Repeat("7", 500_000), valid},
		{"a long number divided, under not", `{"not":{"multipleOf":7}}`, strings.Repeat("7", 500_000), valid},
		{"allOf doubling", doubling(30, latest, `{"type":"integer"}`), `{"v":1}`, left},
		{"allOf doubling in draft-07", doubling(30, draft7, `{"type":"integer"}`), `{"v":1}`, left},
		{"allOf doubling that fails", doubling(30, latest, `{"type":"string"}`), `{"v":1}`, invalid},
		{"allOf doubling of boolean schemas", doubling(30, draft7, `true`), `{"v":1}`, left},
		{"wide allOf over many items", `{"items":{"allOf":` + repeated(`{"minimum":0}`, 5000) + `}}`, repeated("1", 1000), left},
		{"wide enum over many items", `{"items":{"enum":[` + distinct("%d.5", 20_000) + `]}}`, `[` + distinct("%d.5", 20_000) + `]`, valid},
		{"large const over many items", `{"allOf":` + repeated(`{"const":`+repeated("[]", 1000)+`}`, 200) + `}`, repeated("[]", 1000), valid},
		{"uniqueItems of large items", `{"allOf":` + repeated(`{"uniqueItems":true}`, 1000) + `}`, `[` + distinct("[%d,[],[],[]]", 10_000) + `]`, left},
		{"many members against many schemas", `{"allOf":` + repeated(`{"additionalProperties":true,"minProperties":1}`, 5000) + `}`, `{` + distinct(`"k%d":0`, 5000) + `}`, left},
		{"a schema that is itself", `{"properties":{"v":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{"v":1}`, valid},
		{"a schema that refers to itself twice", `{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `1`, valid},
		{"unevaluated doubling", `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"unevaluatedProperties":false}},"$ref":"#/$defs/a"}`, `{"v":1}`, valid},
		{"definitions that all refer to all others", clique(30, "%s"), `{"v":{"a":1},"w":0}`, invalid},
		{"the same, that fail", clique(30, `{"allOf":[%s,{"type":"string"}]}`), `{"v":{"a":1},"w":1}`, invalid},
		{"the same, marked", clique(30, `{"anyOf":[%s,{"properties":{"a":{}}}],"unevaluatedProperties":false}`), `{"v":{"a":1},"w":0}`, invalid},
		{"regular expression that backtracks", `{"pattern":"^(?=a)(a+)+$"}`, `"` + strings.Repeat("a", 40) + `!"`, left},
		{"regular expressions that backtrack a little", `{"items":{"pattern":"^(?=a)(a+)+$"}}`, repeated(`"`+strings.Repeat("a", 19)+`!"`, 200), either},
		{"nested repetition in RE2", `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 100_000) + `!"`, invalid},
		{"a large RE2 program over a long text", `{"pattern":"^(?:a?){900}a{900}$"}`, `"` + strings.Repeat("a", 200_000) + `"`, left},
		{"many patterns over many names", `{"patternProperties":{` + distinct(`"^a%d":{}`, 2000) + `}}`, `{` + distinct(`"k%d":0`, 2000) + `}`, left},
		{"deep value", `{"items":{"$ref":"#"}}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000), left},
		{"deep union that fails", `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["b"]},{"properties":{"a":{"$ref":"#"}},"required":["c"]}]}`, strings.Repeat(`{"a":`, 150) + "{}" + strings.Repeat("}", 150), invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := validate.Compile(json.RawMessage(tt.schema), validate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			within(t, tt.want, func() {
				violations, err := s.Validate(t.Context(), []byte(tt.value))
				got := valid
				switch {
				case errors.Is(err, validate.ErrBudget):
					got = left
				case err != nil:
					t.Fatal(err)
				case len(violations) > 0:
					got = invalid
				}
				if got != tt.want && (tt.want != either || got == valid) {
					t.Errorf("got %s (%v), want %s", got, err, tt.want)
				}
			})
		})
	}
}

func TestAttacksOnCompilation(t *testing.T) {
	nested := func(open, end string, n int) string { return strings.Repeat(open, n) + "{}" + strings.Repeat(end, n) }
	tests := []struct {
		name, schema, want string // want "": compiles
	}{
		{"too many bytes", `{"description":"` + strings.Repeat("a", 2<<20) + `"}`, "larger than"},
		{"too many schemas", `{"allOf":` + repeated("{}", 100_000) + `}`, "subschemas"},
		{"many schemas", `{"allOf":` + repeated("{}", 19_000) + `}`, ""},
		{"too deep", nested(`{"not":`, `}`, 5000), "nested too deeply"},
		{"long names", `{"properties":{"` + strings.Repeat("a", 500_000) + `":{"allOf":` + repeated("{}", 10_000) + `}}}`, "path"},
		{"many references to odd places", `{"x":[` + distinct(`{"type":"string","%d":0}`, 6000) + `],"allOf":[` + distinct(`{"$ref":"#/x/%d"}`, 6000) + `]}`, ""},
		{"chain of references", `{"$defs":{` + distinct(`"%d":{"$ref":"#/$defs/1%[1]d"}`, 9000) + `},"$ref":"#/$defs/0"}`, ""},
		{"many resources", `{"$defs":{` + distinct(`"%d":{"$id":"http://a/%[1]d","$dynamicRef":"#a"}`, 5000) + `}}`, "embedded resources"},
		{"large repetition", `{"pattern":"((((a{900}){900}){900}){900})"}`, ""},
		{"large patterns", `{"allOf":[` + distinct(`{"pattern":"^(?:[a-z%d]{900}){20}$"}`, 5000) + `]}`, ""},
		{"nested groups", `{"pattern":"` + strings.Repeat("(", 2000) + strings.Repeat(")", 2000) + `"}`, ""},
		{"nested stars", `{"pattern":"` + strings.Repeat("(?:", 900) + "a" + strings.Repeat(")*", 900) + `"}`, ""},
		{"many Unicode classes", `{"pattern":"` + strings.Repeat(`\\p{L}`, 580) + `"}`, ""},
		{"a long pattern", `{"pattern":"` + strings.Repeat("a", 500_000) + `"}`, ""},
		{"huge numbers", `{"minimum":1e1000000000,"minItems":1e1000000000,"multipleOf":1e-1000000000,"enum":[1e1000000000]}`, ""},
		{"unknown dialect", `{"$schema":"https://example.com/my-dialect"}`, "dialect"},
		{"no JSON", `{"type":`, "JSON"},
		{"null", `null`, "not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			within(t, tt.want, func() {
				_, err := validate.Compile(json.RawMessage(tt.schema), validate.Options{Formats: true})
				if tt.want == "" && err != nil {
					t.Error(err)
				}
				if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("got error %v, want one with %q", err, tt.want)
				}
			})
		})
	}
}

// TestSharedAttacks runs the shared attacks as the runtime does: under a context
// of a second, with any answer but a late one.
func TestSharedAttacks(t *testing.T) {
	for _, file := range testshared.Files(t, "cases/refuse/*.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Tool                 struct{ InputSchema json.RawMessage }
			AcceptRaw, RejectRaw []string
		}
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		within(t, filepath.Base(file), func() {
			s, err := validate.Compile(c.Tool.InputSchema, validate.Options{})
			if err != nil {
				t.Logf("does not compile: %v", err)
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for _, value := range c.AcceptRaw {
				if violations, err := s.Validate(ctx, []byte(value)); len(violations) > 0 {
					t.Errorf("accept: %v %v", violations, err)
				}
			}
			for _, value := range c.RejectRaw {
				if violations, err := s.Validate(ctx, []byte(value)); len(violations) == 0 && !errors.Is(err, validate.ErrBudget) {
					t.Errorf("reject: %v %v", violations, err)
				}
			}
			if len(s.Warnings()) > 0 {
				t.Logf("not enforced: %v", s.Warnings())
			}
		})
	}
}

func TestContext(t *testing.T) {
	s, err := validate.Compile(json.RawMessage(`{"type":"array","items":{"type":"integer"}}`), validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	_, err = s.Validate(ctx, []byte(`[1]`))
	if !errors.Is(err, validate.ErrBudget) || !errors.Is(err, reason) {
		t.Errorf("under a cancelled context: %v", err)
	}
}

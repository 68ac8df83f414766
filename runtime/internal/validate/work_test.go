package validate_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

// allocated returns how many bytes f allocates: a measure of the work of copying and
// quoting that does not depend on the machine.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWordsArePaidFor: what a schema makes the messages quote costs no more than the
// budget, whether they are kept or not.
func TestWordsArePaidFor(t *testing.T) {
	const mib = 1 << 20
	long, digits := strings.Repeat("n", mib/2), strings.Repeat("7", mib/2)
	all := `,"properties":{"a":{"allOf":` + repeated(`{"$ref":"#/$defs/e"}`, 15_000) + `}}}`
	some := `,"properties":{"a":{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/e"},`, 9_000) + `true]}}}`
	none := `,"properties":{"a":{"anyOf":` + repeated(`{"$ref":"#/$defs/e"}`, 9_000) + `}}}`
	wide := `{"enum":[` + distinct(`"%d"`, 30_000) + `]}`
	tests := []struct {
		name, e, value string
	}{
		{"enum", wide, `"x"`},
		{"not an enum", `{"not":` + wide + `}`, `"5"`},
		{"const", `{"const":"` + long + `"}`, `"x"`},
		{"const of a long name", `{"const":{"` + long + `":1}}`, `{"x":1}`},
		{"unexpected property", `{"additionalProperties":false,"properties":{` + distinct(`"%d":{}`, 3_000) + `}}`, `{"x":1}`},
		{"long required name", `{"required":["` + long + `"]}`, `{}`},
		{"long limit", `{"maximum":0.` + digits + `}`, `1`},
		{"long number", `{"type":"integer"}`, `0.` + digits},
		{"many constants", `{"enum":["a"]}`, `"x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, rest := range []string{all, some, none} {
				s, value := compile(t, `{"$defs":{"e":`+tt.e+`}`+rest), []byte(`{"a":`+tt.value+`}`)
				got := allocated(func() { _, _ = s.Validate(t.Context(), value) })
				if got > 256*mib {
					t.Errorf("%d MiB allocated with %.40s", got/mib, rest)
				}
				t.Logf("%d KiB", got/1024)
			}
		})
	}
}

// TestMarksArePaidFor: what unevaluated* keeps of a long array costs steps for each
// schema that has its own.
func TestMarksArePaidFor(t *testing.T) {
	const levels = 1_000
	s := compile(t, `{"unevaluatedItems":false,"allOf":`+repeated(`{"minItems":1}`, levels)+`,"prefixItems":`+repeated("true", 50)+`}`)
	holds(t, s, repeated("1", 50), true)
	var err error
	got := allocated(func() { _, err = s.Validate(t.Context(), []byte(repeated("1", 200_000))) })
	if !errors.Is(err, validate.ErrBudget) {
		t.Errorf("got %v, want %v", err, validate.ErrBudget)
	}
	if marks := uint64(levels * 200_000); got > marks/2 {
		t.Errorf("%d bytes allocated", got)
	}
}

// TestCrowdedValues: small values by the million are not read into memory.
func TestCrowdedValues(t *testing.T) {
	s := compile(t, `{"type":["array","string"],"minItems":1}`)
	for _, value := range []string{repeated("0", 2_000_000), repeated("[]", 1_000_000)} {
		var err error
		got := allocated(func() { _, err = s.Validate(t.Context(), []byte(value)) })
		if !errors.Is(err, validate.ErrBudget) || got > 16<<20 {
			t.Errorf("%.9s: got %v, %d bytes allocated", value, err, got)
		}
	}
	holds(t, s, repeated("0", 100_000), true)
	holds(t, s, `"\\\"`+strings.Repeat(`,[`, 1_000_000)+`"`, true)
}

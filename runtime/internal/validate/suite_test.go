package validate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/testshared"
)

// A testCase is one file of the shared cases and of the JSON Schema Test Suite.
type testCase struct {
	Tool struct {
		Name                      string
		InputSchema, OutputSchema json.RawMessage
	}
	Accept, Reject, AcceptOutput, RejectOutput []json.RawMessage
	AcceptRaw, RejectRaw                       []string
	AssertFormat                               bool
}

// TestSuites checks every value of the shared cases against its schema.
func TestSuites(t *testing.T) {
	for _, folder := range []string{"cases/report", "cases/nasty", "jsts/draft2020-12", "jsts/draft7", "jsts/draft2020-12-optional"} {
		files, err := filepath.Glob(filepath.Join(testshared.Dir(t), folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: no cases: %v", folder, err)
			continue
		}
		report := t.Errorf
		if strings.HasSuffix(folder, "-optional") {
			report = func(string, ...any) {} // formats are asserted loosely: counted, not required
		}
		passed, values, wrong := 0, 0, 0
		for _, file := range files {
			n, faults := runCase(t, file)
			values += n
			wrong += len(faults)
			if len(faults) == 0 {
				passed++
				continue
			}
			for _, fault := range faults {
				report("%s/%s: %s", folder, filepath.Base(file), fault)
			}
		}
		t.Logf("%s: %d of %d full passes, %d of %d values judged right", folder, passed, len(files), values-wrong, values)
	}
}

func runCase(t *testing.T, file string) (values int, faults []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c testCase
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	judge := func(schema json.RawMessage, instances []json.RawMessage, want bool) {
		if len(instances) == 0 {
			return
		}
		s, err := Compile(schema, Options{Formats: c.AssertFormat})
		if err != nil {
			faults = append(faults, fmt.Sprintf("does not compile: %v", err))
			return
		}
		for _, instance := range instances {
			values++
			violations, err := s.Validate(t.Context(), instance)
			if err != nil {
				faults = append(faults, fmt.Sprintf("%s: %v", instance, err))
			} else if (len(violations) == 0) != want {
				faults = append(faults, fmt.Sprintf("%s: valid should be %v, got %v %v", instance, want, violations, s.Warnings()))
			}
		}
	}
	judge(c.Tool.InputSchema, c.Accept, true)
	judge(c.Tool.InputSchema, c.Reject, false)
	judge(c.Tool.OutputSchema, c.AcceptOutput, true)
	judge(c.Tool.OutputSchema, c.RejectOutput, false)
	return values, faults
}

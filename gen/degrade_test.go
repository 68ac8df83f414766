package gen_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// TestDegrade has a generator with a bug: it fails for every package in which a
// tool has types of a certain name.
func TestDegrade(t *testing.T) {
	cause := errors.New("unheard of")
	buggy := func(in gen.Input) (gen.Output, error) {
		out, err := gen.Attempt(in)
		if err == nil && strings.Contains(string(out.Files["types_gen.go"]), "BadInput") {
			return gen.Output{}, gen.FaultOf(cause)
		}
		return out, err
	}
	const schema = `"inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}`
	snap := func(tools ...string) *snapshot.Snapshot {
		s, err := snapshot.Parse([]byte(`{"format":1,"tools":[` + strings.Join(tools, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	in := gen.Input{Server: "s", Snapshot: snap(`{"name":"bad",`+schema+`,"outputSchema":{"type":"object"}}`, `{"name":"good",`+schema+`}`)}
	out, err := gen.Degrade(in, buggy)
	if err != nil {
		t.Fatal(err)
	}
	client := string(out.Files["client_gen.go"])
	for _, want := range []string{
		"Bad(ctx context.Context, in json.RawMessage, opts ...runtime.CallOption) (*json.RawMessage, error)",
		"Good(ctx context.Context, in GoodInput, ",
	} {
		if !strings.Contains(client, want) {
			t.Errorf("no %s in\n%s", want, client)
		}
	}
	if d := out.Diagnostics; len(d) != 1 || d[0].Tool != "bad" || d[0].Code != lower.CodeToolRejected || d[0].Hint == "" {
		t.Errorf("diagnostics %+v", d)
	}

	in.Options.Numbers = "odd" // nobody's fault but the user's
	attempts := 0
	_, err = gen.Degrade(in, func(in gen.Input) (gen.Output, error) {
		attempts++
		return buggy(in)
	})
	if err == nil || attempts != 1 {
		t.Errorf("options that make no sense give %v after %d attempts", err, attempts)
	}
}

// TestDegradeTogether has a generator that fails for what no tool does alone, and
// for an earlier snapshot.
func TestDegradeTogether(t *testing.T) {
	snap := func(text string) *snapshot.Snapshot {
		s, err := snapshot.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const schema = `"inputSchema":{"type":"object","properties":{"n":{"enum":["a"]}}}`
	now := snap(`{"format":1,"tools":[{"name":"one",` + schema + `},{"name":"two",` + schema + `}]}`)
	before := snap(`{"format":1,"tools":[{"name":"gone",` + schema + `},{"name":"one",` + schema + `}]}`)
	failing := func(fails func(in gen.Input, types string) bool) func(gen.Input) (gen.Output, error) {
		return func(in gen.Input) (gen.Output, error) {
			out, err := gen.Attempt(in)
			if err == nil && fails(in, string(out.Files["types_gen.go"])) {
				err = gen.FaultOf(errors.New("unheard of"))
			}
			return out, err
		}
	}
	for _, test := range []struct {
		name  string
		fails func(in gen.Input, types string) bool
		want  string // in the client
		said  int
	}{
		{"two tools together", func(_ gen.Input, types string) bool {
			return strings.Contains(types, "OneInput") && strings.Contains(types, "TwoInput")
		}, "Two(ctx context.Context, in json.RawMessage, ", 2},
		{"a tool that is gone", func(in gen.Input, types string) bool {
			return gen.TypedBefore(in, "gone") || strings.Contains(types, "GoneInput")
		}, "Two(ctx context.Context, in TwoInput, ", 0},
		{"an earlier snapshot", func(in gen.Input, _ string) bool { return gen.TypedBefore(in, "one") && gen.TypedBefore(in, "gone") },
			"Two(ctx context.Context, in json.RawMessage, ", 2},
	} {
		out, err := gen.Degrade(gen.Input{Server: "s", Snapshot: now, Previous: before}, failing(test.fails))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if client := string(out.Files["client_gen.go"]); !strings.Contains(client, test.want) {
			t.Errorf("%s: no %s in\n%s", test.name, test.want, client)
		}
		if len(out.Diagnostics) != test.said {
			t.Errorf("%s: diagnostics %+v", test.name, out.Diagnostics)
		}
	}
	_, err := gen.Degrade(gen.Input{Server: "s", Snapshot: now}, failing(func(gen.Input, string) bool { return true }))
	if err == nil {
		t.Error("what fails without types is no error")
	}
}

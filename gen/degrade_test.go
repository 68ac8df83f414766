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

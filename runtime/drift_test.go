package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// specOf is what a generated package says of a tool with this inputSchema.
func specOf(t testing.TB, name, input string) ToolSpec {
	t.Helper()
	v, err := schema.Parse([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return ToolSpec{Name: name, Digest: schema.Digest(nil, v, nil), InputSchema: string(schema.Canonical(v))}
}

const (
	oldInput    = `{"type":"object","properties":{"q":{"type":"string"}}}`
	saferInput  = `{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"integer"}}}`
	breakingIn  = `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`
	sameWritten = `{"properties":{"q":{"type":["string"]}},"type":"object"}`
)

func TestDrift(t *testing.T) {
	for name, c := range map[string]struct {
		live  string // inputSchema, "" when the tool is gone
		grade string // "" when nothing is told
	}{
		"equal":       {oldInput, ""},
		"same":        {sameWritten, ""},
		"safe":        {saferInput, "safe"},
		"breaking":    {breakingIn, "call"},
		"gone":        {"", "call"},
		"other draft": {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"q":{"type":"string"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			r := NewRegistry(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			var tools []Tool
			if c.live != "" {
				tools = []Tool{{Name: "find", InputSchema: json.RawMessage(c.live)}}
			}
			spec := specOf(t, "find", oldInput)
			var told []ToolDrift
			bind := func(opts ...BindOption) Binding {
				return BindTools(r, "s", []ToolSpec{spec}, append(opts, OnDrift(func(d ToolDrift) { told = append(told, d) }))...)
			}
			// One client is made before the server connects, one after it.
			early := bind()
			if len(told) > 0 {
				t.Errorf("told before anything is known: %+v", told)
			}
			if err := r.RegisterServer("s", &fake{}, tools); err != nil {
				t.Fatal(err)
			}
			late := bind(WithDrift(DriftRefuse))
			ignoring := bind(WithDrift(DriftIgnore))

			if c.grade == "" {
				if len(told) > 0 || len(r.Status()[0].Drift) > 0 || strings.Contains(log.String(), "has changed") {
					t.Errorf("told %+v, status %+v, log %s", told, r.Status()[0].Drift, &log)
				}
			} else {
				if len(told) != 2 || told[0].Grade != c.grade || told[0].Server != "s" || told[0].Tool != "find" {
					t.Errorf("told %+v, want %q twice", told, c.grade)
				}
				if st := r.Status()[0].Drift; len(st) != 1 || st[0].Grade != c.grade {
					t.Errorf("status %+v", st)
				}
				if got := strings.Contains(log.String(), "level=WARN"); got != (c.grade == "call") {
					t.Errorf("log %s", &log)
				}
			}
			for who, b := range map[string]Binding{"early": early, "late": late, "ignoring": ignoring} {
				_, err := CallUntyped(t.Context(), b, spec, nil)
				if want := who == "late" && c.grade == "call"; errors.Is(err, ErrDrift) != want {
					t.Errorf("%s: %v", who, err)
				}
			}

			// Listed again: what was told is not told again, and what is mended is forgotten.
			before := len(told)
			if err := r.RegisterServer("s", &fake{}, tools); err != nil {
				t.Fatal(err)
			}
			if len(told) != before {
				t.Errorf("told again: %+v", told[before:])
			}
			if err := r.RegisterServer("s", &fake{}, []Tool{{Name: "find", InputSchema: json.RawMessage(oldInput)}}); err != nil {
				t.Fatal(err)
			}
			if st := r.Status()[0].Drift; len(st) > 0 || len(told) != before {
				t.Errorf("after mending: status %+v, told %+v", st, told[before:])
			}
			if _, err := CallUntyped(t.Context(), late, spec, nil); err != nil {
				t.Errorf("after mending: %v", err)
			}
		})
	}
}

// A schema that nests more deeply than a snapshot stores has not changed for that.
func TestNoDriftOfASchemaTooDeep(t *testing.T) {
	deep := json.RawMessage(strings.Repeat(`{"not":`, schema.MaxDepth+1) + "{}" + strings.Repeat("}", schema.MaxDepth+1))
	r := NewRegistry(quiet())
	must(t, r.RegisterServer("s", &fake{}, []Tool{{Name: "find", InputSchema: deep, OutputSchema: deep}}))
	spec := specOf(t, "find", `{}`)
	spec.OutputSchema = `{}`
	var told []ToolDrift
	b := BindTools(r, "s", []ToolSpec{spec}, OnDrift(func(d ToolDrift) { told = append(told, d) })) // digests differ
	goruntime.KeepAlive(b)
	if len(told) > 0 {
		t.Errorf("told %+v", told)
	}
}

// A program that makes a client for each request logs a change once, and again when it
// comes again; each client is told.
func TestDriftIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	r := NewRegistry(WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	register := func(input string) {
		t.Helper()
		if err := r.RegisterServer("s", &fake{}, []Tool{{Name: "find", InputSchema: json.RawMessage(input)}}); err != nil {
			t.Fatal(err)
		}
	}
	register(breakingIn)
	told := 0
	clients := make([]Binding, 5)
	for i := range clients {
		clients[i] = BindTools(r, "s", []ToolSpec{specOf(t, "find", oldInput)}, OnDrift(func(ToolDrift) { told++ }))
	}
	logged := func(want int) {
		t.Helper()
		if n := strings.Count(log.String(), "has changed since"); n != want {
			t.Errorf("logged %d times, want %d", n, want)
		}
	}
	logged(1)
	register(oldInput)
	register(breakingIn)
	logged(2)
	register(saferInput)
	logged(3)
	if told != 3*len(clients) {
		t.Errorf("told %d times", told)
	}
	goruntime.KeepAlive(clients)
}

// A client that nobody uses any more is not kept by the registry.
func TestDriftForgets(t *testing.T) {
	r := NewRegistry()
	spec := specOf(t, "find", oldInput)
	for range 1000 {
		BindTools(r, "s", []ToolSpec{spec})
		if len(r.drift.watches)%100 == 0 {
			collect()
		}
	}
	if n := len(r.drift.watches); n > 500 {
		t.Errorf("%d clients are kept", n)
	}
}

// BenchmarkDrift makes clients of a tool with a large schema. Where digests agree,
// as they mostly do, the stored schema is not read.
func BenchmarkDrift(b *testing.B) {
	var props []string
	for i := range 200 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"string","description":"x"}`, i))
	}
	big := `{"type":"object","properties":{` + strings.Join(props, ",") + `,"q":{"type":"string"}}}`
	for name, stored := range map[string]string{"agrees": big, "differs": strings.Replace(big, `"q"`, `"z"`, 1)} {
		b.Run(name, func(b *testing.B) {
			r := NewRegistry(WithLogger(slog.New(slog.DiscardHandler)))
			if err := r.RegisterServer("s", &fake{}, []Tool{{Name: "find", InputSchema: json.RawMessage(big)}}); err != nil {
				b.Fatal(err)
			}
			spec := specOf(b, "find", stored)
			b.ReportAllocs()
			for b.Loop() {
				BindTools(r, "s", []ToolSpec{spec})
			}
		})
	}
}

// Tools that change again while a change is told: what is compared later is newer,
// for the clients whose turn is yet to come too.
func TestDriftOfANewerList(t *testing.T) {
	r := NewRegistry(quiet())
	spec := specOf(t, "find", oldInput)
	register := func(input string) {
		t.Helper()
		if err := r.RegisterServer("s", &fake{}, []Tool{{Name: "find", InputSchema: json.RawMessage(input)}}); err != nil {
			t.Fatal(err)
		}
	}
	mend := OnDrift(func(ToolDrift) { register(oldInput) })
	first := BindTools(r, "s", []ToolSpec{spec}, WithDrift(DriftRefuse), mend)
	second := BindTools(r, "s", []ToolSpec{spec}, WithDrift(DriftRefuse))
	register(breakingIn)
	for who, b := range map[string]Binding{"first": first, "second": second} {
		if _, err := CallUntyped(t.Context(), b, spec, nil); err != nil {
			t.Errorf("%s: %v, although the tool is what it was", who, err)
		}
	}
	if st := r.Status()[0].Drift; len(st) > 0 {
		t.Errorf("status %+v", st)
	}
}

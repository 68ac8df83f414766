package cli

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/generated/demomcp"
	"github.com/mcpbind/mcpbind/internal/demo"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
	"github.com/mcpbind/mcpbind/runtime"
)

// changesOf compares two lists of tools as the command does, and returns
// "tool code grades" lines.
func changesOf(t *testing.T, before, after string) []string {
	t.Helper()
	a := &app{}
	changes, err := a.diffFiles("s", usage{}, []byte(before), []byte(after))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range changes {
		out = append(out, c.Tool+" "+string(c.Code)+" "+gradesOf(c))
	}
	return out
}

// TestDemonstration is the list of the issue: exactly these grades and no others.
func TestDemonstration(t *testing.T) {
	tool := func(members string) string { return `{"tools":[{"name":"t",` + members + `}]}` }
	in := func(props, required string) string {
		return `"inputSchema":{"type":"object","properties":{` + props + `},"required":[` + required + `]}`
	}
	out := func(props, required string) string {
		return in("", "") + `,"outputSchema":{"type":"object","properties":{` + props + `},"required":[` + required + `]}`
	}
	for name, c := range map[string]struct{ before, after, want string }{
		"result field dropped": {
			out(`"a":{"type":"string"},"b":{"type":"integer"}`, `"a","b"`), out(`"a":{"type":"string"}`, `"a"`),
			"t result-field-removed call+source",
		},
		"required argument added": {
			in(`"a":{"type":"string"}`, `"a"`), in(`"a":{"type":"string"},"b":{"type":"integer"}`, `"a","b"`),
			"t argument-required-added call",
		},
		"argument enum widened": {
			in(`"a":{"type":"string","enum":["x","y"]}`, ``), in(`"a":{"type":"string","enum":["x","y","z"]}`, ``),
			"t argument-enum-widened safe",
		},
		"result enum widened": {
			out(`"a":{"type":"string","enum":["x","y"]}`, `"a"`), out(`"a":{"type":"string","enum":["x","y","z"]}`, `"a"`),
			"t result-enum-widened call",
		},
		"readOnlyHint true to false": {
			in("", "") + `,"annotations":{"readOnlyHint":true}`, in("", "") + `,"annotations":{"readOnlyHint":false}`,
			"t read-only-lost privilege",
		},
		"description changed": {
			in("", "") + `,"description":"One."`, in("", "") + `,"description":"Two."`,
			"t description-changed doc",
		},
		"optional argument added": {
			in(`"a":{"type":"string"}`, `"a"`), in(`"a":{"type":"string"},"b":{"type":"integer"}`, `"a"`),
			"t argument-added safe",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := changesOf(t, tool(c.before), tool(c.after)); !slices.Equal(got, []string{c.want}) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestCorpusReordered compares each catalog of the corpus with itself, written in
// another order: of tools, members, required names, types and listed values.
func TestCorpusReordered(t *testing.T) {
	for i, path := range testshared.Files(t, "corpus/*.json") {
		if testing.Short() && i%5 != 0 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		catalog, err := snapshot.ParseCatalog(data)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(7, uint64(i)))
		shuffled := snapshot.Catalog{}
		for _, raw := range catalog.Tools {
			v, err := schema.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			shuffled.Tools = append(shuffled.Tools, json.RawMessage(shuffle(r, v, false).AppendJSON(nil)))
		}
		r.Shuffle(len(shuffled.Tools), func(i, j int) {
			shuffled.Tools[i], shuffled.Tools[j] = shuffled.Tools[j], shuffled.Tools[i]
		})
		before, _, err := snapshot.New(catalog, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		after, _, err := snapshot.New(shuffled, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := (&app{}).grade("s", usage{}, before, after)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			t.Errorf("%s: %s", path, strings.TrimSpace(textOf(c)))
		}
	}
}

// shuffle reorders what has no order.
func shuffle(r *rand.Rand, v *schema.Value, unordered bool) *schema.Value {
	out := &schema.Value{Kind: v.Kind, Bool: v.Bool, Text: v.Text}
	for _, item := range v.Items {
		out.Items = append(out.Items, shuffle(r, item, false))
	}
	for _, m := range v.Members {
		lists := m.Value.Kind == schema.Array && slices.Contains([]string{"required", "type", "enum"}, m.Name)
		out.Members = append(out.Members, schema.Member{Name: m.Name, Value: shuffle(r, m.Value, lists)})
	}
	r.Shuffle(len(out.Members), func(i, j int) { out.Members[i], out.Members[j] = out.Members[j], out.Members[i] })
	if unordered {
		r.Shuffle(len(out.Items), func(i, j int) { out.Items[i], out.Items[j] = out.Items[j], out.Items[i] })
	}
	return out
}

// TestDriftSchema keeps the published schema in step.
func TestDriftSchema(t *testing.T) {
	const file = "../../../../docs/drift.schema.json"
	want, err := driftSchema()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("MCPBIND_UPDATE") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != string(want) {
		t.Errorf("docs/drift.schema.json is not what mcpbind diff --schema prints (%v); run the test with MCPBIND_UPDATE=1", err)
	}
}

// TestGeneratedAgrees connects the checked-in package to the server that it was
// generated from: nothing is told. A tool that has changed is.
func TestGeneratedAgrees(t *testing.T) {
	server := httptest.NewServer(demo.Handler("1"))
	defer server.Close()
	r := runtime.NewRegistry(runtime.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var told []runtime.ToolDrift
	client := demomcp.New(r, runtime.OnDrift(func(d runtime.ToolDrift) { told = append(told, d) }))
	if failed := runtime.ConnectAll(t.Context(), r, []runtime.ServerConfig{{Name: "demo", URL: server.URL, Timeout: plenty}}); len(failed) > 0 {
		t.Fatal(r.FailedServers())
	}
	if len(told) > 0 || len(r.Status()[0].Drift) > 0 {
		t.Errorf("told %+v, status %+v", told, r.Status()[0].Drift)
	}
	tools := r.Tools()
	tools[0].InputSchema = json.RawMessage(`{"type":"object","required":["never_heard_of"]}`)
	if err := r.RegisterServer("demo", runtime.NewStreamableHTTPClient(runtime.ServerConfig{Name: "demo", URL: server.URL}), tools); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Tool != tools[0].WireName || told[0].Grade != "call" {
		t.Errorf("told %+v", told)
	}
	goruntime.KeepAlive(client)
}

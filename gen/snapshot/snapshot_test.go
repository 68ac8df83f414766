package snapshot_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

func catalog(tools ...string) snapshot.Catalog {
	c := snapshot.Catalog{Observed: snapshot.Observed{Name: "srv", Version: "1.0", Protocol: "2025-11-25"}}
	for _, t := range tools {
		c.Tools = append(c.Tools, json.RawMessage(t))
	}
	return c
}

func take(t testing.TB, c snapshot.Catalog, previous *snapshot.Snapshot, r *redact.Redactor) (*snapshot.Snapshot, []diag.Diagnostic) {
	t.Helper()
	s, ds, err := snapshot.New(c, previous, r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := snapshot.Parse(s.Encode())
	if err != nil {
		t.Fatalf("parse of its own file: %v", err)
	}
	if !reflect.DeepEqual(s, again) { // and not cmp.Diff, which is slow
		t.Fatalf("Parse(Encode(s)) differs from s:\n%s", cmp.Diff(s, again, sameJSON))
	}
	if string(again.Encode()) != string(s.Encode()) {
		t.Fatal("the file changes when it is read and written")
	}
	return s, ds
}

func TestEncode(t *testing.T) {
	c := catalog(
		`{"name":"search","title":"Search","description":"Finds things.\nFast.","inputSchema":{"type":"object","properties":{"query":{"type":"string","description":"Text to look for in the names of customers and of all items."},"limit":{"maximum":1.0e2,"type":"integer"}},"required":["query"]},"annotations":{"readOnlyHint":true},"icons":[],"_meta":{"x":1}}`,
		"{\"name\":\"delete\",\"description\":\"a\u202eb\u200bc\x7f\\u001b\U000e0041\",\"inputSchema\":{}}",
	)
	s, _ := take(t, c, nil, nil)
	s.Pins["tool:search"] = "Search"
	const want = `{
  "format": 1,
  "observed": {
    "name": "srv",
    "version": "1.0",
    "protocol": "2025-11-25"
  },
  "tools": [
    {
      "name": "delete",
      "description": "a\u202eb\u200bc\u007f\u001b\udb40\udc41",
      "inputSchema": {}
    },
    {
      "name": "search",
      "title": "Search",
      "description": "Finds things.\nFast.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "query": {
            "type": "string",
            "description": "Text to look for in the names of customers and of all items."
          },
          "limit": {"maximum": 1.0e2, "type": "integer"}
        },
        "required": ["query"]
      },
      "annotations": {"readOnlyHint": true}
    }
  ],
  "digests": {
    "delete": "s1:Ih8wUyonMPcMf9-pCq4BvVR4xuRy87T683QijyfxgCU",
    "search": "s1:JmVIEN9vLPlErOttlUm9Ix7xdMjn01QYhKcDCVRD378"
  },
  "pins": {
    "tool:search": "Search"
  }
}
`
	if diff := cmp.Diff(want, string(s.Encode())); diff != "" {
		t.Error(diff)
	}
}

func TestNew(t *testing.T) {
	long := strings.Repeat("x", 20<<10)
	below := func(name string, parts int) string { // each part is 15 KiB away
		return `{"name":"` + name + `","inputSchema":{"` + long[:15<<10] + `":[` + strings.Repeat("0,", parts) + `0]}}`
	}
	tests := []struct {
		name  string
		tools []string
		want  []string // names of the tools
		diags []string // "code tool pointer"
	}{
		{"sorted", []string{`{"name":"b"}`, `{"name":"a"}`, `{"name":"A"}`}, []string{"A", "a", "b"}, nil},
		{"none", nil, nil, nil},
		{"not an object", []string{`7`, `null`, `[]`, `{"name":"a"}`}, []string{"a"},
			[]string{"tool-skipped  ", "tool-skipped  ", "tool-skipped  "}},
		{"not JSON", []string{`{"name":`, ``, `{"name":"a"}`}, []string{"a"}, []string{"tool-skipped  ", "tool-skipped  "}},
		{"no name", []string{`{}`, `{"name":7}`, `{"name":""}`, `{"name":null}`}, nil,
			[]string{"tool-skipped  ", "tool-skipped  ", "tool-skipped  ", "tool-skipped  "}},
		{"long name", []string{`{"name":"` + long + `"}`}, nil, []string{"tool-skipped  "}},
		{"duplicate", []string{`{"name":"a","title":"1"}`, `{"name":"a","title":"2"}`}, []string{"a"}, []string{"tool-duplicate a "}},
		{"odd members", []string{`{"name":"a","title":7,"description":[],"annotations":"x","execution":1}`}, []string{"a"},
			[]string{"member-ignored a /annotations", "member-ignored a /description", "member-ignored a /execution", "member-ignored a /title"}},
		{"null members", []string{`{"name":"a","title":null,"description":null,"annotations":null,"execution":null,"inputSchema":null}`}, []string{"a"}, nil},
		{"deep schema", []string{`{"name":"a","inputSchema":` + strings.Repeat(`{"not":`, 300) + `{}` + strings.Repeat(`}`, 300) + `}`}, []string{"a"},
			[]string{"schema-dropped a /inputSchema"}},
		{"deeper than can be skipped", []string{
			`{"name":"a","inputSchema":` + strings.Repeat(`[`, 10_001) + strings.Repeat(`]`, 10_001) + `}`,
			`{"inputSchema":` + strings.Repeat(`[`, 10_001) + strings.Repeat(`]`, 10_001) + `,"name":"late"}`,
			`{"name":"` + long + `","inputSchema":}`,
		}, nil, []string{"tool-skipped  ", "tool-skipped  ", "tool-skipped a "}},
		{"large schema", []string{`{"name":"a","outputSchema":{"const":"` + strings.Repeat("x", 4<<20) + `"}}`}, []string{"a"},
			[]string{"schema-dropped a /outputSchema"}},
		{"long path", []string{`{"name":"a","inputSchema":{"properties":{"` + long + `":{}}}}`}, []string{"a"},
			[]string{"schema-dropped a /inputSchema"}},
		{"many parts of long paths", []string{below("a", 600), below("b", 300)}, []string{"a", "b"},
			[]string{"schema-dropped a /inputSchema"}},
		{"long paths of many tools", []string{
			below("a", 500), below("b", 500), below("c", 500), below("d", 500), below("e", 500),
			`{"name":"small","inputSchema":{"properties":{"p":{}}}}`,
		}, []string{"a", "b", "c", "d", "e", "small"}, []string{"schema-dropped e /inputSchema"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, ds := take(t, catalog(tt.tools...), nil, nil)
			var names, got []string
			for _, tool := range s.Tools {
				names = append(names, tool.Name)
				if s.Digests[tool.Name] == "" {
					t.Errorf("no digest of %q", tool.Name)
				}
			}
			for _, d := range ds {
				got = append(got, fmt.Sprintf("%s %s %s", d.Code, d.Tool, d.Pointer))
				if len(d.Message) > 300 {
					t.Errorf("message of %d bytes", len(d.Message))
				}
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("tools:\n%s", diff)
			}
			if diff := cmp.Diff(tt.diags, got); diff != "" {
				t.Errorf("diagnostics:\n%s", diff)
			}
		})
	}
}

func TestNewKeepsOddSchemas(t *testing.T) {
	for _, schema := range []string{`null`, `true`, `7`, `"x"`, `[]`, `{"type":7}`, `{"maximum":1e1000000000}`} {
		s, ds := take(t, catalog(`{"name":"a","inputSchema":`+schema+`}`), nil, nil)
		if got := s.Tools[0].InputSchema.JSON(); got != schema || len(ds) > 0 {
			t.Errorf("inputSchema %s is stored as %s, diagnostics %v", schema, got, ds)
		}
	}
	s, _ := take(t, catalog(`{"name":"a"}`), nil, nil)
	if s.Tools[0].InputSchema != nil || s.Tools[0].OutputSchema != nil {
		t.Error("an absent schema is not nil")
	}
}

func TestNewLimits(t *testing.T) {
	var c snapshot.Catalog
	for i := range 10_001 {
		c.Tools = append(c.Tools, json.RawMessage(fmt.Sprintf(`{"name":"t%d"}`, i)))
	}
	s, ds := take(t, c, nil, nil)
	if len(s.Tools) != 10_000 || len(ds) != 1 {
		t.Errorf("%d tools, %d diagnostics", len(s.Tools), len(ds))
	}
	c.Tools = []json.RawMessage{json.RawMessage(strings.Repeat(" ", 65<<20))}
	if _, _, err := snapshot.New(c, nil, nil); err == nil {
		t.Error("a catalog of 65 MiB is accepted")
	}
}

func TestNewWithPrevious(t *testing.T) {
	const first = `{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string","title":"X"},"y":{"maximum":1.0}}},"annotations":{"readOnlyHint":true,"title":"T"}}`
	const shuffled = `{"annotations":{"title":"T","readOnlyHint":true},"inputSchema":{"properties":{"y":{"maximum":1.0},"x":{"title":"\u0058","type":"string"}},"type":"object"},"name":"a"}`
	const respelled = `{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string","title":"X"},"y":{"maximum":1}}},"annotations":{"readOnlyHint":true,"title":"T"}}`
	previous, _ := take(t, catalog(first), nil, nil)
	previous.Pins["type:gone#inputSchema"] = "Kept"

	newer := catalog(shuffled)
	newer.Observed.Version = "2.0"
	same, _ := take(t, newer, previous, nil)
	if diff := cmp.Diff(string(previous.Encode()), string(same.Encode())); diff != "" {
		t.Errorf("shuffled keys and a new version change the file:\n%s", diff)
	}

	newer.Tools[0] = json.RawMessage(respelled)
	changed, _ := take(t, newer, previous, nil)
	if changed.Observed.Version != "2.0" || changed.Pins["type:gone#inputSchema"] != "Kept" {
		t.Errorf("observed %+v, pins %v", changed.Observed, changed.Pins)
	}
	if changed.Tools[0].InputSchema.JSON() == previous.Tools[0].InputSchema.JSON() {
		t.Error("a number spelled anew keeps the stored text")
	}
	if changed.Digests["a"] != previous.Digests["a"] {
		t.Error("a number spelled anew changes the digest")
	}
	if _, err := snapshot.Parse(previous.Encode()); err != nil || previous.Observed.Version != "1.0" {
		t.Error("previous was modified")
	}
}

func TestCorpus(t *testing.T) {
	servers, tools := 0, 0
	for _, file := range testshared.Files(t, "corpus/*.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := snapshot.ParseCatalog(data)
		if err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
		s, ds := take(t, c, nil, nil)
		if len(ds) > 0 || len(s.Tools) != len(c.Tools) || s.Observed.Name == "" {
			t.Errorf("%s: %d of %d tools, observed %+v, diagnostics %v", filepath.Base(file), len(s.Tools), len(c.Tools), s.Observed, ds)
		}
		servers, tools = servers+1, tools+len(s.Tools)
	}
	t.Logf("%d servers, %d tools", servers, tools)
}

// sameJSON compares values by their text.
var sameJSON = cmp.Transformer("JSON", func(v *schema.Value) string {
	if v == nil {
		return ""
	}
	return v.JSON()
})

func FuzzNew(f *testing.F) {
	f.Add([]byte(`{"name":"a","title":"t","inputSchema":{"properties":{"s3cret-canary":{}},"enum":["s3cret-canary"]}}`))
	f.Add([]byte(`{"name":"s3cret-canary","annotations":{"title":"s3cret-canary"}}`))
	f.Fuzz(func(t *testing.T, tool []byte) {
		r := redact.New(map[string]string{"TOKEN": "s3cret-canary"})
		s, ds := take(t, snapshot.Catalog{Tools: []json.RawMessage{tool}}, nil, r)
		if r.Found(string(s.Encode())) || r.Found(fmt.Sprintf("%+v", ds)) {
			t.Fatalf("the secret is stored or told:\n%s\n%+v", s.Encode(), ds)
		}
		take(t, snapshot.Catalog{Tools: []json.RawMessage{tool}}, s, r)
	})
}

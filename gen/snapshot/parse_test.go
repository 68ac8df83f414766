package snapshot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

func TestParseErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{``, "snapshot: empty"},
		{`[]`, "snapshot: an array where an object is needed"},
		{`{}`, `snapshot: no member "format": this is no snapshot of mcpbind`},
		{`{"format":2,"things":[]}`, "snapshot has format 2, this mcpbind reads up to 1: upgrade mcpbind"},
		{`{"format":"1"}`, "format is"},
		{`{"format":0}`, "format is"},
		{`{"format":1.5}`, "format is"},
		{`{"format":1,"x":1}`, `"x": unknown member`},
		{"{\"format\":1,\n<<<<<<< HEAD\n}", "line 2"},
		{`{"format":1} {}`, "offset"},
		{`{"format":1,"tools":{}}`, `"tools": an object where an array is needed`},
		{`{"format":1,"tools":[7]}`, "tool 1: a number where an object is needed"},
		{`{"format":1,"tools":[{}]}`, "tool 1: no name"},
		{`{"format":1,"tools":[{"name":7}]}`, `"name": a number where a string is needed`},
		{`{"format":1,"tools":[{"name":"a"},{"name":"a"}]}`, `"a" is there twice`},
		{`{"format":1,"tools":[{"name":"a","icons":[]}]}`, `"icons": unknown member`},
		{`{"format":1,"digests":{"a":1}}`, `"a": a number where a string is needed`},
		{`{"format":1,"pins":[]}`, `"pins"`},
		{`{"format":1,"observed":{"url":"x"}}`, `unknown member "url"`},
		{`{"format":1,"tools":[{"name":"a","inputSchema":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}]}`, "nested too deeply"},
		{strings.Repeat("[", 100_000), "nested too deeply"},
		{`{"format":` + strings.Repeat("[", 100_000), "nested too deeply"},
	}
	for _, tt := range tests {
		_, err := snapshot.Parse([]byte(tt.in))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: error %v, want %q", tt.in, err, tt.want)
		}
	}
}

func TestParseForgives(t *testing.T) {
	s, err := snapshot.Parse([]byte("\ufeff" + `{"tools":[{"name":"b"},{"inputSchema": { "b" : 1 , "a":[ ] },"name":"a"}],"digests":{"a":"s1:stale"},"format":1}`))
	if err != nil {
		t.Fatal(err)
	}
	a, ok := s.Tool("a")
	if !ok || a.InputSchema.JSON() != `{"b":1,"a":[]}` || s.Tools[0].Name != "a" {
		t.Errorf("got %+v", s.Tools)
	}
	if s.Digests["a"] == "s1:stale" || s.Digests["b"] == "" {
		t.Errorf("digests are not computed anew: %v", s.Digests)
	}
	if _, ok := s.Tool("c"); ok {
		t.Error("there is no tool c")
	}
}

func TestParseCatalog(t *testing.T) {
	want := snapshot.Catalog{Tools: []json.RawMessage{json.RawMessage(`{"name": "a"}`), json.RawMessage(`7`)}}
	for _, in := range []string{
		`{"tools": [ {"name": "a"},7]}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name": "a"},7],"nextCursor":""}}`,
		"\ufeff" + `{"tools":[{"name": "a"},7],"nextCursor":null}`,
		`{"server":7,"tools":[{"name": "a"},7]}`,
	} {
		got, err := snapshot.ParseCatalog([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", in, diff)
		}
	}
	got, err := snapshot.ParseCatalog([]byte(`{"server":{"protocolVersion":"p","serverInfo":{"name":"n","version":"v"}},"tools":[]}`))
	if err != nil || got.Observed != (snapshot.Observed{Name: "n", Version: "v", Protocol: "p"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for in, want := range map[string]string{
		``:                                "empty",
		`[]`:                              "an array where an object is needed",
		`{}`:                              `no member "tools"`,
		`{"tools":{}}`:                    "tools: an object where an array is needed",
		`{"result":7}`:                    "result: a number",
		"{\"tools\":\n[{]}":               "line 2",
		`{"tools":[],"nextCursor":"abc"}`: "only the first page",
	} {
		if _, err := snapshot.ParseCatalog([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", in, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":1,"tools":[{"name":"a","inputSchema":{"a":1.0}}],"pins":{"a":"b"}}`))
	f.Add([]byte(`{"format":1,"observed":{"name":"x"},"digests":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := snapshot.Parse(data)
		if err != nil {
			return
		}
		file := s.Encode()
		again, err := snapshot.Parse(file)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		if diff := cmp.Diff(s, again, sameJSON); diff != "" {
			t.Fatal(diff)
		}
	})
}

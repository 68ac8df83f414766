package snapshot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/internal/redact"
)

func TestNewRedacts(t *testing.T) {
	const secret = "s3cret-canary"
	tests := []struct{ name, in, want string }{
		{"prose", `{"description":"S","properties":{"a":{"title":"xSx","$comment":"S"}}}`,
			`{"description":"${TOKEN}","properties":{"a":{"title":"x${TOKEN}x","$comment":"${TOKEN}"}}}`},
		{"JSON escapes", `{"description":"\u0073\u0033cret-canary"}`, `{"description":"${TOKEN}"}`},
		{"key", `{"properties":{"a":{"properties":{"S":{}}},"b":{}}}`, `{"properties":{"a":{},"b":{}}}`},
		{"enum", `{"properties":{"a":{"enum":["x","S"]},"b":{"enum":["y"]}}}`, `{"properties":{"a":{},"b":{"enum":["y"]}}}`},
		{"const", `{"anyOf":[{"const":"S"},{}]}`, `{"anyOf":[{},{}]}`},
		{"default", `{"items":{"default":{"k":["S"]}}}`, `{"items":{}}`},
		{"default key", `{"items":{"default":{"S":1}}}`, `{"items":{}}`},
		{"pattern", `{"items":{"pattern":"^S$"}}`, `{"items":{}}`},
		{"reference", `{"items":{"$ref":"#/$defs/S"}}`, `{"items":{}}`},
		{"required", `{"properties":{"a":{"required":["S"]}}}`, `{"properties":{"a":{}}}`},
		{"unknown keyword", `{"properties":{"a":{"x-y":"S"}}}`, `{"properties":{"a":{}}}`},
		{"keyword name", `{"properties":{"a":{"S":1}}}`, `{"properties":{"a":{}}}`},
		{"examples", `{"properties":{"a":{"type":"string","examples":["S"]}}}`, `{"properties":{"a":{"type":"string"}}}`},
		{"description of the wrong kind", `{"properties":{"a":{"description":["S"]}}}`, `{"properties":{"a":{}}}`},
		{"properties of the wrong kind", `{"properties":["S"]}`, `{}`},
		{"not a schema", `"S"`, `{}`},
		{"property called description", `{"properties":{"description":{"description":"S"}}}`, `{"properties":{"description":{"description":"${TOKEN}"}}}`},
		{"nothing", `{"type":"object"}`, `{"type":"object"}`},
	}
	r := redact.New(map[string]string{"TOKEN": secret})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.ReplaceAll(tt.in, "S", secret)
			s, ds := take(t, catalog(`{"name":"a","inputSchema":`+in+`,"outputSchema":`+in+`}`), nil, r)
			for _, got := range []string{s.Tools[0].InputSchema.JSON(), s.Tools[0].OutputSchema.JSON()} {
				if got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
			if r.Found(string(s.Encode())) || r.Found(fmt.Sprint(ds)) {
				t.Error("the secret is stored or told")
			}
			if lost := len(tt.want) < len(tt.in) && tt.name != "examples" && tt.name != "JSON escapes"; lost != (len(ds) > 0) {
				t.Errorf("diagnostics: %v", ds)
			}
		})
	}
}

func TestNewRedactsAroundSchemas(t *testing.T) {
	const secret = "s3cret-canary"
	r := redact.New(map[string]string{"TOKEN": secret})
	c := catalog(
		`{"name":"S"}`,
		`{"name":"a","title":"S","description":"with S","annotations":{"title":"S","readOnlyHint":true,"S":1,"x":"S"},"execution":{"taskSupport":"S"}}`,
		`{"name":"bad","S`,
		`{"name":"bad S","title":}`,
	)
	for i, raw := range c.Tools {
		c.Tools[i] = json.RawMessage(strings.ReplaceAll(string(raw), "S", secret))
	}
	c.Observed.Version = "1 " + secret
	s, ds := take(t, c, nil, r)
	if r.Found(string(s.Encode())) || r.Found(fmt.Sprintf("%+v", ds)) {
		t.Errorf("the secret is stored or told:\n%s\n%+v", s.Encode(), ds)
	}
	got := s.Tools[0]
	want := []string{"a", "${TOKEN}", "with ${TOKEN}", `{"title":"${TOKEN}","readOnlyHint":true}`, "{}"}
	if diff := cmp.Diff(want, []string{got.Name, got.Title, got.Description, got.Annotations.JSON(), got.Execution.JSON()}); diff != "" {
		t.Error(diff)
	}
	if len(s.Tools) != 1 || got.InputSchema != nil || got.OutputSchema != nil {
		t.Errorf("%d tools, schemas %v and %v", len(s.Tools), got.InputSchema, got.OutputSchema)
	}
	if len(ds) != 5 { // the named tool, the broken ones, annotations, execution
		t.Errorf("%d diagnostics: %+v", len(ds), ds)
	}
}

package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

func TestParamHeaders(t *testing.T) {
	const marked = `{"properties":{"a":{"type":%s,"x-mcp-header":%s},"b":{"type":"string"%s}}}`
	for name, test := range map[string]struct {
		schema string
		ok     bool
	}{
		"string":        {fmt.Sprintf(marked, `"string"`, `"A"`, ""), true},
		"object":        {fmt.Sprintf(marked, `"object"`, `"A"`, ""), false},
		"two types":     {fmt.Sprintf(marked, `["string","null"]`, `"A"`, ""), false},
		"no name":       {fmt.Sprintf(marked, `"string"`, `""`, ""), false},
		"injection":     {fmt.Sprintf(marked, `"string"`, `"A\r\nX: y"`, ""), false},
		"no string":     {fmt.Sprintf(marked, `"string"`, `1`, ""), false},
		"twice":         {fmt.Sprintf(marked, `"string"`, `"A"`, `,"x-mcp-header":"a"`), false},
		"broken schema": {`{"x-mcp-header`, true},
	} {
		if _, err := ParamHeaders(json.RawMessage(test.schema)); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Properties are searched as deep as any honest schema has them.
func TestParamHeadersAreSearchedForInBounds(t *testing.T) {
	for depth, want := range map[int]int{1: 1, maxParamDepth: 1, maxParamDepth + 1: 0} {
		schema := `{"type":"string","x-mcp-header":"A"}`
		for range depth {
			schema = `{"properties":{"a":` + schema + `}}`
		}
		if found, err := ParamHeaders(json.RawMessage(schema)); len(found) != want || err != nil {
			t.Errorf("depth %d: %v, %v", depth, found, err)
		}
	}
}

func TestParamHeaderValue(t *testing.T) {
	p := ParamHeader{Path: []string{"a", "b"}, Header: "Mcp-Param-B"}
	for arguments, want := range map[string]string{
		`{"a":{"b":"x y"}}`:                 "x y",
		`{"a":{"b":""}}`:                    "",
		`{"a":{"b":true}}`:                  "true",
		`{"a":{"b":-7}}`:                    "-7",
		`{"a":{"b":1e3}}`:                   "1000",
		`{"a":{"b":9007199254740991}}`:      "9007199254740991",
		`{"a":{"b":"é"}}`:                   "=?base64?w6k=?=",
		`{"a":{"b":" x"}}`:                  "=?base64?IHg=?=",
		`{"a":{"b":"x\r\nY: z"}}`:           "=?base64?eA0KWTogeg==?=",
		`{"a":{"b":"=?base64?eA==?="}}`:     "=?base64?PT9iYXNlNjQ/ZUE9PT89?=",
		`{"a":{"b":9007199254740993}}`:      "-",
		`{"a":{"b":1.5}}`:                   "-",
		`{"a":{"b":null}}`:                  "-",
		`{"a":{"b":[]}}`:                    "-",
		`{"a":{}}`:                          "-",
		`{"a":1}`:                           "-",
		`{}`:                                "-",
		`{"a":{"b":1e999999999999999999}}`:  "-",
		`{"a":{"c":1,"b":"first","b":"x"}}`: "x",
	} {
		value, ok := p.Value(json.RawMessage(arguments))
		if !ok {
			value = "-"
		}
		if value != want {
			t.Errorf("%s: %q, want %q", arguments, value, want)
		}
	}
}

// A server of an older protocol gets no arguments in headers, and only calls have any.
func TestParamHeadersAreOfTheirProtocol(t *testing.T) {
	for _, test := range []struct{ method, protocol, want string }{
		{methodCallTool, "2025-11-25", ""}, {methodCallTool, paramHeadersSince, "v"}, {methodListTools, paramHeadersSince, ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(headerProtocol, test.protocol)
		x := &exchange{method: test.method, slot: &Slot{ParamHeaders: map[string]string{paramHeaderPrefix + "A": "v"}}}
		(&HTTP{}).setHeaders(req, x)
		if got := req.Header.Get(paramHeaderPrefix + "A"); got != test.want {
			t.Errorf("%s of %s: %q", test.method, test.protocol, got)
		}
	}
}

package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/runtime/config"
)

// One server's missing variable disables that server and says which, where.
func TestUnsetVariable(t *testing.T) {
	path := write(t, map[string]string{config.Name: `version: 1
servers:
  a: {url: "https://example.com/${PATH_A}", headers: {X: "${NOT_SET}"}}
  b: {url: "https://example.com/${PATH_B}"}
  c: {url: "${SCHEME}://example.com"}
  d: {command: run, args: ["${input:token}"]}
  e: {command: run, args: ["${1}"]}
`})
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	vars := env(map[string]string{"PATH_A": "p", "PATH_B": "", "SCHEME": "gopher-canary"})
	want := map[string]string{
		"a": `server "a": headers.X: environment variable NOT_SET is not set; set it or write ${NOT_SET:-default}`,
		"b": "",
		"c": `server "c": url: must be an http or https URL once its variables are expanded`,
		"d": `server "d": args[0]: ${input:token} has an editor ask for the value, which mcpbind does not; write ${VAR} and set that environment variable`,
		"e": `server "e": args[0]: only ${NAME} and ${NAME:-default} can be expanded; write $${ for a literal ${`,
	}
	for _, cfg := range file.Servers(vars) {
		got := ""
		if cfg.Err != nil {
			got = cfg.Err.Error()
		}
		if got != want[cfg.Name] {
			t.Errorf("%s:\n got %s\nwant %s", cfg.Name, got, want[cfg.Name])
		}
	}
}

func TestErrors(t *testing.T) {
	const secret = "hunter2-canary"
	tests := []struct {
		name, yaml, imports string
		want                []string // after the path; of imports the whole line
	}{
		{name: "empty", yaml: "# nothing\n", want: []string{`: the file is empty; begin with "version: 1"`}},
		{name: "no version", yaml: "servers: {}\n", want: []string{`: version: is missing; add "version: 1"`}},
		{name: "newer version", yaml: "version: 2\n", want: []string{":1:1: version: must be 1; this mcpbind reads no other version"}},
		{name: "two documents", yaml: "version: 1\n---\nversion: 1\n", want: []string{":3:1: a second YAML document; only one is read"}},
		{name: "syntax", yaml: "version: 1\nservers: {a: {url: \"" + secret + "}\n", want: []string{":2:20: not valid YAML: could not find end character of double-quoted text"}},
		{
			name: "unknown keys", yaml: "version: 1\nsever: {}\nservers:\n  a:\n    url: http://x\n    timout: " + secret + "\n    zzz: 1\n",
			want: []string{
				`:2:1: unknown key "sever"; did you mean "servers"?`,
				`:6:5: servers.a: unknown key "timout"; did you mean "timeout"?`,
				`:7:5: servers.a: unknown key "zzz"; known are args, auth, call_timeout, catalog, command, cwd, env, go, headers, inherit_env, protocol, timeout, tools, type, url, validate`,
			},
		},
		{
			name: "auth", yaml: "version: 1\nservers:\n  a:\n    command: x\n    auth: {grant: client_credentials, client_secret: " + secret + "}\n" +
				"  b:\n    url: http://x\n    headers: {authorization: x}\n    auth: {grant: magic, issuer: y}\n" +
				"  c:\n    url: http://x\n    auth: {client_secret: x, private_key: " + secret + "}\n",
			want: []string{
				`:5:5: servers.a.auth: goes with url; a command gets its credentials in env`,
				`:5:5: servers.a.auth: client_credentials needs client_id and either client_secret or private_key`,
				`:9:5: servers.b.auth: makes the Authorization header itself; remove it from headers, or remove auth`,
				`:9:12: servers.b.auth.grant: must be authorization_code or client_credentials`,
				`:9:26: servers.b.auth.issuer: must be a URL that begins with http`,
				`:12:12: servers.c.auth.client_secret: goes with client_id`,
				`:12:30: servers.c.auth.private_key: goes with grant: client_credentials`,
			},
		},
		{
			name: "planned keys", yaml: "version: 1\nservers:\n  a:\n    url: http://x\n    auth: {clientid: " + secret + "}\n    go: {fake: true}\n",
			want: []string{
				`:5:12: servers.a.auth: unknown key "clientid"; did you mean "client_id"?`,
				`:6:10: servers.a.go: "fake" is not supported yet`,
			},
		},
		{name: "comments alone", yaml: "# version: 1\n---\n# nor here\n", want: []string{`: the file is empty; begin with "version: 1"`}},
		{name: "tab", yaml: "version: 1\nservers:\n\ta: {url: http://x}\n", want: []string{":3:1: not valid YAML: a tab where a key or a value begins; indent with spaces"}},
		{name: "duplicate key", yaml: "version: 1\nservers:\n  a: {url: http://x}\n  a: {url: http://y}\n", want: []string{`:4:3: not valid YAML: mapping key "a" already defined at [3:3]`}},
		{
			name: "kinds", yaml: "version: one\noutput: [x]\nimports: a\nservers:\n  a: {url: {x: y}, args: b, env: [c], go: {keep_unknown: " + secret + "}, tools: 3}\n",
			want: []string{
				":1:10: version: must be a whole number",
				":2:9: output: must be text",
				":3:10: imports: must be a list",
				":5:12: servers.a.url: must be text",
				":5:26: servers.a.args: must be a list",
				":5:34: servers.a.env: must be a mapping of keys to values",
				":5:58: servers.a.go.keep_unknown: must be true or false",
				":5:82: servers.a.tools: must be a mapping of keys to values",
			},
		},
		{
			name: "values", yaml: `version: 1
output: /abs
snapshots: 'a\b'
servers:
  "a b": {url: http://x}
  b: {url: http://x, command: y}
  c: {}
  d: {url: http://x, args: [y]}
  e: {command: x, headers: {A: hunter2-canary}}
  f: {url: http://x, timeout: hunter2-canary, protocol: hunter2-canary, type: sse}
  g: {command: x, type: http, inherit_env: [A=B]}
  h: {url: http://x, go: {package: a-b, numbers: big, rename: {t: lower}, formats: {uri: time}, bindings: {M: Money}}}
  H: {url: http://x}
  i:
    command: x
    call_timeout: 30
  j: {command: x, call_timeout: -1s, timeout: 0s}
`,
			want: []string{
				`:2:1: output: must be a path relative to this file, with forward slashes`,
				`:3:1: snapshots: must be a path relative to this file, with forward slashes`,
				`:5:3: servers.a b: a server's name has 1 to 64 letters, digits, dots, underscores and hyphens`,
				`:6:3: servers.b: has both url and command; keep one`,
				`:7:3: servers.c: needs one of url, command and catalog`,
				`:8:3: servers.d: args, env, cwd and inherit_env go with command`,
				`:9:3: servers.e: headers go with url`,
				`:10:22: servers.f.timeout: must be a positive duration such as 10s or 1m30s`,
				`:10:47: servers.f.protocol: must be auto or a protocol version such as 2025-11-25`,
				`:10:73: servers.f.type: the old HTTP+SSE transport is not supported; use the server's streamable HTTP URL and type http`,
				`:11:19: servers.g.type: http goes with url`,
				`:11:45: servers.g.inherit_env[0]: must be the name of an environment variable`,
				`:12:3: servers.h: differs from "H" in case only`,
				`:12:27: servers.h.go.package: must be a Go package name`,
				`:12:41: servers.h.go.numbers: must be native or exact`,
				`:12:64: servers.h.go.rename.t: must be an exported Go name such as OpenIssue`,
				`:12:85: servers.h.go.formats.uri: must be string, or time for date-time`,
				`:12:108: servers.h.go.bindings.M: must be a Go type as import/path.Type`,
				`:16:5: servers.i.call_timeout: must be a positive duration such as 10s or 1m30s`,
				`:17:19: servers.j.call_timeout: must be a positive duration such as 10s or 1m30s`,
				`:17:38: servers.j.timeout: must be a positive duration such as 10s or 1m30s`,
			},
		},
		{name: "tag", yaml: "version: !!int 1\n", want: []string{":1:10: version: YAML tags are not supported"}},
		{name: "alias", yaml: "version: 1\noutput: *x\n", want: []string{":2:9: output: an alias without its anchor, or too many aliases"}},
		{name: "endless merge", yaml: "version: 1\nservers: &s {<<: *s}\n", want: []string{":2:18: servers: an alias without its anchor, or too many aliases"}},
		{name: "no import", yaml: "version: 1\nimports: [gone.json]\n", want: []string{`:2:11: imports[0]: cannot read "gone.json": no such file or directory`}},
		{name: "import syntax", yaml: "version: 1\nimports: [.mcp.json]\n", imports: "{\n  \"mcpServers\": {\"a\": {\"url\": \"" + secret + "\",}}}", want: []string{".mcp.json:2:48: not valid JSON"}},
		{name: "completing a misspelled one", yaml: "version: 1\nimports: [.mcp.json]\nservers: {memori: {timeout: 1s}}\n", imports: `{"servers": {"memory": {"url": "http://x"}}}`, want: []string{`:3:11: servers.memori: needs one of url, command and catalog; or did you mean to complete "memory" of .mcp.json?`}},
		{name: "import kinds", yaml: "version: 1\nimports: [.mcp.json]\n", imports: `{"mcpServers": ["` + secret + `"]}`, want: []string{".mcp.json:1:16: mcpServers: a value of the wrong kind"}},
		{name: "import without servers", yaml: "version: 1\nimports: [.mcp.json]\n", imports: `{"x": 1}`, want: []string{`.mcp.json: neither "mcpServers" nor "servers" is in it`}},
		{
			name: "completing what cannot be used", yaml: "version: 1\nimports: [.mcp.json]\nservers: {a: {timeout: 1s}, b: {timeout: 1s}}\n",
			imports: `{"servers": {"a": {"type": "sse", "url": "http://x"}, "b": {"url": "http://x", "disabled": true}}}`,
			want: []string{
				`:3:11: servers.a: completes the server of that name in .mcp.json, which cannot be used: the old HTTP+SSE transport is not supported; use the server's streamable HTTP URL and type http; set url or command here`,
				`:3:29: servers.b: completes the server of that name in .mcp.json, which is disabled there; set url or command here`,
			},
		},
		{
			name: "keys of other tools", yaml: "version: 1\nmcpServers:\n  a: {url: http://x}\nservers:\n  b: {serverUrl: http://x}\n",
			want: []string{
				`:2:1: unknown key "mcpServers"; here it is called "servers"`,
				`:5:7: servers.b: unknown key "serverUrl"; here it is called "url"`,
			},
		},
		{
			name: "literal urls", yaml: "version: 1\nservers:\n  a: {url: example.com/mcp}\n  b: {url: /mcp}\n  c: {url: ftp://" + secret + "}\n  d: {url: \"${HOST}/mcp\"}\n",
			want: []string{
				`:3:7: servers.a.url: must be an http or https URL such as https://example.com/mcp`,
				`:4:7: servers.b.url: must be an http or https URL such as https://example.com/mcp`,
				`:5:7: servers.c.url: must be an http or https URL such as https://example.com/mcp`,
			},
		},
		{
			name: "completing too much", yaml: "version: 1\nimports: [.mcp.json]\nservers: {a: {headers: {X: y}}}\n", imports: `{"servers": {"a": {"url": "http://x"}}}`,
			want: []string{`:3:11: servers.a: completes the server of that name in .mcp.json, which says how to connect; leave out headers, args, env, cwd and type, or set url or command to replace it`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{config.Name: tt.yaml}
			if tt.imports != "" {
				files[".mcp.json"] = tt.imports
			}
			path := write(t, files)
			_, err := config.Load(path)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.Split(strings.ReplaceAll(err.Error(), path, ""), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if _, ok := errors.AsType[*config.Error](err); !ok {
				t.Errorf("errors.AsType finds no *config.Error")
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("a value stands in the error")
			}
		})
	}
}

// What is wrong with an imported server costs that server only; what replaces it
// makes it good.
func TestImportedFaults(t *testing.T) {
	const secret = "hunter2-canary"
	path := write(t, map[string]string{config.Name: `version: 1
imports: [.mcp.json]
servers: {B: {url: http://x}, replaced: {url: http://x}, off: {url: http://x}}
`, ".mcp.json": `{"mcpServers": {
	"a b": {"url": "http://x"},
	"b": {"url": "http://x"},
	"good": {"url": "http://x"},
	"GOOD": {"url": "http://x"},
	"kinds": {"command": "x", "args": "` + secret + `"},
	"no": {"url": "http://x", "disabled": true},
	"nothing": {},
	"number": 3,
	"off": {"url": "http://x", "disabled": true},
	"replaced": {"type": "sse", "url": "http://x"},
	"sse": {"type": "sse", "url": "http://x"},
	"url": {"url": "` + secret + `"}
}}`})
	file, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range file.Entries {
		names = append(names, e.Name)
	}
	if diff := cmp.Diff([]string{"B", "GOOD", "off", "replaced"}, names); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	want := `.mcp.json: a b: a server's name has 1 to 64 letters, digits, dots, underscores and hyphens; copy the entry under servers and give it such a name
.mcp.json: b: differs from "B" in case only
.mcp.json: good: differs from "GOOD" in case only
.mcp.json: kinds.args: a value of the wrong kind
.mcp.json: nothing: needs one of url, command and catalog
.mcp.json: number: a value of the wrong kind
.mcp.json: sse.type: the old HTTP+SSE transport is not supported; use the server's streamable HTTP URL and type http
.mcp.json: url.url: must be an http or https URL such as https://example.com/mcp`
	if diff := cmp.Diff(want, file.Warnings.Error()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

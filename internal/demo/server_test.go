package demo

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func connect(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func inMemory(t *testing.T) *mcp.ClientSession {
	t.Helper()
	client, server := mcp.NewInMemoryTransports()
	go func() { _ = New("1").Run(t.Context(), server) }()
	return connect(t, client)
}

// Every call below runs in order on one tracker; results with a schema are valid
// against it.
func TestCalls(t *testing.T) {
	calls := []struct {
		tool, arguments string
		want            string // structured content, or text; of a failure "error: " and its text
	}{
		{"whoami", `{}`, `{"can_delete":true,"display_name":"Ada Lovelace","login":"ada"}`},
		{"search_issues", `{"text":"guide","assignee":null}`, `{"issues":[{"id":9007199254740997,"title":"Write a guide for newcomers","state":"in-progress","priority":3,"assignee":null,"labels":["docs","good-first-issue"],"parent":null,"estimate":null,"created":"2026-03-02T09:03:00Z"}],"total":1}`},
		{"search_issues", `{"state":"open","labels":["bug"],"limit":1}`, `{"issues":[{"id":9007199254740993,"title":"Crash when the list is empty","state":"open","priority":1,"assignee":"grace","labels":["bug"],"parent":null,"estimate":{"amount":2.5,"unit":"hours"},"fields":{"browser":"any","reports":12},"created":"2026-03-02T09:01:00Z"}],"total":1}`},
		{"get_issue", `{"id":9007199254740993}`, `{"id":9007199254740993,"title":"Crash when the list is empty","state":"open","parts":[{"id":9007199254740995,"title":"Reproduce the crash","state":"closed","parts":[]}]}`},
		{"get_issue", `{"id":9007199254740992}`, `error: there is no issue 9007199254740992`},
		{"create_issue", `{"title":"Slow start","estimate":{"amount":1},"parent":9007199254740995,"fields":{"x":true}}`, `{"id":9007199254740999,"url":"https://tracker.example/issues/9007199254740999"}`},
		{"create_issue", `{"titel":"x"}`, `error: arguments: json: unknown field "titel"`},
		{"create_issue", `{"title":""}`, `error: an issue needs a title`},
		{"update_issue", `{"id":9007199254740999,"state":"closed","assignee":"grace","estimate":null}`, `{"changed":["state","assignee","estimate"]}`},
		{"update_issue", `{"id":9007199254740999,"state":"closed"}`, `{"changed":[]}`},
		{"list_events", `{"issue":9007199254740999,"after":"2026-03-02T09:04:00Z"}`, `{"events":[{"type":"changed","at":"2026-03-02T09:05:00Z","property":"state","from":"open","to":"closed"},{"type":"changed","at":"2026-03-02T09:06:00Z","property":"assignee","from":null,"to":"grace"},{"type":"changed","at":"2026-03-02T09:07:00Z","property":"estimate","from":{"amount":1,"unit":"hours"},"to":null}]}`},
		{"add_comment", `{"issue":9007199254740993,"content":{"kind":"prose","text":"Me too."}}`, `{"number":1}`},
		{"add_comment", `{"issue":9007199254740993,"reply_to":1,"content":{"kind":"code","source":"x[0]","lines":[3,3]}}`, `{"number":2}`},
		{"add_comment", `{"issue":9007199254740993,"reply_to":9,"content":{"kind":"link","url":"https://x.example"}}`, `error: issue 9007199254740993 has no comment 9 to reply to`},
		{"list_comments", `{"issue":9007199254740993}`, "{\"comments\":[{\"number\":1,\"author\":\"ada\",\"text\":\"Me too.\",\"replies\":[{\"number\":2,\"author\":\"ada\",\"text\":\"Lines 3 to 3:\\n```text\\nx[0]\\n```\"}]}]}"},
		{"query", `{"where":{"all":[{"not":{"property":"state","is":"closed"}},{"any":[{"property":"priority","is":1},{"property":"assignee","is":null}]}]}}`, `{"ids":[9007199254740993,9007199254740997]}`},
		{"query", `{"where":{"property":"label","is":"docs"}}`, `{"ids":[9007199254740997]}`},
		{"get_statistics", `{"group_by":"assignee"}`, `{"counts":{"ada":1,"grace":2,"nobody":1},"oldest":[9007199254740993,"2026-03-02T09:01:00Z"],"total":4}`},
		{"delete_issue", `{"id":9007199254740993,"confirm":true}`, `error: issue 9007199254740993 has parts; delete those first`},
		{"delete_issue", `{"id":9007199254740999,"confirm":true}`, `Issue 9007199254740999 is deleted.`},
		{"export_issues", `{}`, "id,title,state\n9007199254740993,Crash when the list is empty,open\n9007199254740995,Reproduce the crash,closed\n9007199254740997,Write a guide for newcomers,in-progress\n"},
		{"export_issues", `{"format":"markdown","columns":["priority"]}`, "| priority |\n| --- |\n| 1 |\n| 2 |\n| 3 |\n"},
		{"sync_upstream", `{"source":"other"}`, `error: the demo has no network: no other tracker can be reached`},
	}
	session := inMemory(t)
	schemas := outputSchemas(t)
	called := map[string]bool{}
	for _, c := range calls {
		called[c.tool] = true
		// What the client sees went through any; the server's own bytes stand in the text.
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.arguments)})
		if err != nil {
			t.Fatalf("%s: %v", c.tool, err)
		}
		got := res.Content[0].(*mcp.TextContent).Text
		if res.IsError {
			got = "error: " + got
		} else if schema := schemas[c.tool]; schema != nil {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(got)))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("%s: the result breaks its own schema: %v", c.tool, err)
			}
		}
		if got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.tool, c.arguments, got, c.want)
		}
	}
	for name := range handlers {
		if !called[name] {
			t.Errorf("no call of %s", name)
		}
	}
}

func outputSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	var definitions []toolDefinition
	if err := json.Unmarshal(toolsJSON, &definitions); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	for _, d := range definitions {
		for kind, raw := range map[string]json.RawMessage{"input": d.InputSchema, "output": d.OutputSchema} {
			if raw == nil {
				continue
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			compiler := jsonschema.NewCompiler()
			if err := compiler.AddResource(kind, doc); err != nil {
				t.Fatal(err)
			}
			schema, err := compiler.Compile(kind)
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			if kind == "output" {
				out[d.Name] = schema
			}
		}
		if handlers[d.Name] == nil {
			t.Errorf("no handler for %s", d.Name)
		}
	}
	return out
}

func TestHandler(t *testing.T) {
	server := httptest.NewServer(Handler("1"))
	t.Cleanup(server.Close) // after the session's end, which connect arranges
	session := connect(t, &mcp.StreamableClientTransport{Endpoint: server.URL})
	res, err := session.ListTools(t.Context(), nil)
	if err != nil || len(res.Tools) != len(handlers) {
		t.Errorf("%d tools, %v; want %d", len(res.Tools), err, len(handlers))
	}
}

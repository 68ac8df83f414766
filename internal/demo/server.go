// Package demo is an MCP server to try mcpbind on: a small issue tracker that
// keeps its issues in memory.
//
// In: nothing. Out: a server on go-sdk whose tools show what schemas can say:
// enums, optional and nullable values, nested and recursive objects, unions,
// tuples, maps, integers beyond float64, results with and without a schema, and
// calls that fail. Equal calls get equal answers: its clock ticks once per
// change. It imports nothing of mcpbind.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolsJSON holds the tools as a server's author would write them by hand.
//
//go:embed tools.json
var toolsJSON []byte

type toolDefinition struct {
	Name, Title, Description  string
	Annotations               *mcp.ToolAnnotations
	InputSchema, OutputSchema json.RawMessage
}

// New returns a server with a tracker of its own. version is what it reports
// as its version.
func New(version string) *mcp.Server {
	var definitions []toolDefinition
	if err := json.Unmarshal(toolsJSON, &definitions); err != nil {
		panic(fmt.Sprintf("demo: tools.json: %v", err)) // embedded: a test reads it
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "mcpbind-demo", Title: "Issue tracker", Version: version}, nil)
	t := newTracker()
	for _, d := range definitions {
		tool := &mcp.Tool{Name: d.Name, Title: d.Title, Description: d.Description, Annotations: d.Annotations, InputSchema: d.InputSchema}
		if d.OutputSchema != nil {
			tool.OutputSchema = d.OutputSchema
		}
		server.AddTool(tool, adapt(t, handlers[d.Name]))
	}
	return server
}

// Handler serves one tracker over streamable HTTP.
func Handler(version string) http.Handler {
	server := New(version)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
}

// A handler answers one tool: a string is text, anything else is structured
// content, an error is the tool's own failure.
type handler func(t *tracker, arguments json.RawMessage) (any, error)

var handlers = map[string]handler{
	"whoami":         with((*tracker).whoami),
	"search_issues":  with((*tracker).search),
	"get_issue":      with((*tracker).get),
	"create_issue":   with((*tracker).create),
	"update_issue":   with((*tracker).update),
	"delete_issue":   with((*tracker).remove),
	"add_comment":    with((*tracker).addComment),
	"list_comments":  with((*tracker).listComments),
	"list_events":    with((*tracker).listEvents),
	"query":          with((*tracker).query),
	"get_statistics": with((*tracker).statistics),
	"export_issues":  with((*tracker).export),
	"sync_upstream":  with((*tracker).sync),
}

// with decodes the arguments for f. Unknown members are refused, so that a
// misspelled one is noticed.
func with[In any](f func(*tracker, In) (any, error)) handler {
	return func(t *tracker, arguments json.RawMessage) (any, error) {
		var in In
		dec := json.NewDecoder(bytes.NewReader(arguments))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("arguments: %w", err)
		}
		return f(t, in)
	}
}

func adapt(t *tracker, h handler) mcp.ToolHandler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		arguments := req.Params.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		out, err := h(t, arguments)
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
		}
		if text, ok := out.(string); ok {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
		raw, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(raw)}},
			StructuredContent: json.RawMessage(raw),
		}, nil
	}
}

package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newCanary returns a server that puts echo, what it was told in confidence,
// wherever a server can put text.
func newCanary(echo []string) *mcp.Server {
	all := strings.Join(echo, " ")
	server := mcp.NewServer(&mcp.Implementation{Name: "canary " + all, Version: all}, nil)
	add := func(name string, input, output any, handler mcp.ToolHandler) {
		server.AddTool(&mcp.Tool{
			Name: name, Title: "Title " + all, Description: "Prose " + all + "\n" + all,
			Annotations: &mcp.ToolAnnotations{Title: all},
			InputSchema: raw(input), OutputSchema: raw(output),
		}, handler)
	}
	says := func(isError bool) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				IsError:           isError,
				Content:           []mcp.Content{&mcp.TextContent{Text: "text " + all}},
				StructuredContent: map[string]any{"said": all},
			}, nil
		}
	}
	type object = map[string]any
	args := func(name string, property any) object {
		return object{"type": "object", "properties": object{name: property}}
	}
	said := args("said", object{"type": "string", "description": all})
	add("prose", args("a", object{"type": "string", "description": "Say " + all, "title": all, "examples": []string{all}}), said, says(false))
	add("default", args("a", object{"type": "string", "default": all}), said, says(true))
	add("enum", args("a", object{"enum": append([]string{"x"}, echo...)}), args("said", object{"enum": echo}), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: -32603, Message: "broken: " + all}
	})
	add("const", args("a", object{"const": all}), args("said", object{"const": all}), says(false))
	add("pattern", args("a", object{"type": "string", "pattern": all}), said, says(false))
	for i, e := range echo {
		add(fmt.Sprintf("key%d", i), args(e, object{"type": "string"}), args("x"+e, object{"type": "integer"}), says(false))
		add("defs", object{"type": "object", "properties": object{"a": object{"$ref": "#/$defs/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(e)}}, "$defs": object{e: object{"type": "object", "properties": object{"b": object{"type": "integer"}}}}}, said, says(false))
		add("named_"+e, args("a", true), said, says(false))
	}
	return server
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// canaryHandler echoes the headers of the request that opens the session. Below
// /broken it answers with nothing else.
func canaryHandler() http.Handler {
	echo := func(r *http.Request) (out []string) {
		for _, name := range slices.Sorted(maps.Keys(r.Header)) {
			if strings.HasPrefix(name, "X-") || name == "Authorization" {
				out = append(out, r.Header[name]...)
			}
		}
		return append(out, r.URL.RawQuery, base64.StdEncoding.EncodeToString([]byte(strings.Join(out, ""))))
	}
	mux := http.NewServeMux()
	mux.Handle("/", mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server { return newCanary(echo(r)) }, nil))
	mux.HandleFunc("/broken", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, strings.Join(echo(r), "\n"), http.StatusForbidden)
	})
	return mux
}

// canaryStdio is the command "canary": it echoes its environment and arguments.
// With "die" it only does so on stderr.
func canaryStdio() {
	var echo []string
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "CANARY") || name == "TOKEN" {
			echo = append(echo, value)
		}
	}
	echo = append(echo, os.Args[1:]...)
	fmt.Fprintln(os.Stderr, "starting with", echo, base64.StdEncoding.EncodeToString([]byte(strings.Join(echo, ""))))
	if slices.Contains(os.Args, "die") {
		os.Exit(3)
	}
	if err := newCanary(echo).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

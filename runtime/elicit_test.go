package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askSchema has defaults that no float64 keeps.
const askSchema = `{"type":"object","properties":{"name":{"type":"string","default":"x"},"id":{"type":"integer","default":` + big + `},"ok":{"type":"boolean"}}}`

// asking answers tools/call: with a question first, then with what it was told.
func asking(ask string) answers {
	return answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
		var params struct {
			InputResponses json.RawMessage `json:"inputResponses"`
			RequestState   string          `json:"requestState"`
		}
		_ = json.Unmarshal(m.Params, &params)
		if params.InputResponses == nil && params.RequestState == "" {
			sendJSON(w, m.result(ask))
			return
		}
		text, _ := json.Marshal(params.RequestState + " " + string(params.InputResponses))
		sendJSON(w, m.result(`{"content":[{"type":"text","text":`+string(text)+`}]}`))
	}}
}

func userSays(a ElicitationAnswer) Option {
	return WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) { return a, nil })
}

func TestQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	const asks = `{"content":[],"resultType":"input_required","requestState":"s1","inputRequests":{"b":{"method":"elicitation/create","params":{"url":"https://example.com/pay","message":"pay"}},` +
		`"a":{"method":"elicitation/create","params":{"mode":"form","message":"who?","requestedSchema":` + askSchema + `}}}}`
	var got []Elicitation
	c, server := fakeClient(t, asking(asks), quiet(), WithElicitation(func(_ context.Context, ask Elicitation) (ElicitationAnswer, error) {
		got = append(got, ask)
		return ElicitationAnswer{Action: ElicitAccept, Content: json.RawMessage(`{"ok":true,"n":1.0}`)}, nil
	}))
	res, err := callT(t, c)
	if err != nil {
		t.Fatal(err)
	}
	want := `s1 {"a":{"action":"accept","content":{"id":` + big + `,"n":1.0,"name":"x","ok":true}},"b":{"action":"accept"}}`
	if res.Text != want {
		t.Errorf("the server was told %s, want %s", res.Text, want)
	}
	if len(got) != 2 || got[0].Message != "who?" || string(got[0].Schema) != askSchema || got[0].Tool != "t" || got[0].Server != "srv" || got[1].URL != "https://example.com/pay" {
		t.Errorf("asked %+v", got)
	}
	if n := server.count("tools/call"); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestQuestionsThatAreNotAnswered(t *testing.T) {
	t.Parallel()
	question := func(params string) string {
		return `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":` + params + `}}}`
	}
	accept := userSays(ElicitationAnswer{Action: ElicitAccept})
	for name, test := range map[string]struct {
		asks string
		opt  Option
		says string
	}{
		"nobody to ask":       {question(`{"message":"?"}`), nil, "does not offer"},
		"null":                {`{"resultType":"input_required","inputRequests":{"a":null}}`, accept, "malformed"},
		"no params":           {`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}`, accept, "malformed"},
		"a list":              {`{"resultType":"input_required","inputRequests":[]}`, accept, "malformed"},
		"sampling":            {`{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}`, accept, "sampling/createMessage"},
		"form and URL":        {question(`{"url":"https://x","requestedSchema":{}}`), accept, "malformed"},
		"schema is a list":    {question(`{"requestedSchema":[]}`), accept, "malformed"},
		"message is a number": {question(`{"message":1}`), accept, "malformed"},
		"no action":           {question(`{"message":"?"}`), userSays(ElicitationAnswer{}), "action"},
		"content is a list":   {question(`{"message":"?"}`), userSays(ElicitationAnswer{Action: ElicitAccept, Content: json.RawMessage(`[]`)}), "answer"},
		"handler fails": {question(`{"message":"?"}`), WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) {
			return ElicitationAnswer{}, errors.New("no terminal")
		}), "no terminal"},
		"handler panics": {question(`{"message":"?"}`), WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) {
			panic("x")
		}), "answering the tool's question: panic with a string"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, server := fakeClient(t, asking(test.asks), quiet(), test.opt)
			res, err := callT(t, c)
			if err == nil || !strings.Contains(err.Error(), test.says) || errors.Is(err, ErrFateUnknown) {
				t.Errorf("call = %+v, %v, want it to say %q", res, err, test.says)
			}
			stillWorks(t, c, server)
		})
	}
}

// Whose fault a panic is, and where, is for the log to say, once.
func TestPanicOfAnElicitationHandlerIsLogged(t *testing.T) {
	t.Parallel()
	var logs bytes.Buffer
	c, _ := fakeClient(t, asking(`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}}}`),
		WithLogger(slog.New(slog.NewTextHandler(&logs, nil))),
		WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) { panic("x") }))
	for range 2 {
		if res, err := callT(t, c); err == nil {
			t.Errorf("call = %+v", res)
		}
	}
	must(t, c.Close())
	if text := logs.String(); strings.Count(text, "handler panicked") != 1 ||
		strings.Contains(text, "SDK panic") || !strings.Contains(text, "elicit_test.go") {
		t.Errorf("log: %s", text)
	}
}

func TestQuestionsForEver(t *testing.T) {
	t.Parallel()
	for name, asks := range map[string]string{
		"questions":    `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}}}`,
		"load":         `{"resultType":"input_required","requestState":"s"}`,
		"without end":  `{"resultType":"input_required"}`,
		"many at once": `{"resultType":"input_required","inputRequests":{` + strings.Repeat(`"%d":{"method":"elicitation/create","params":{}},`, 40) + `"z":{"method":"elicitation/create","params":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(asks, "%d") {
				var n []any
				for i := range 40 {
					n = append(n, i)
				}
				asks = fmt.Sprintf(asks, n...)
			}
			c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) { sendJSON(w, m.result(asks)) }},
				quiet(), userSays(ElicitationAnswer{Action: ElicitDecline}))
			if res, err := callT(t, c); err == nil {
				t.Errorf("call = %+v", res)
			}
			if n := server.count("tools/call"); n > maxRounds {
				t.Errorf("%d requests", n)
			}
			stillWorks(t, c, server)
		})
	}
}

// Real servers ask by a request of their own before 2026-07-28, and in the result
// from then on.
func TestElicitationWithTheSDK(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"2025-06-18", legacyProtocol, statelessProtocol} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			server := mcp.NewServer(&mcp.Implementation{Name: "asks", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)},
				func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					ask := &mcp.ElicitParams{Message: "sure?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean","default":true}}}`)}
					var answer *mcp.ElicitResult
					if protocol == statelessProtocol {
						given, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult)
						if !ok {
							return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": ask}}, nil
						}
						answer = given
					} else {
						var err error
						if answer, err = req.Session.Elicit(ctx, ask); err != nil {
							return nil, err
						}
					}
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Action, answer.Content)}}}, nil
				})
			cfg := serveHTTP(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
				&mcp.StreamableHTTPOptions{Stateless: protocol == statelessProtocol}))
			cfg.Protocol = protocol
			c := NewStreamableHTTPClient(cfg, quiet(), userSays(ElicitationAnswer{Action: ElicitAccept}))
			connected(t, c)
			ctx, cancel := context.WithTimeout(t.Context(), plenty)
			defer cancel()
			res, err := c.CallTool(ctx, ToolCall{Name: "t"})
			if err != nil || res.Text != "acceptmap[sure:true]" {
				t.Errorf("call = %+v, %v", res, err)
			}
		})
	}
}

// A handler that does not mind its context holds up no call.
func TestDeafElicitation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answered := make(chan struct{})
		e := newEndpoint(ServerConfig{Name: "srv"}, []Option{quiet(), WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) {
			<-answered
			return ElicitationAnswer{Action: ElicitDecline}, nil
		})})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if _, err := e.askWithin(ctx, Elicitation{}); !errors.Is(err, ErrTimeout) || time.Since(begin) != time.Second {
			t.Errorf("askWithin = %v after %v", err, time.Since(begin))
		}
		close(answered)
	})
}

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stepping has a tool that reports n steps, one every pause, and then answers.
func stepping(n int, pause time.Duration) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "steps", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for i := range n {
				time.Sleep(pause)
				if token := req.Params.GetProgressToken(); token != nil {
					_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
						ProgressToken: token, Progress: float64(i + 1), Total: float64(n), Message: "step",
					})
				}
			}
			time.Sleep(pause)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
		})
	return server
}

func TestProgressReachesTheCaller(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{legacyProtocol, statelessProtocol} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { progressReachesTheCaller(t, protocol) })
		})
	}
}

func progressReachesTheCaller(t *testing.T, protocol string) {
	server := stepping(3, 20*time.Millisecond)
	cfg, net := serveMemory(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: protocol == statelessProtocol}))
	cfg.Protocol = protocol
	c := NewStreamableHTTPClient(cfg, net, quiet())
	connected(t, c)
	var mu sync.Mutex
	var got []Progress
	res, err := CallUntyped(t.Context(), Bind(c, "srv"), ToolSpec{Name: "t"}, nil, WithProgress(func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, p)
	}))
	if err != nil || res.Text != "done" {
		t.Fatalf("call = %+v, %v", res, err)
	}
	mu.Lock()
	defer mu.Unlock()
	want := []Progress{{1, 3, "step"}, {2, 3, "step"}, {3, 3, "step"}}
	if !slices.Equal(got, want) {
		t.Errorf("reports %v, want %v", got, want)
	}
}

func TestProgressPutsOffTheTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, progressPutsOffTheTimeout)
}

func progressPutsOffTheTimeout(t *testing.T) {
	server := stepping(6, 100*time.Millisecond)
	cfg, net := serveMemory(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	c := NewStreamableHTTPClient(cfg, net, quiet())
	connected(t, c)
	call := func(ctx context.Context, idle time.Duration) error {
		_, err := c.CallTool(ctx, ToolCall{Name: "t", ProgressTimeout: idle})
		return err
	}
	if err := call(t.Context(), 101*time.Millisecond); err != nil {
		t.Errorf("call of 700 ms with reports = %v", err)
	}
	if err := call(t.Context(), 99*time.Millisecond); !errors.Is(err, ErrTimeout) {
		t.Errorf("call that reports too rarely = %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
	defer cancel()
	if err := call(ctx, 101*time.Millisecond); !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("call beyond its deadline, with reports = %v", err)
	}
}

// Reports that nobody can use, too many of them, and a callback that gets stuck or
// panics, cost the call nothing.
func TestProgressOfNoUse(t *testing.T) {
	t.Parallel()
	for name, report := range map[string]func(release <-chan struct{}) func(Progress){
		"stuck":  func(release <-chan struct{}) func(Progress) { return func(Progress) { <-release } },
		"panics": func(<-chan struct{}) func(Progress) { return func(Progress) { panic("x") } },
		"none":   func(<-chan struct{}) func(Progress) { return nil },
	} {
		t.Run(name, inBubble(func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			c, server := memoryFake(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
				var params struct {
					Meta struct {
						Token json.RawMessage `json:"progressToken"`
					} `json:"_meta"`
				}
				_ = json.Unmarshal(m.Params, &params)
				if params.Meta.Token == nil {
					params.Meta.Token = json.RawMessage(`"p1"`)
				}
				sendEvents(w, `{"jsonrpc":"2.0","method":"notifications/progress"}`,
					`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":1}}`,
					`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"somebody else's","progress":1}}`)
				for i := range 50 {
					sendEvents(w, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, params.Meta.Token, i))
				}
				sendEvents(w, m.result(fakeOK))
			}})
			begin := time.Now()
			res, err := c.CallTool(t.Context(), ToolCall{Name: "t", Progress: report(release)})
			if err != nil || res.Text != "ok" {
				t.Errorf("call = %+v, %v", res, err)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("the call took %v", took)
			}
			stillWorks(t, c, server)
		}))
	}
}

func TestFeedKeepsTheNewest(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	var got []int
	f := feed[int]{deliver: func(v int) {
		if v == 0 {
			close(entered)
			<-release
		}
		got = append(got, v)
	}}
	f.push(0)
	<-entered
	for v := range 100 {
		f.push(v + 1)
	}
	close(release)
	f.end()
	f.push(1000)
	if len(got) != maxWaiting+1 || got[len(got)-1] != 100 {
		t.Errorf("delivered %v", got)
	}
}

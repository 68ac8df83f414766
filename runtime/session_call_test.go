package runtime

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// What a server says of its tools makes no call repeatable: only the caller does.
func TestLiveAnnotationsAreNotTrusted(t *testing.T) {
	c, server := fakeClient(t, answers{
		"tools/list": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			sendJSON(w, m.result(`{"tools":[{"name":"t","annotations":{"readOnlyHint":true,"idempotentHint":true}}]}`))
		},
		"tools/call": func(w http.ResponseWriter, _ *http.Request, _ fakeMessage) { w.WriteHeader(http.StatusBadGateway) },
	})
	tools, err := c.ListTools(t.Context())
	must(t, err)
	reg := NewRegistry()
	must(t, reg.RegisterServer("srv", c, tools))
	for _, test := range []struct {
		spec ToolSpec
		want int // calls that arrive
	}{
		{ToolSpec{Name: "t"}, 1},
		{ToolSpec{Name: "t", Destructive: true}, 1},
		{ToolSpec{Name: "t", ReadOnly: true}, 2},
		{ToolSpec{Name: "t", Idempotent: true}, 2},
	} {
		before := server.count("tools/call")
		_, err := CallUntyped(t.Context(), Bind(reg, "srv"), test.spec, nil)
		if !errors.Is(err, ErrFateUnknown) || !strings.Contains(err.Error(), "502") {
			t.Errorf("%+v: %v", test.spec, err)
		}
		if n := server.count("tools/call") - before; n != test.want {
			t.Errorf("%+v: %d calls arrived, want %d", test.spec, n, test.want)
		}
	}
}

func TestSecondChance(t *testing.T) {
	busy := func(d time.Duration) error { return &wire.StatusError{Status: 429, RetryAfter: d} }
	broken := errors.New("connection reset")
	type met struct {
		fate  fate
		err   error
		again bool
		pause time.Duration
	}
	for name, test := range map[string]struct {
		repeatable bool
		met        []met
	}{
		"answered":                {true, []met{{fateAnswered, broken, false, 0}}},
		"unsent, once":            {false, []met{{fateUnsent, broken, true, 0}, {fateUnsent, broken, false, 0}}},
		"unknown":                 {false, []met{{fateUnknown, broken, false, 0}}},
		"unknown, repeatable":     {true, []met{{fateUnknown, broken, true, 0}, {fateUnknown, broken, false, 0}}},
		"one after the other":     {true, []met{{fateUnknown, broken, true, 0}, {fateUnsent, broken, true, 0}, {fateUnsent, broken, false, 0}}},
		"nonsense":                {true, []met{{fateUnknown, wire.ErrNotJSON, false, 0}}},
		"busy":                    {false, []met{{fateBusy, busy(2 * time.Second), true, 2 * time.Second}, {fateBusy, busy(1), false, 1}}},
		"busy, nobody knows till": {false, []met{{fateBusy, busy(0), true, defaultRetryAfter}}},
		"busy for long":           {true, []met{{fateBusy, busy(time.Hour), false, time.Hour}}},
	} {
		chance := secondChance{unsent: true, busy: true, unknown: test.repeatable}
		for i, m := range test.met {
			if pause, again := chance.take(m.fate, m.err); again != m.again || (again && pause != m.pause) {
				t.Errorf("%s, %d: again %v after %v", name, i, again, pause)
			}
		}
	}
}

func TestCallTimeout(t *testing.T) {
	for name, configure := range map[string]func(*ServerConfig) Option{
		"of all servers": func(*ServerConfig) Option { return WithCallTimeout(time.Minute) },
		"of this server": func(cfg *ServerConfig) Option {
			cfg.CallTimeout = time.Minute
			return WithCallTimeout(time.Hour)
		},
	} {
		t.Run(name, inBubble(func(t *testing.T) {
			cfg, net := serveMemory(t, &fakeServer{on: answers{"tools/call": hang}})
			opt := configure(&cfg)
			c := NewStreamableHTTPClient(cfg, net, opt)
			connected(t, c)
			_, err := c.CallTool(t.Context(), ToolCall{Name: "t"})
			want := `server "srv": tool "t": call: timeout: no answer after 1m0s (the server's call_timeout raises the limit) (whether the tool ran is not known)`
			if !errors.Is(err, ErrTimeout) || err.Error() != want {
				t.Error(err)
			}
		}))
	}
}

func TestMaxResponse(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for name, send := range map[string]func(http.ResponseWriter, string){
		"JSON": sendJSON, "SSE": func(w http.ResponseWriter, text string) { sendEvents(w, text) },
	} {
		c, server := fakeClient(t, answers{"tools/call": func(w http.ResponseWriter, _ *http.Request, m fakeMessage) {
			send(w, m.result(`{"content":[{"type":"text","text":"`+long+`"}]}`))
		}}, WithMaxResponse(1500))
		if _, err := callT(t, c); err == nil || !strings.Contains(err.Error(), "more than 1500 bytes") {
			t.Errorf("%s: %v", name, err)
		}
		stillWorks(t, c, server)
	}
	if o := newOptions([]Option{WithMaxResponse(0)}); o.maxResponse != maxResponse {
		t.Errorf("the default is %d", o.maxResponse)
	}
}

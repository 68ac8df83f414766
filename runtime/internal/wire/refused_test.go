package wire

import (
	"net/http"
	"testing"
	"time"
)

func TestSessionLost(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		lost   bool
	}{
		{404, "session not found", true},
		{404, "", true},
		{404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`, true},
		{404, `{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Session not found"}}`, true},
		{404, `{"jsonrpc":"2.0","id":3,"error":{"code":-32001,"message":"Not found"}}`, true},
		{404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not found"}}`, true},
		{404, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such repository"}}`, false},
		{400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`, true},
		{400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`, true},
		{400, "Bad Request: invalid SESSION", true},
		{400, `{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"session_id must be a number"}}`, false},
		{400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, false},
		{400, "", false},
		{401, "your session has expired", false},
		{410, "gone", false},
		{500, "session store is down", false},
	} {
		m, err := parse([]byte(test.body))
		if got := sessionLost(test.status, m, err == nil && m.err != nil, []byte(test.body)); got != test.lost {
			t.Errorf("%d %s: lost = %v", test.status, test.body, got)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "0": 0, "soon": 0,
		"99999999999999": 24 * time.Hour, "9999999": 24 * time.Hour,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute,
		now.Add(-time.Hour).Format(http.TimeFormat):  0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestDepthAndItems(t *testing.T) {
	for value, want := range map[string][2]int{
		`1`: {0, 0}, `"[[["`: {0, 0}, `[]`: {1, 0}, `[1,[2,{"a":[]}],"]\"["]`: {4, 3}, `{"a":1}`: {1, 0}, `[1,`: {1, 1},
	} {
		if depth, items := Depth([]byte(value)), Items([]byte(value)); depth != want[0] || items != want[1] {
			t.Errorf("%s: depth %d, %d items", value, depth, items)
		}
	}
}

// FuzzAccept feeds answers that are one JSON body: what comes out is one message that
// the SDK can read, or an error.
func FuzzAccept(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":9007199254740993}}}`)
	f.Add(`{"jsonrpc":"2.0","id":null,"error":{"code":"E1","message":7,"data":[1]}}`)
	f.Add(`{"jsonrpc":"2.0","method":"x","id":1.0,"params":[]}`)
	f.Fuzz(func(t *testing.T, body string) {
		for _, method := range []string{methodCallTool, methodListTools, "ping"} {
			slot := &Slot{}
			x := &exchange{id: []byte("1"), method: method, slot: slot}
			out, done, err := x.accept([]byte(body))
			if err != nil {
				if out != nil || done {
					t.Fatalf("%q: %q, %v with %v", body, out, done, err)
				}
				continue
			}
			if _, _, err := passOn(out); err != nil {
				t.Fatalf("%q came out as %q, which the SDK cannot read", body, out)
			}
		}
	})
}

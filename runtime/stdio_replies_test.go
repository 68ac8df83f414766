package runtime

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// resultFirst is a response as the TypeScript SDK writes it.
func resultFirst(m fakeMessage, result string) string {
	return fmt.Sprintf(`{"result":%s,"jsonrpc":"2.0","id":%s}`, result, m.ID)
}

// largeReply answers calls by more than a line may hold.
func largeReply(response func(fakeMessage, string) string) func(fakeMessage) string {
	return func(m fakeMessage) string {
		if m.Method == "tools/call" {
			return response(m, `{"content":[{"type":"text","text":"`+strings.Repeat("x", maxResponse)+`"}]}`)
		}
		return fakeReply(m)
	}
}

// busyFor is how long a busy child is at work on a call: many of busyPing.
const (
	busyFor  = 3 * time.Second
	busyPing = busyFor / 10
)

// busyReply hears nothing while it is at work.
func busyReply(m fakeMessage) string {
	if m.Method == "tools/call" {
		time.Sleep(busyFor)
	}
	return fakeReply(m)
}

// A child with one thread answers no ping during a call. That is no reason to kill it.
func TestBusyChildIsLeftAlone(t *testing.T) {
	t.Parallel()
	c := NewStdioClient(stdioConfig("busy"), quiet(), WithKeepAlive(busyPing))
	connected(t, c)
	if _, err := c.CallTool(t.Context(), ToolCall{Name: "t"}); err != nil {
		t.Error(err)
	}
}

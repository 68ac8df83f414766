package runtime_test

import (
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

func TestFault_InvalidJSON(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "not valid JSON", unknown: true})
}

func TestFault_Batch(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "batch", unknown: true})
}

func TestFault_HTML(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "text/html", unknown: true})
}

func TestFault_Accepted(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "status 202", unknown: true})
}

func TestFault_BadRequest(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "status 400"})
}

func TestFault_ServerError(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "status 500", unknown: true})
}

func TestFault_Unauthorized(t *testing.T) {
	watched(t)
	cfg, f := faultConfig(t, "Unauthorized")
	f.dial(t, cfg)
	_, err := f.call(t, "fault", plenty)
	if err == nil {
		t.Fatal("the call succeeded")
	}
	outcome{says: "status 401 Unauthorized (check the server's headers"}.check(t, err)
	f.succeeds(t, "ok")
}

func TestFault_WrongID(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "another request", unknown: true})
}

func TestFault_BodyCutInHalf(t *testing.T) {
	f := faultyClient(t)
	f.fails(t, outcome{says: "without a response", unknown: true})
	if n := f.server.Count("tools/call"); n != 2 {
		t.Errorf("%d calls arrived: it was repeated", n)
	}
	// Where the caller says that it does no harm, it is.
	_, err := f.CallTool(t.Context(), runtime.ToolCall{Name: "fault", Repeatable: true})
	outcome{says: "without a response", unknown: true}.check(t, err)
	if n := f.server.Count("tools/call"); n != 4 {
		t.Errorf("%d calls arrived, want 4", n)
	}
}

func TestFault_SlowHeaders(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t)
		f.failsWithin(t, time.Second, outcome{says: "call: timeout", is: runtime.ErrTimeout, unknown: true})
		eventually(t, "the server is told", func() bool { return f.server.Count("notifications/cancelled") == 1 })
		f.succeeds(t, "ok")
	})
}

func TestFault_SlowBody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t)
		f.failsWithin(t, time.Second, outcome{says: "call: timeout", is: runtime.ErrTimeout, unknown: true})
		f.succeeds(t, "ok")
	})
}

func TestFault_HundredMegabytes(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "answer is too large: more than 16777216 bytes", unknown: true})
}

func TestFault_DeepNesting(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "not valid JSON", unknown: true})
}

func TestFault_ManyBlocks(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "more than 10000 content blocks", unknown: true})
}

func TestFault_NullInputRequest(t *testing.T) {
	f := faultyClient(t)
	if _, err := f.call(t, "fault", plenty); err == nil {
		t.Error("the call succeeded")
	}
	f.succeeds(t, "ok")
}

func TestFault_SDKErrorCode(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "the server answered with error -32004: the server's words"})
}

func TestFault_TooManyRequests(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t)
		begin := time.Now()
		f.succeeds(t, "fault")
		if took := time.Since(begin); took != time.Second {
			t.Errorf("it took %v", took)
		}
		if n := f.server.Count("tools/call"); n != 2 {
			t.Errorf("%d calls arrived", n)
		}
	})
}

func TestFault_TooManyRequestsForLong(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		begin := time.Now()
		memoryClient(t).fails(t, outcome{says: "status 429 Too Many Requests (the server asks for 1h0m0s of patience)"})
		if took := time.Since(begin); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

func TestFault_RedirectElsewhere(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "redirect refused", is: runtime.ErrServerUnavailable})
}

func TestFault_CallHangs(t *testing.T) { inBubble(t, callHangs) }

func callHangs(t *testing.T) {
	f := memoryClient(t)
	failed := make(chan error, 1)
	go func() {
		_, err := f.CallTool(t.Context(), runtime.ToolCall{Name: "fault"}) // no deadline
		failed <- err
	}()
	eventually(t, "the call arrives", func() bool { return f.server.Count("tools/call") == 1 })
	begin := time.Now()
	if err := f.Close(); err != nil || time.Since(begin) > 2*time.Second {
		t.Errorf("Close = %v after %v", err, time.Since(begin))
	}
	outcome{says: "closed during the call", is: runtime.ErrNotConnected, unknown: true}.check(t, <-failed)
}

// eventually waits for something that another goroutine is about to do.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(plenty); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

package runtime_test

import (
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

func TestFault_JunkInStream(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "not valid JSON", unknown: true})
}

func TestFault_StreamCRLF(t *testing.T)        { faultyClient(t).survives(t) }
func TestFault_StreamBOM(t *testing.T)         { faultyClient(t).survives(t) }
func TestFault_StreamComments(t *testing.T)    { faultyClient(t).survives(t) }
func TestFault_StreamDropped(t *testing.T)     { faultyClient(t).survives(t) }
func TestFault_DuplicateID(t *testing.T)       { faultyClient(t).survives(t) }
func TestFault_NotificationFlood(t *testing.T) { faultyClient(t).survives(t) }
func TestFault_PanicNotification(t *testing.T) {
	inBubble(t, func(t *testing.T) { memoryClient(t).survives(t) })
}
func TestFault_ChangedSessionID(t *testing.T) { faultyClient(t).survives(t) }
func TestFault_WantsHeaders(t *testing.T)     { faultyClient(t).survives(t) }
func TestFault_WatchFails(t *testing.T)       { faultyClient(t).survives(t) }

// survives fails the test unless calls of "fault" and "ok" give the result, on one
// session.
func (f *faulty) survives(t *testing.T) {
	t.Helper()
	handshakes := f.server.Count("initialize")
	f.succeeds(t, "fault")
	f.succeeds(t, "ok")
	f.succeeds(t, "fault")
	if f.server.Count("initialize") != handshakes {
		t.Error("the session was lost")
	}
}

func TestFault_StreamWithoutIDs(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "without a response", unknown: true})
}

func TestFault_StreamLeftOpen(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t)
		begin := time.Now()
		for range 3 {
			f.survives(t)
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

func TestFault_SilentStream(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t, runtime.WithIdleTimeout(time.Second))
		f.fails(t, outcome{says: "the server fell silent for 1s", is: runtime.ErrTimeout, unknown: true})
	})
}

func TestFault_HugeEvent(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "answer is too large", unknown: true})
}

func TestFault_EndlessStream(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := memoryClient(t)
		f.failsWithin(t, plenty, outcome{says: "the server floods the stream: more than 100000 events", unknown: true})
		f.succeeds(t, "ok")
	})
}

func TestFault_ResumeRefused(t *testing.T) {
	faultyClient(t).fails(t, outcome{says: "without a response: resuming its stream: HTTP status 405", unknown: true})
}

func TestFault_StreamDroppedForGood(t *testing.T) {
	f := faultyClient(t)
	failed := make(chan error, 1)
	go func() {
		_, err := f.CallTool(t.Context(), runtime.ToolCall{Name: "fault"})
		failed <- err
	}()
	eventually(t, "the call arrives", func() bool { return f.server.Count("tools/call") == 1 })
	time.Sleep(50 * time.Millisecond) // the call fails in the same way before its stream has begun
	server := f.server
	f.host.Kill()
	select {
	case err := <-failed:
		outcome{is: runtime.ErrServerUnavailable, unknown: true}.check(t, err)
	case <-time.After(plenty):
		t.Fatal("the call waits for ever")
	}
	if err := f.host.Start(); err != nil {
		t.Fatal(err)
	}
	if server.Count("tools/call")+f.server.Count("tools/call") != 1 {
		t.Error("the call was repeated")
	}
	f.succeeds(t, "ok")
}

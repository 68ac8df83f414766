package runtime_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/internal/faultserver"
	"github.com/mcpbind/mcpbind/runtime"
)

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// serveOne answers one request of a client without a network.
func serveOne(h http.Handler, r *http.Request) (*http.Response, error) {
	w, done := httptest.NewRecorder(), make(chan struct{})
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	go func() {
		defer close(done)
		h.ServeHTTP(w, in)
	}()
	select {
	case <-done:
	case <-r.Context().Done():
		<-done // handlers heed the context
		return nil, r.Context().Err()
	}
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// lists fails the test unless the list has these tools, and calls go through.
func (f *faulty) lists(t *testing.T, want ...string) {
	t.Helper()
	tools, err := f.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	f.succeeds(t, "ok")
}

// failsToList fails the test unless listing fails and calls go through.
func (f *faulty) failsToList(t *testing.T, want outcome) {
	t.Helper()
	_, err := f.ListTools(t.Context())
	want.check(t, err)
	f.succeeds(t, "ok")
}

func TestFault_EndlessList(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		memoryClient(t).failsToList(t, outcome{says: "list tools: the server's list of tools has no end"})
	})
}

func TestFault_CircularList(t *testing.T) { faultyClient(t).lists(t, "ok") }

func TestFault_TooManyTools(t *testing.T) {
	faultyClient(t).failsToList(t, outcome{says: "list tools: the server lists more than 20000 tools"})
}

func TestFault_HugeSchema(t *testing.T)  { faultyClient(t).lists(t, "ok") }
func TestFault_DeepSchema(t *testing.T)  { faultyClient(t).lists(t, "ok") }
func TestFault_BrokenTools(t *testing.T) { faultyClient(t).lists(t, "ok") }

func TestFault_ListHangs(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		cfg, f := memoryConfig(t, "ListHangs")
		cfg.Timeout = 3 * time.Second
		f.dial(t, cfg)
		f.failsToList(t, outcome{says: "list tools: timeout: no list after 3s", is: runtime.ErrTimeout})
	})
}

func TestFault_CachedList(t *testing.T) {
	f := faultyClient(t)
	for n := 1; n <= 3; n++ {
		tools, err := f.ListTools(t.Context())
		if err != nil || f.server.Count("tools/list") != n {
			t.Fatalf("ListTools = %v after %d requests, want %d", err, f.server.Count("tools/list"), n)
		}
		if tools[0].Name != "ok" || !bytes.Contains(tools[0].Raw, []byte(`"ok"`)) {
			t.Errorf("tools %+v", tools)
		}
		tools[0].Name = "changed"
		clear(tools[0].Raw)
	}
}

func TestFault_OtherTools(t *testing.T) {
	watched(t)
	defer faultserver.Restarted(false)
	cfg, f := faultConfig(t, "OtherTools")
	reg := runtime.NewRegistry(runtime.WithLogger(silent()))
	told := make(chan runtime.ToolChanges, 1)
	failed := runtime.ConnectAll(t.Context(), reg, []runtime.ServerConfig{cfg},
		runtime.WithToolChanges(func(_ string, c runtime.ToolChanges) { told <- c }))
	if failed != nil {
		t.Fatal(reg.FailedServers())
	}
	t.Cleanup(func() { _ = reg.Close() })
	faultserver.Restarted(true)
	f.server.Forget()
	if _, err := reg.CallTool(t.Context(), runtime.ToolCall{Name: "ok"}); err != nil {
		t.Fatal(err)
	}
	if got := <-told; !slices.Equal(got.Added, []string{"new"}) || !slices.Equal(got.Removed, []string{"fault"}) {
		t.Errorf("told %+v", got)
	}
	st := reg.Status()[0]
	if st.Reconnects != 1 || st.Changes == nil || !slices.Equal(st.Changes.Removed, []string{"fault"}) {
		t.Errorf("status %+v", st)
	}
	_, err := reg.CallTool(t.Context(), runtime.ToolCall{Server: "srv", Name: "fault"})
	outcome{says: "the server listed it once, but has not since", is: runtime.ErrUnknownTool}.check(t, err)
	if _, err := reg.CallTool(t.Context(), runtime.ToolCall{Name: "new"}); err != nil {
		t.Error(err)
	}
}

package runtime_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// Whatever is behind an endpoint costs that endpoint only, and no credential gets
// into what the registry tells or logs.
func TestConnectAllOverHTTP(t *testing.T) {
	const secret = "canary-0123456789"
	quit := make(chan struct{})
	t.Cleanup(func() { close(quit) }) // before the servers close: they wait for their handlers
	echo := func(w http.ResponseWriter, req *http.Request) {
		var msg struct{ ID json.RawMessage }
		body, _ := io.ReadAll(req.Body)
		_ = json.Unmarshal(body, &msg)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"\u001b[2Jbad %s"}}`, msg.ID, req.Header.Get("Authorization"))
	}
	// Only who hangs is to run into a limit, however slow the others are.
	configs := []runtime.ServerConfig{
		{Name: "good", URL: canned(t, 1)},
		{Name: "other", URL: canned(t, 1)}, // loses the collision
		{Name: "hangs", Timeout: 500 * time.Millisecond, URL: serve(t, func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body)
			select {
			case <-quit:
			case <-req.Context().Done():
			}
		})},
		{Name: "html", URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })},
		{Name: "denies", URL: serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })},
		{Name: "echoes", URL: serve(t, echo)},
	}
	for i := range configs {
		configs[i].Headers = map[string]string{"Authorization": "Bearer " + secret}
		configs[i].Secrets = map[string]string{"TOKEN": secret}
	}
	var logs bytes.Buffer
	reg := runtime.NewRegistry(runtime.WithLogger(slog.New(slog.NewJSONHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	failed := runtime.ConnectAll(t.Context(), reg, configs, runtime.WithConnectTimeout(plenty))
	if want := []string{"denies", "echoes", "hangs", "html", "other"}; !slices.Equal(failed, want) {
		t.Errorf("failed: %v, want %v", failed, want)
	}
	if !reg.Has("list") || !slices.Equal(reg.Servers(), []string{"good"}) {
		t.Errorf("connected: %v", reg.Servers())
	}
	if err := reg.FailedServers()["hangs"]; !errors.Is(err, runtime.ErrTimeout) {
		t.Errorf("the server that hangs: %v", err)
	}
	status, err := json.Marshal(reg.Status())
	if err != nil {
		t.Fatal(err)
	}
	told := string(status) + logs.String()
	for name, err := range reg.FailedServers() {
		t.Logf("%s: %v", name, err)
		told += err.Error()
		if strings.Count(err.Error(), fmt.Sprintf("server %q", name)) > 1 {
			t.Errorf("%s is named twice: %v", name, err)
		}
	}
	if strings.Contains(told, "canary") || strings.Contains(told, "\x1b") {
		t.Errorf("a credential or an escape is in %s", told)
	}
	if err := reg.Close(); err != nil {
		t.Error(err)
	}
}

package discover_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/mcpbind/mcpbind/gen/discover"
	"github.com/mcpbind/mcpbind/internal/demo"
	"github.com/mcpbind/mcpbind/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func quiet() runtime.Option { return runtime.WithLogger(slog.New(slog.DiscardHandler)) }

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	return server.URL
}

func TestCatalog(t *testing.T) {
	c, err := discover.Catalog(t.Context(), runtime.ServerConfig{Name: "demo", URL: serve(t, demo.Handler("7"))}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if c.Observed.Name != "mcpbind-demo" || c.Observed.Version != "7" || c.Observed.Protocol == "" {
		t.Errorf("observed %+v", c.Observed)
	}
	if len(c.Tools) != 13 {
		t.Errorf("%d tools", len(c.Tools))
	}
}

// Schemas arrive as sent: key order, number spelling, all pages.
func TestExactTools(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "exact", Version: "1"}, &mcp.ServerOptions{PageSize: 1})
	const schema = `{"type":"object","properties":{"z":{"maximum":9007199254740993},"a":{"minimum":1.50}}}`
	for _, name := range []string{"b", "a"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, nil)
	}
	url := serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	c, err := discover.Catalog(t.Context(), runtime.ServerConfig{Name: "exact", URL: url}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Tools) != 2 {
		t.Fatalf("%d tools", len(c.Tools))
	}
	for _, tool := range c.Tools {
		if !strings.Contains(string(tool), schema) {
			t.Errorf("tool %s\ndoes not hold %s", tool, schema)
		}
	}
}

func TestFailures(t *testing.T) {
	fault := errors.New("fault of the configuration")
	hang := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	deny := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, r.Header.Get("Authorization"), http.StatusForbidden)
	}))
	const secret = "Bearer canary-4711"
	tests := []struct {
		name string
		cfg  runtime.ServerConfig
		want string
	}{
		{"fault", runtime.ServerConfig{Err: fault}, fault.Error()},
		{"nothing", runtime.ServerConfig{}, "exactly one of URL and command"},
		{"both", runtime.ServerConfig{URL: hang, Command: "x"}, "exactly one of URL and command"},
		{"no executable", runtime.ServerConfig{Command: "no-such-executable-xyz"}, "no-such-executable-xyz"},
		{"hang", runtime.ServerConfig{URL: hang, Timeout: 200 * time.Millisecond}, `"s"`},
		{"denied", runtime.ServerConfig{URL: deny, Headers: map[string]string{"Authorization": secret}, Secrets: map[string]string{"T": secret}}, "403"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.cfg.Name = "s"
			start := time.Now()
			_, err := discover.Catalog(t.Context(), tt.cfg, quiet())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("a secret stands in the error: %v", err)
			}
			if took := time.Since(start); took > time.Minute { // the server never answers
				t.Errorf("took %v", took)
			}
		})
	}
}

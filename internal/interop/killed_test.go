//go:build unix

package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

// A killable is a client and the way to kill and restart its server.
type killable struct {
	runtime.MCPClient
	kill, restart func()
}

// TestKilledInMidCall kills server-everything while it works. The call must end with
// an error that says that its fate is unknown, and the next one must succeed.
func TestKilledInMidCall(t *testing.T) {
	npm := servers(t)
	for name, connect := range map[string]func(*testing.T, string) killable{"HTTP": overHTTP, "stdio": overStdio} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, filepath.Join(npm, "server-everything", "dist", "index.js"))
			for range 2 {
				sum(t, c)
				failed, works := make(chan error, 1), make(chan struct{})
				report := sync.OnceFunc(func() { close(works) })
				go func() {
					_, err := c.CallTool(t.Context(), runtime.ToolCall{
						Name: "trigger-long-running-operation", Arguments: json.RawMessage(`{"duration":3600,"steps":36000}`),
						Progress: func(runtime.Progress) { report() },
					})
					failed <- err
				}()
				select {
				case <-works:
				case err := <-failed:
					t.Fatalf("call = %v", err)
				}
				begin := time.Now()
				c.kill()
				if err := <-failed; !errors.Is(err, runtime.ErrFateUnknown) || !errors.Is(err, runtime.ErrServerUnavailable) {
					t.Errorf("call in flight = %v", err)
				}
				c.restart()
				sum(t, c)
				t.Logf("answered again %v after the kill", time.Since(begin).Round(time.Millisecond))
			}
		})
	}
}

func sum(t *testing.T, c runtime.MCPClient) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), plenty)
	defer cancel()
	res, err := c.CallTool(ctx, runtime.ToolCall{Name: "get-sum", Arguments: json.RawMessage(`{"a":2,"b":3}`)})
	if err != nil || !strings.Contains(res.Text, "5") {
		t.Fatalf("get-sum = %+v, %v", res, err)
	}
}

func overHTTP(t *testing.T, script string) killable {
	t.Helper()
	address := freeAddress(t)
	server := startEverything(t, script, address)
	c := runtime.NewStreamableHTTPClient(runtime.ServerConfig{Name: "everything", URL: "http://" + address + "/mcp", Timeout: plenty},
		runtime.WithLogger(slog.New(slog.DiscardHandler)))
	connect(t, c)
	return killable{
		MCPClient: c,
		kill:      func() { _ = server.Process.Kill(); _ = server.Wait() },
		restart:   func() { server = startEverything(t, script, address) },
	}
}

func overStdio(t *testing.T, script string) killable {
	t.Helper()
	pid := filepath.Join(t.TempDir(), "pid")
	c := runtime.NewStdioClient(runtime.ServerConfig{
		Name: "everything", Command: "sh", Timeout: plenty,
		Args: []string{"-c", fmt.Sprintf("echo $$ >'%s'; exec node '%s' stdio", pid, script)},
	}, runtime.WithLogger(slog.New(slog.DiscardHandler)))
	connect(t, c)
	return killable{
		MCPClient: c,
		kill: func() {
			text, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			process, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(process, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		},
		restart: func() {}, // the client does that
	}
}

func connect(t *testing.T, c interface {
	Connect(context.Context) error
	Close() error
},
) {
	t.Helper()
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

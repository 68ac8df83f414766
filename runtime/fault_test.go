package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"runtime/metrics"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mcpbind/mcpbind/internal/faultserver"
	"github.com/mcpbind/mcpbind/internal/memnet"
	"github.com/mcpbind/mcpbind/runtime"
)

func init() {
	if name := os.Getenv(faultserver.ChildEnv); name != "" {
		faultserver.RunChild(name)
		os.Exit(0)
	}
}

// A faulty is a client of a server with a fault.
type faulty struct {
	client
	server *faultserver.Server // of HTTP, the one that was started last
	host   *faultserver.Host   // of HTTP, unless it is in memory
	memory runtime.Option      // of HTTP in memory
}

type client interface {
	runtime.MCPClient
	Connect(context.Context) error
	Close() error
	State() (runtime.State, time.Time, error)
	ServerInfo() (name, version, protocol string)
}

// maxGrowth bounds the memory that one fault may take at any moment, in bytes. One
// answer of the size allowed is in memory a few times while it is taken apart.
const maxGrowth = 150 << 20

// watched ends the test with failures when it leaks goroutines or took too much
// memory.
func watched(t *testing.T) {
	t.Helper()
	ignore := goleak.IgnoreCurrent()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	before, most := heap(), uint64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, heap())
			case <-stop:
				return
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-done
		if most > before+maxGrowth {
			t.Errorf("memory grew by %d MiB", (most-before)>>20)
		}
		if err := leaks(ignore); err != nil {
			t.Error(err)
		}
	})
}

// leaks waits for goroutines to end: goleak alone waits for half a second.
func leaks(opts ...goleak.Option) (err error) {
	for begin := time.Now(); time.Since(begin) < plenty; {
		if err = goleak.Find(opts...); err == nil {
			return nil
		}
	}
	return err
}

// inBubble runs a test in a bubble of [synctest]: its time passes only when nobody
// has anything left to do, so that limits mean what they say on any machine.
func inBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	watched(t)
	synctest.Test(t, test)
}

// memoryConfig is faultConfig for a server in memory, in a bubble.
func memoryConfig(t *testing.T, name string) (runtime.ServerConfig, *faulty) {
	t.Helper()
	n := memnet.New()
	t.Cleanup(func() {
		n.Close()
		time.Sleep(time.Hour) // once the test is over the clock stands still
	})
	f := &faulty{server: faultserver.Named(name).HTTP(), memory: runtime.WithHTTPTransport(n.Transport())}
	return runtime.ServerConfig{Name: "srv", URL: n.Serve("srv.test", f.server) + "/mcp"}, f
}

// memoryClient is faultyClient for a server in memory, in a bubble.
func memoryClient(t *testing.T, opts ...runtime.Option) *faulty {
	t.Helper()
	cfg, f := memoryConfig(t, strings.TrimPrefix(t.Name(), "TestFault_"))
	f.dial(t, cfg, opts...)
	return f
}

// faultConfig is the configuration of a client for a fresh server with the fault.
func faultConfig(t *testing.T, name string) (runtime.ServerConfig, *faulty) {
	t.Helper()
	fault := faultserver.Named(name)
	f := &faulty{}
	cfg := runtime.ServerConfig{Name: "srv", Timeout: plenty}
	if fault.Stdio() {
		cfg.Command, cfg.Args = os.Args[0], []string{"-test.run=^$"}
		cfg.Env = map[string]string{faultserver.ChildEnv: name}
		return cfg, f
	}
	host, err := faultserver.NewHost(func() http.Handler { f.server = fault.HTTP(); return f.server })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(host.Kill)
	f.host, cfg.URL = host, host.URL()
	return cfg, f
}

// quiet is a logger for what a test makes happen on purpose.
func quiet() runtime.Option { return runtime.WithLogger(slog.New(slog.DiscardHandler)) }

// dial makes the client and connects it.
func (f *faulty) dial(t *testing.T, cfg runtime.ServerConfig, opts ...runtime.Option) {
	t.Helper()
	f.make(t, cfg, opts...)
	if err := f.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (f *faulty) make(t *testing.T, cfg runtime.ServerConfig, opts ...runtime.Option) {
	opts = append([]runtime.Option{quiet()}, opts...)
	limit := plenty
	if f.memory != nil {
		opts, limit = append(opts, f.memory), 2*time.Second
	}
	if cfg.URL != "" {
		f.client = runtime.NewStreamableHTTPClient(cfg, opts...)
	} else {
		f.client = runtime.NewStdioClient(cfg, opts...)
	}
	t.Cleanup(func() {
		begin := time.Now()
		if err := f.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if took := time.Since(begin); took > limit {
			t.Errorf("Close took %v", took)
		}
	})
}

// faultyClient is a connected client of a server with the fault that the test is
// called after.
func faultyClient(t *testing.T, opts ...runtime.Option) *faulty {
	t.Helper()
	watched(t)
	cfg, f := faultConfig(t, strings.TrimPrefix(t.Name(), "TestFault_"))
	f.dial(t, cfg, opts...)
	return f
}

// call calls a tool within a time.
func (f *faulty) call(t *testing.T, tool string, within time.Duration) (*runtime.CallResult, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	return f.CallTool(ctx, runtime.ToolCall{Name: tool, Arguments: json.RawMessage(`{"region":"eu"}`)})
}

// plenty is for what must happen in the end, and long enough for a machine on which
// nothing happens for seconds. It is the limit wherever a limit is not the point.
const plenty = time.Minute

// succeeds fails the test unless calling the tool gives the right result.
func (f *faulty) succeeds(t *testing.T, tool string) {
	t.Helper()
	if res, err := f.call(t, tool, plenty); err != nil || res.Text != "ok" {
		t.Errorf("call of %s = %+v, %v", tool, res, err)
	}
}

// An outcome is what the caller of a tool is to see.
type outcome struct {
	says    string // within the error
	is      error  // nil: none of the sentinels but ErrFateUnknown
	unknown bool   // the fate
}

// fails fails the test unless calling "fault" gives that error, and calling "ok"
// afterwards goes through, on the same session where the fault is one of HTTP.
func (f *faulty) fails(t *testing.T, want outcome) {
	t.Helper()
	f.failsWithin(t, plenty, want)
	handshakes := 0
	if f.server != nil {
		handshakes = f.server.Count("initialize")
	}
	f.succeeds(t, "ok")
	if f.server != nil && f.server.Count("initialize") != handshakes {
		t.Error("the session was lost")
	}
}

func (f *faulty) failsWithin(t *testing.T, within time.Duration, want outcome) {
	t.Helper()
	_, err := f.call(t, "fault", within)
	want.check(t, err)
}

var sentinels = []error{
	runtime.ErrUnknownTool, runtime.ErrNotConnected, runtime.ErrServerUnavailable, runtime.ErrTimeout,
	runtime.ErrInvalidArguments, runtime.ErrInvalidResult, runtime.ErrDecode,
}

func (want outcome) check(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("the call succeeded")
		return
	}
	if call, ok := errors.AsType[*runtime.CallError](err); !ok || call.Server != "srv" {
		t.Errorf("%v is not the error of this call", err)
	}
	if !strings.Contains(err.Error(), want.says) {
		t.Errorf("error is %q, want it to say %q", err, want.says)
	}
	for _, sentinel := range sentinels {
		if is := errors.Is(err, sentinel); is != errors.Is(want.is, sentinel) {
			t.Errorf("%q is %q: %v", err, sentinel, is)
		}
	}
	if errors.Is(err, runtime.ErrFateUnknown) != want.unknown {
		t.Errorf("%q: fate unknown = %v, want %v", err, !want.unknown, want.unknown)
	}
	if len(err.Error()) > 2000 {
		t.Errorf("the error is %d bytes long", len(err.Error()))
	}
}

package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/child"
)

// children are what the test binary does instead of testing when it is started as
// a child.
var children = map[string]func(){
	"sdk": sdkChild,
	// Prints what popular servers print where only messages belong.
	"banner": func() {
		fmt.Print("Server running on stdio\n\n{\"level\":\"info\"}\n42\n[1,2]\nnull\n{\"jsonrpc\":")
		fmt.Println()
		sdkChild()
	},
	"fake":  func() { fakeChild(fakeReply) },
	"batch": func() { fakeChild(func(m fakeMessage) string { return "[" + fakeReply(m) + "]" }) },
	// Ends when it is asked something newer than 2025-11-25.
	"fragile": func() {
		fakeChild(func(m fakeMessage) string {
			if m.Method == "server/discover" {
				os.Exit(7)
			}
			return fakeReply(m)
		})
	},
	// Stops reading after the handshake.
	"deaf": func() {
		fakeChild(func(m fakeMessage) string {
			if m.Method == "notifications/initialized" {
				select {}
			}
			return fakeReply(m)
		})
	},
	// Neither the end of its input nor a signal makes it go, nor what it started.
	"stubborn": func() {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		if len(os.Args) > 2 && os.Args[2] != "" {
			again := exec.Command(os.Args[0], os.Args[1], "", os.Args[2])
			again.Env = os.Environ()
			again.Stdout, again.Stderr = os.Stdout, os.Stderr
			_ = again.Start()
			_ = os.WriteFile(os.Args[2], []byte(strconv.Itoa(again.Process.Pid)), 0o600)
			fakeChild(fakeReply)
		}
		select {} // it does not go by itself
	},
	"welcoming": func() {
		fmt.Println("Welcome to\x1b[31m my server")
		select {} // it speaks no MCP
	},
	"failing": func() {
		fmt.Fprintf(os.Stderr, "%s\n\x1b[31mcannot read the key %s", strings.Repeat("x", 5000), os.Getenv("TOKEN"))
		os.Exit(3)
	},
	"large":          func() { fakeChild(largeReply(fakeMessage.result)) },
	"large, id last": func() { fakeChild(largeReply(resultFirst)) },
	"busy":           func() { fakeChild(busyReply) },
	"dying": func() {
		fakeChild(func(m fakeMessage) string {
			if m.Method == "tools/call" {
				fmt.Fprintln(os.Stderr, "out of luck")
				os.Exit(9)
			}
			return fakeReply(m)
		})
	},
	"env": func() {
		fakeChild(func(m fakeMessage) string {
			if m.Method == "tools/call" {
				env, _ := json.Marshal(strings.Join(os.Environ(), "\n"))
				return m.result(`{"content":[{"type":"text","text":` + string(env) + `}]}`)
			}
			return fakeReply(m)
		})
	},
}

func sdkChild() { _ = testServer().Run(context.Background(), &mcp.StdioTransport{}) }

// fakeChild answers every line of stdin by reply.
func fakeChild(reply func(fakeMessage) string) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m fakeMessage
		_ = json.Unmarshal(lines.Bytes(), &m)
		if answer := reply(m); answer != "" && m.ID != nil {
			fmt.Println(answer)
		}
	}
}

func fakeReply(m fakeMessage) string {
	switch m.Method {
	case "initialize":
		return m.result(fakeInit)
	case "tools/list":
		return m.result(fakeList)
	case "tools/call":
		return m.result(fakeOK)
	case "ping":
		return m.result(`{}`)
	}
	return m.failure(-32601, "method not found")
}

// childMode names what the test binary does as a child.
const childMode = "MCPBIND_TEST_CHILD"

func init() {
	if run, ok := children[os.Getenv(childMode)]; ok {
		run()
		os.Exit(0)
	}
}

// stdioConfig is a server that runs in a child process of this test binary.
func stdioConfig(mode string, args ...string) ServerConfig {
	return ServerConfig{
		Name: "srv", Command: os.Args[0], Args: append([]string{"-test.run=^$"}, args...),
		Env: map[string]string{childMode: mode}, Timeout: plenty,
	}
}

func TestTrap15_StrayOutput(t *testing.T) {
	for _, mode := range []string{"banner", "batch"} {
		c := NewStdioClient(stdioConfig(mode))
		connected(t, c)
		if tools, err := c.ListTools(t.Context()); err != nil || len(tools) == 0 {
			t.Errorf("%s: ListTools = %v, %v", mode, tools, err)
		}
	}
}

func TestTrap15_DeafChild(t *testing.T) {
	c := NewStdioClient(stdioConfig("deaf"))
	connected(t, c)
	arguments := json.RawMessage(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`) // more than a pipe holds
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		begin := time.Now()
		_, err := c.CallTool(ctx, ToolCall{Name: "t", Arguments: arguments})
		cancel()
		if took := time.Since(begin); !errors.Is(err, ErrTimeout) || took > plenty {
			t.Errorf("call = %v after %v", err, took)
		}
	}
	begin := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > plenty {
		t.Errorf("Close took %v", took)
	}
}

func TestTrap15_StubbornFamily(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	c := NewStdioClient(stdioConfig("stubborn", file))
	connected(t, c)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	grandchild, _ := strconv.Atoi(string(text))
	begin := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > plenty {
		t.Errorf("Close took %v", took)
	}
	process, _ := os.FindProcess(grandchild)
	for deadline := time.Now().Add(plenty); alive(process); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = process.Kill()
			t.Fatal("what the child started is still there")
		}
	}
}

// alive reports whether a process runs; one that nobody has waited for does not.
func alive(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestTrap15_StderrInTheError(t *testing.T) {
	cfg := stdioConfig("failing")
	cfg.Env["TOKEN"] = "canary-0123456789"
	cfg.Secrets = map[string]string{"TOKEN": "canary-0123456789"}
	err := NewStdioClient(cfg).Connect(t.Context())
	for _, want := range []string{`server "srv": connect:`, "exit status 3", "cannot read the key ${TOKEN}"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Connect = %v, want it to say %q", err, want)
		}
	}
	if strings.ContainsAny(err.Error(), "\x1b\n") || strings.Contains(err.Error(), "canary") || len(err.Error()) > maxFaultText+100 {
		t.Errorf("Connect = %q", err)
	}
}

// Whether reading or writing fails first is chance; what is told is not.
func TestEndOfTheChildIsTold(t *testing.T) {
	for _, err := range []error{
		io.EOF, child.ErrStopped, mcp.ErrConnectionClosed,
		fmt.Errorf("calling: %w", &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}),
	} {
		if !isEnd(err) {
			t.Errorf("%v is not taken for the end", err)
		}
	}
	for range 5 {
		cfg := stdioConfig("failing")
		err := NewStdioClient(cfg).Connect(t.Context())
		if err == nil || !strings.Contains(err.Error(), "connect: the server's process ended (exit status 3; it wrote to stderr: ") {
			t.Errorf("Connect = %v", err)
		}
	}
}

func TestLineThatIsNoMessageIsTold(t *testing.T) {
	heard := make(chan struct{})
	logger := slog.New(slog.NewTextHandler(writerFunc(func(line []byte) {
		if bytes.Contains(line, []byte("no message")) {
			close(heard)
		}
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { // as a limit does, once it has been heard
		<-heard
		cancel(fmt.Errorf("%w: not connected after 1s", ErrTimeout))
	}()
	err := NewStdioClient(stdioConfig("welcoming"), WithLogger(logger)).Connect(ctx)
	want := `server "srv": connect: timeout: not connected after 1s (it wrote to stdout, where only MCP messages belong: Welcome to`
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "killed") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("Connect = %v\nwant %s...", err, want)
	}
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// What a child says before it exits at once is told, whoever notices its end first. A
// shell is quicker than this binary: half the time it is gone before it is written to.
func TestLastWordsAreTold(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	want := `server "srv": connect: the server's process ended (exit status 4; it wrote to stdout, where only MCP messages belong: no license found; it wrote to stderr: get one)`
	for range 50 {
		cfg := ServerConfig{Name: "srv", Command: "sh", Args: []string{"-c", "echo no license found; echo get one >&2; exit 4"}, Timeout: plenty}
		err := NewStdioClient(cfg).Connect(t.Context())
		if err == nil || err.Error() != want {
			t.Errorf("Connect = %v\nwant %s", err, want)
		}
	}
}

func TestTrap15_ChildOutlivesTheConnectContext(t *testing.T) {
	c := NewStdioClient(stdioConfig("fake"))
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	time.Sleep(50 * time.Millisecond)
	if _, err := callT(t, c); err != nil {
		t.Error(err)
	}
}

func TestTrap08_ChildThatEndsOnDiscovery(t *testing.T) {
	c := NewStdioClient(stdioConfig("fragile"))
	connected(t, c)
	if _, _, protocol := c.ServerInfo(); protocol != legacyProtocol {
		t.Errorf("protocol %q", protocol)
	}
}

func TestTrap07_LinesAreBounded(t *testing.T) {
	for _, mode := range []string{"large", "large, id last"} {
		c := NewStdioClient(stdioConfig(mode))
		connected(t, c)
		if _, err := callT(t, c); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: call = %v", mode, err)
		}
		if _, err := c.ListTools(t.Context()); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

func TestChildDiesDuringACall(t *testing.T) {
	c := NewStdioClient(stdioConfig("dying"), WithReconnect(Reconnect{Off: true}))
	connected(t, c)
	_, err := callT(t, c)
	for _, want := range []string{"server unavailable", "exit status 9", "out of luck"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("call = %v, want it to say %q", err, want)
		}
	}
	if !errors.Is(err, ErrServerUnavailable) {
		t.Errorf("call = %v", err)
	}
	waitForState(t, c, StateDown)
	if err := c.Connect(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestCommandThatIsNot(t *testing.T) {
	cfg := stdioConfig("sdk")
	cfg.Command = "no-such-command-of-mcpbind"
	err := NewStdioClient(cfg).Connect(t.Context())
	if !errors.Is(err, exec.ErrNotFound) && (err == nil || !strings.Contains(err.Error(), "no-such-command-of-mcpbind")) {
		t.Errorf("Connect = %v", err)
	}
	if errors.Is(err, ErrTimeout) {
		t.Error("it was tried for long")
	}
	cfg.Command = "no-such-command-of-mcpbind -y x"
	want := ` (check the server's command: it is the executable alone, what follows "no-such-command-of-mcpbind" goes into args)`
	if err := NewStdioClient(cfg).Connect(t.Context()); !errors.Is(err, ErrCheckCommand) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("Connect = %v\nwant ...%s", err, want)
	}
	cfg = stdioConfig("sdk")
	cfg.Dir = filepath.Join(t.TempDir(), "none")
	want = "starting the server: there is no directory " + quoted(cfg.Dir) + " for it to run in"
	if err := NewStdioClient(cfg).Connect(t.Context()); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("Connect = %v\nwant ...%s", err, want)
	}
}

func TestChildEnvironment(t *testing.T) {
	t.Setenv("MCPBIND_TEST_SECRET", "canary")
	t.Setenv("MCPBIND_TEST_WANTED", "yes")
	cfg := stdioConfig("env")
	cfg.InheritEnv = []string{"MCPBIND_TEST_WANTED", "MCPBIND_TEST_UNSET"}
	cfg.Env["LANG"] = "overridden"
	c := NewStdioClient(cfg)
	connected(t, c)
	res, err := callT(t, c)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(res.Text, "\n")
	for _, want := range []string{"MCPBIND_TEST_WANTED=yes", "LANG=overridden", "PATH=" + os.Getenv("PATH")} {
		if !slices.Contains(lines, want) {
			t.Errorf("child lacks %q", want)
		}
	}
	allowed := []string{"PATH", "HOME", "USER", "SHELL", "TERM", "LANG", "TMPDIR", "MCPBIND_TEST_WANTED", childMode}
	for _, line := range lines {
		if name, _, _ := strings.Cut(line, "="); !slices.Contains(allowed, name) {
			t.Errorf("child has %q", name)
		}
	}
}

package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/internal/child"
	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// A StdioClient is one MCP server that runs as a child process. Make it with
// [NewStdioClient], then Connect, then call. It is safe for concurrent use.
//
// The child lives from Connect to Close and is killed with all it started when it
// does not exit by itself. States and errors are those of [StreamableHTTPClient].
type StdioClient struct {
	e *endpoint
}

var _ MCPClient = (*StdioClient)(nil)

// NewStdioClient returns a client for the server that cfg.Command starts. It
// starts nothing; a command that cannot be started is an error of Connect.
//
// The child gets a few variables of this process (PATH, HOME, USER, SHELL, TERM,
// LANG, TMPDIR; their kin on Windows), those named by cfg.InheritEnv, and cfg.Env.
func NewStdioClient(cfg ServerConfig, opts ...Option) *StdioClient {
	e := newEndpoint(cfg, opts)
	e.open = e.openStdio
	return &StdioClient{e: e}
}

// Connect starts the child and makes the handshake. An earlier child is stopped
// first, so it may be called again after a failure, after Close, or to start
// afresh. It returns within ctx and cfg.Timeout; the child lives on after ctx.
func (c *StdioClient) Connect(ctx context.Context) error { return c.e.Connect(ctx) }

// Close ends every call in flight, then the child and all it started, within 5 s.
// It may be called repeatedly, and is nil when the client was never connected.
func (c *StdioClient) Close() error { return c.e.Close() }

// ListTools asks the server for its tools, every page of them. Schemas are the
// server's bytes. It returns within ctx and cfg.Timeout.
func (c *StdioClient) ListTools(ctx context.Context) ([]Tool, error) { return c.e.ListTools(ctx) }

// CallTool calls the tool of the server whose wire name is call.Name; call.Server
// is not looked at. A result with IsError set is not an error here. It returns
// within ctx, even if the child does not read.
func (c *StdioClient) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	return c.e.CallTool(ctx, call)
}

// State returns the state of the connection, since when, and the failure that led
// to it, nil for none.
func (c *StdioClient) State() (State, time.Time, error) { return c.e.State() }

func (c *StdioClient) upkeep() (int, *ToolChanges) { return c.e.upkeep() }

func (c *StdioClient) listAgain(ctx context.Context) { c.e.listAgain(ctx) }

func (c *StdioClient) redactor() *redact.Redactor { return c.e.secrets }

func (c *StdioClient) onRelist(f func(tools []Tool)) { c.e.onRelist(f) }

// ServerInfo returns what the server said of itself when it was last connected to:
// server text, "" before that. protocol is the version of MCP in use.
func (c *StdioClient) ServerInfo() (name, version, protocol string) { return c.e.ServerInfo() }

// openStdio makes the link of one attempt.
func (e *endpoint) openStdio() (link, error) {
	if e.cfg.Command == "" {
		return nil, errors.New("command is empty")
	}
	l := &stdioLink{e: e}
	l.tap = &wire.Tap{Open: func(context.Context) (mcp.Connection, error) {
		p, err := child.Start(child.Config{
			Path:    e.cfg.Command,
			Args:    e.cfg.Args,
			Dir:     e.cfg.Dir,
			Env:     childEnv(e.cfg, os.LookupEnv),
			MaxLine: int(e.o.maxResponse),

			LastRead: lastRead,
		})
		if err != nil {
			return nil, fmt.Errorf("starting the server: %w", notStarted(e.cfg, err))
		}
		if !l.hold(p) {
			p.Kill()
			return nil, wire.ErrClosed
		}
		return &wire.Lines{In: p, Out: p, Stray: l.stray, Shut: func() error { p.Stop(); return nil }}, nil
	}}
	return l, nil
}

// notStarted says what may be wrong where cfg's command could not be started.
func notStarted(cfg ServerConfig, err error) error {
	if info, statErr := os.Stat(cfg.Dir); cfg.Dir != "" && (statErr != nil || !info.IsDir()) {
		// The system's words are about the command.
		return &plainError{fmt.Sprintf("there is no directory %s for it to run in", quoted(cfg.Dir)), []error{err}}
	}
	missing := errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
	if program, _, ok := strings.Cut(strings.TrimSpace(cfg.Command), " "); ok && missing {
		return fmt.Errorf("%w (%w: it is the executable alone, what follows %s goes into args)", err, ErrCheckCommand, quoted(program))
	}
	return fmt.Errorf("%w (%w)", err, ErrCheckCommand)
}

// A stdioLink is the transport of one child process.
type stdioLink struct {
	e   *endpoint
	tap *wire.Tap

	mu      sync.Mutex
	process *child.Process // nil before the start
	aborted bool
	said    string // the first line on stdout that is no message, fit to be printed

	strays int // only touched by the reader
}

// hold keeps the process unless the link was aborted already.
func (l *stdioLink) hold(p *child.Process) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.aborted {
		l.process = p
	}
	return !l.aborted
}

func (l *stdioLink) child() *child.Process {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.process
}

func (l *stdioLink) transport() mcp.Transport { return l.tap }
func (l *stdioLink) mirrors() bool            { return false }

func (l *stdioLink) quiet() bool {
	p := l.child()
	return p == nil || !p.Spoke()
}

func (l *stdioLink) finish() {
	if p := l.child(); p != nil {
		p.Stop()
	}
}

func (l *stdioLink) abort() {
	l.mu.Lock()
	l.aborted = true
	p := l.process
	l.mu.Unlock()
	if p != nil {
		p.Kill()
	}
	l.tap.Abort()
}

// lastGasp is how long a child that closed its output may take to exit, so that
// its status can be told, and how long its last words may take to be read. Like
// [endTimeout], a variable for tests.
var lastGasp = 200 * time.Millisecond

// lastRead is that of [child.Config].
var lastRead time.Duration

// explain tells how the child ended and what it last wrote to stderr.
func (l *stdioLink) explain(err error) error {
	p := l.child()
	if p == nil {
		return err
	}
	l.mu.Lock()
	aborted := l.aborted
	l.mu.Unlock()
	var told []string
	if !aborted { // else it ended because we killed it
		within(p.Exited(), lastGasp)
		if status, exited := p.ExitStatus(); exited {
			told = append(told, status)
			if isEnd(err) {
				err = errProcessEnded
			}
			within(p.Heard(), lastGasp) // what it said last may still be on its way
		}
	}
	l.mu.Lock()
	said := l.said
	l.mu.Unlock()
	if said != "" {
		told = append(told, "it wrote to stdout, where only MCP messages belong: "+said)
	}
	stderr := strings.TrimSpace(l.e.secrets.Text(p.Stderr()))
	if tooMuch := len(stderr) - maxServerText; tooMuch > 0 {
		stderr = "..." + strings.ToValidUTF8(stderr[tooMuch:], "")
	}
	if stderr != "" {
		told = append(told, "it wrote to stderr: "+stderr)
	}
	if len(told) == 0 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(told, "; "))
}

// isEnd reports whether err says no more than that the child's pipes are closed.
// Whether reading, writing or the SDK between them notices first is chance.
func isEnd(err error) bool {
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && write.Op == "write" || errors.Is(err, io.EOF) || errors.Is(err, child.ErrStopped) || errors.Is(err, mcp.ErrConnectionClosed)
}

var errProcessEnded = errors.New("the server's process ended")

// maxStrays bounds how many stray lines of one child are logged.
const maxStrays = 20

// maxStrayText bounds what an error shows of a stray line, in runes.
const maxStrayText = 200

// stray logs a line on stdout that is no message.
func (l *stdioLink) stray(line []byte) {
	if l.strays++; l.strays > maxStrays {
		return
	}
	text := harmless(l.e.secrets.Text(string(line)), maxToolErrorText)
	l.mu.Lock()
	if l.said == "" {
		l.said = harmless(text, maxStrayText)
	}
	l.mu.Unlock()
	l.e.logger.Debug("the server wrote a line that is no message", "line", text)
	if l.strays == maxStrays {
		l.e.logger.Debug("further such lines are not logged")
	}
}

// childEnv is the environment of cfg's child, sorted.
func childEnv(cfg ServerConfig, lookup func(string) (string, bool)) []string {
	env := map[string]string{}
	for _, name := range slices.Concat(inherited(goruntime.GOOS), cfg.InheritEnv) {
		if value, ok := lookup(name); ok {
			env[name] = value
		}
	}
	maps.Copy(env, cfg.Env)
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}

// inherited names what every child gets from this process.
func inherited(goos string) []string {
	if goos == "windows" {
		return []string{
			"PATH", "PATHEXT", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "TEMP", "TMP",
			"USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA",
			"PROGRAMDATA", "PROGRAMFILES", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
		}
	}
	return []string{"PATH", "HOME", "USER", "SHELL", "TERM", "LANG", "TMPDIR"}
}

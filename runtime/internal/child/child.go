// Package child runs a stdio server as a child process.
//
// In: a command and its environment. Out: its standard output by lines, a place to
// write lines to, the tail of its standard error, and an end that always comes:
// the child and what it started are killed, and nothing here blocks for longer
// than the caller's context because a child does not read, write or exit.
//
// It knows processes and lines, nothing of JSON or MCP.
package child

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// ErrStopped is what reads and writes return after [Process.Stop].
var ErrStopped = errors.New("process was stopped")

// Defaults of [Config].
const (
	defaultMaxLine  = 16 << 20
	defaultGrace    = time.Second
	defaultLastRead = 100 * time.Millisecond
)

// A Config says what to run.
type Config struct {
	Path string
	Args []string
	Dir  string   // "" inherits
	Env  []string // the whole environment of the child, as KEY=value

	MaxLine int           // bytes of one line of output; 0 means 16 MiB
	Grace   time.Duration // for exiting after stdin was closed, and again after SIGTERM; 0 means 1 s
	// LastRead is how long reading what the child left in its pipe may take, once it
	// is gone; 0 means 100 ms. It takes that long only where somebody else holds the
	// pipe open.
	LastRead time.Duration
}

// A Process is a running child. It is safe for concurrent use, but for ReadLine,
// which one goroutine may call.
type Process struct {
	cmd   *exec.Cmd
	grace time.Duration
	tail  *tail

	stdin  *writer
	stdout *reader

	exited  chan struct{} // closed when the child is gone and waited for
	waitErr error         // set before exited is closed

	stopOnce sync.Once
}

// Start starts the child. It does not outlive this process's wish: call Stop.
func Start(cfg Config) (*Process, error) {
	cmd := exec.Command(cfg.Path, cfg.Args...)
	cmd.Dir = cfg.Dir
	cmd.Env = cfg.Env
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would inherit everything
	}
	p := &Process{cmd: cmd, grace: cfg.Grace, tail: &tail{}, exited: make(chan struct{})}
	if p.grace <= 0 {
		p.grace = defaultGrace
	}
	maxLine := cfg.MaxLine
	if maxLine <= 0 {
		maxLine = defaultMaxLine
	}
	lastRead := cfg.LastRead
	if lastRead <= 0 {
		lastRead = defaultLastRead
	}
	// A grandchild that keeps stderr open must not keep Wait from returning.
	cmd.WaitDelay = p.grace
	cmd.Stderr = p.tail
	own(cmd)

	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe: %w", err)
	}
	cmd.Stdout = childOut
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	_ = childOut.Close()
	if err != nil {
		_ = out.Close()
		if in != nil {
			_ = in.Close()
		}
		return nil, err
	}
	p.stdin = newWriter(in)
	p.stdout = newReader(out, maxLine, lastRead)
	go p.wait()
	return p, nil
}

// wait reaps the child and ends what depends on it.
func (p *Process) wait() {
	p.waitErr = p.cmd.Wait()
	// What the child started is of no use without it.
	killGroup(p.cmd)
	p.stdin.stop()
	close(p.exited)
	// Output that the child wrote before it exited is still read; a grandchild
	// that got away must not hold the stream open.
	p.stdout.stopAfter(p.grace)
}

// ReadLine returns the next line of output without its end. Of a line over the limit
// come its first and its last KiB, a newline between them, with tooLong set. The error
// is io.EOF at the end. After Stop there still are the lines that the child wrote
// before it was gone, up to a bound.
func (p *Process) ReadLine() (line []byte, tooLong bool, err error) { return p.stdout.next() }

// WriteLine writes line and a newline to the child. It returns when the child's
// pipe has taken all of it, or at the end of ctx: the line may be written later
// then, but never in part.
func (p *Process) WriteLine(ctx context.Context, line []byte) error {
	return p.stdin.write(ctx, line)
}

// Stop asks the child to exit by closing its stdin, then by a signal, and kills it
// and all it started when neither helps. It returns when the child is gone, after
// about three times the grace period at the most. It may be called repeatedly.
func (p *Process) Stop() {
	p.stopOnce.Do(func() {
		p.stdin.stop()
		if !within(p.exited, p.grace) {
			terminateGroup(p.cmd)
			if !within(p.exited, p.grace) {
				p.Kill()
				within(p.exited, p.grace)
			}
		}
		p.stdout.stop(p.stdout.lastRead)
	})
}

// Kill kills the child and all it started at once.
func (p *Process) Kill() {
	select {
	case <-p.exited: // its id may belong to someone else by now
	default:
		killGroup(p.cmd)
		_ = p.cmd.Process.Kill()
	}
	p.stdin.stop()
	p.stdout.stop(0)
}

// within waits for c to be closed, for d at the most, and reports whether it is.
func within(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

// Exited is closed when the child is gone.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ExitStatus says how the child ended, like "exit status 1". ok is false while it
// runs.
func (p *Process) ExitStatus() (status string, ok bool) {
	select {
	case <-p.exited:
		return p.cmd.ProcessState.String(), true
	default:
		return "", false
	}
}

// Heard is closed when ReadLine has returned the end: whoever reads has seen every
// line.
func (p *Process) Heard() <-chan struct{} { return p.stdout.ended }

// Spoke reports whether the child has written anything to stdout.
func (p *Process) Spoke() bool { return p.stdout.spoke.Load() }

// Stderr returns the last 8 KiB that the child wrote to stderr: server text.
func (p *Process) Stderr() string { return p.tail.String() }

package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

const mode = "MCPBIND_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(mode) {
	case "":
		code := m.Run()
		if err := leaks(); code == 0 && err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	case "cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "flood":
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("e", 1000))
			fmt.Println(strings.Repeat("o", 1000))
		}
	case "last words":
		fmt.Println("no license")
		fmt.Print("bye")
		fmt.Fprintln(os.Stderr, "out")
		os.Exit(1)
	case "lines":
		fmt.Printf("one\r\n\na%sz\r\nlast", strings.Repeat("x", 200_000))
	}
}

// plenty is for what must happen in the end, and long enough for a machine on which
// nothing happens for seconds. It is the limit wherever a limit is not the point.
const plenty = time.Minute

// leaks waits for the last goroutines to end: goleak alone waits for half a second.
func leaks() (err error) {
	for begin := time.Now(); time.Since(begin) < plenty; {
		if err = goleak.Find(); err == nil {
			return nil
		}
	}
	return err
}

func start(t *testing.T, what string, grace time.Duration) *Process {
	t.Helper()
	p, err := Start(Config{Path: os.Args[0], Env: []string{mode + "=" + what}, MaxLine: 2000, Grace: grace, LastRead: plenty})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func TestLines(t *testing.T) {
	p := start(t, "lines", plenty)
	for _, want := range []struct {
		text    string
		tooLong bool
	}{{"one", false}, {"", false}, {"a" + strings.Repeat("x", cut-1) + "\n" + strings.Repeat("x", cut-len("z\r\n")) + "z", true}, {"last", false}} {
		line, tooLong, err := p.ReadLine()
		if err != nil || string(line) != want.text || tooLong != want.tooLong {
			t.Errorf("line %q, %v, %v; want %q, %v", line, tooLong, err, want.text, want.tooLong)
		}
	}
	if _, _, err := p.ReadLine(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

func TestWrite(t *testing.T) {
	p := start(t, "cat", plenty) // under -race a process takes a second to go
	if err := p.WriteLine(t.Context(), []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if line, _, err := p.ReadLine(); err != nil || string(line) != "hello" {
		t.Errorf("line %q, %v", line, err)
	}
	p.Stop()
	if status, ok := p.ExitStatus(); !ok || status != "exit status 0" {
		t.Errorf("status %q, %v; it should have gone by itself", status, ok)
	}
	if err := p.WriteLine(t.Context(), []byte("more")); !errors.Is(err, ErrStopped) {
		t.Errorf("write after the end: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.WriteLine(ctx, nil); err == nil {
		t.Error("a write without context went through")
	}
}

// brokenPipe takes some bytes of a line.
type brokenPipe int

func (n brokenPipe) Write([]byte) (int, error) { return int(n), io.ErrClosedPipe }
func (n brokenPipe) Close() error              { return nil }

// A line that a child may have read whole counts as sent, though the pipe broke.
func TestWriteThatIsCut(t *testing.T) {
	const line = "hello"
	for n := range len(line) + 2 {
		w := newWriter(brokenPipe(n))
		err := w.write(t.Context(), []byte(line))
		w.stop()
		cut, ok := errors.AsType[interface {
			error
			Unsent() bool
		}](err)
		if unsent := ok && cut.Unsent(); !errors.Is(err, io.ErrClosedPipe) || unsent != (n < len(line)) {
			t.Errorf("after %d bytes: %v, unsent: %v", n, err, unsent)
		}
	}
}

// What a child wrote before it exited is read, even when it is stopped first.
func TestLastWords(t *testing.T) {
	for range 50 {
		p := start(t, "last words", plenty)
		<-p.Exited()
		if err := p.WriteLine(t.Context(), []byte("hello")); !errors.Is(err, ErrStopped) {
			t.Errorf("write to a child that is gone: %v", err)
		}
		p.Stop()
		select {
		case <-p.Heard():
			t.Error("its words count as heard, and nobody has read them")
		default:
		}
		for _, want := range []string{"no license", "bye"} {
			if line, _, err := p.ReadLine(); err != nil || string(line) != want {
				t.Errorf("line %q, %v; want %q", line, err, want)
			}
		}
		if _, _, err := p.ReadLine(); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
		<-p.Heard()
		if got := p.Stderr(); got != "out\n" {
			t.Errorf("stderr %q", got)
		}
	}
}

// What is kept of a child that was stopped is bounded.
func TestLastWordsAreBounded(t *testing.T) {
	for _, test := range []struct{ size, want int }{{1, maxRestLines}, {maxRest/3 - 1, 3}} {
		r, w := io.Pipe()
		reader := newReader(r, maxRest, plenty)
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			reader.stop(plenty)
		}()
		<-reader.stopped
		for range 2 * maxRestLines {
			if _, err := fmt.Fprintln(w, strings.Repeat("x", test.size)); err != nil {
				break
			}
		}
		lines := 0
		for _, _, err := reader.next(); err == nil; _, _, err = reader.next() {
			lines++
		}
		if lines != test.want {
			t.Errorf("%d lines of %d bytes are kept, want %d", lines, test.size, test.want)
		}
		<-stopped
	}
}

// Somebody else who holds the pipe open keeps nobody waiting, and hides nothing.
func TestHeldPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		reader := newReader(r, 1000, defaultLastRead)
		if _, err := fmt.Fprintln(w, "said"); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		reader.stop(defaultLastRead)
		if line, _, err := reader.next(); err != nil || string(line) != "said" {
			t.Errorf("line %q, %v", line, err)
		}
		if _, _, err := reader.next(); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
		if took := time.Since(begin); took > defaultLastRead {
			t.Errorf("it took %v", took)
		}
	})
}

// What is in the pipe of a child that is gone is read, also when nobody came to it
// within the grace period.
func TestReadLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		reader := newReader(r, 1000, defaultLastRead)
		go reader.stopAfter(time.Second)
		time.Sleep(time.Second + defaultLastRead/2)
		if _, err := fmt.Fprintln(w, "bye"); err != nil {
			t.Error(err)
		}
		_ = w.Close()
		if line, _, err := reader.next(); err != nil || string(line) != "bye" {
			t.Errorf("line %q, %v", line, err)
		}
	})
}

// A child that floods both outputs while nobody reads is ended all the same, and
// keeps no memory busy.
func TestFlood(t *testing.T) {
	p := start(t, "flood", 200*time.Millisecond)
	if _, _, err := p.ReadLine(); err != nil {
		t.Fatal(err)
	}
	for len(p.Stderr()) < tailSize/2 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // for more to be kept than should be
	if n := len(p.Stderr()); n > tailSize {
		t.Errorf("%d bytes of stderr are kept", n)
	}
	begin := time.Now()
	p.Stop()
	if took := time.Since(begin); took > plenty {
		t.Errorf("Stop took %v", took)
	}
}

package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const mode = "MCPBIND_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(mode) {
	case "":
		goleak.VerifyTestMain(m)
	case "cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "flood":
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("e", 1000))
			fmt.Println(strings.Repeat("o", 1000))
		}
	case "lines":
		fmt.Printf("one\r\n\n%s\nlast", strings.Repeat("x", 5000))
	}
}

func start(t *testing.T, what string, grace time.Duration) *Process {
	t.Helper()
	p, err := Start(Config{Path: os.Args[0], Env: []string{mode + "=" + what}, MaxLine: 2000, Grace: grace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func TestLines(t *testing.T) {
	p := start(t, "lines", time.Second)
	for _, want := range []struct {
		text    string
		tooLong bool
	}{{"one", false}, {"", false}, {strings.Repeat("x", cut), true}, {"last", false}} {
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
	p := start(t, "cat", 10*time.Second) // under -race a process takes a second to go
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

// A child that floods both outputs while nobody reads is ended all the same, and
// keeps no memory busy.
func TestFlood(t *testing.T) {
	p := start(t, "flood", 200*time.Millisecond)
	if _, _, err := p.ReadLine(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if n := len(p.Stderr()); n > tailSize {
		t.Errorf("%d bytes of stderr are kept", n)
	}
	begin := time.Now()
	p.Stop()
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("Stop took %v", took)
	}
}

package cli

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

// A stream is a writer that remembers its first error, so that callers need not
// look after each line. It is safe for concurrent use.
type stream struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// printf writes one formatted text. Server text among args is the caller's to
// make harmless.
func (s *stream) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(s, format, args...) // Write remembers the error
}

func (s *stream) print(text string) { s.printf("%s", text) }

// block writes text that others wrote, made harmless: each line begins with
// prefix.
func (s *stream) block(prefix, text string) { s.print(safetext.Block(text, prefix) + "\n") }

// terminal returns the width of the terminal that the stream writes to, or false
// when it writes elsewhere.
func (s *stream) terminal() (width int, ok bool) {
	f, isFile := s.w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return width, true
}

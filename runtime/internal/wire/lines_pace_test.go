package wire

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// chatter yields n lines that are no messages, as fast as they are asked for.
type chatter struct{ n int }

func (c *chatter) ReadLine() (line []byte, tooLong bool, err error) {
	if c.n == 0 {
		return nil, false, io.EOF
	}
	c.n--
	return []byte("starting up"), false, nil
}

// A child that writes without end costs no more than maxLines a second; on a
// clock of its own the test does not depend on the machine.
func TestLinesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Lines{In: &chatter{3*maxLines + 1}, Stray: func([]byte) {}}
		start := time.Now()
		if _, err := l.Read(t.Context()); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if took := time.Since(start); took < 2*time.Second || took > 4*time.Second {
			t.Errorf("%d lines took %v", 3*maxLines+1, took)
		}
	})
}

package wire

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

// A script yields its lines, and is at its end then.
type script []string

func (s *script) ReadLine() (line []byte, tooLong bool, err error) {
	if len(*s) == 0 {
		return nil, false, io.EOF
	}
	line = []byte((*s)[0])
	*s = (*s)[1:]
	return line, false, nil
}

// Notifications beyond the bound of a second are left out; responses never are.
func TestNotificationsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const notification, response = `{"jsonrpc":"2.0","method":"m"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`
		var in script
		for range maxNotifications + 10 {
			in = append(in, notification)
		}
		for range maxNotifications + 10 {
			in = append(in, response)
		}
		l := &Lines{In: &in, Stray: func(line []byte) { t.Errorf("stray %s", line) }}
		count := func() (told, answered int) {
			for {
				msg, err := l.Read(t.Context())
				if err != nil {
					return told, answered
				}
				if _, ok := msg.(*jsonrpc.Request); ok {
					told++
				} else {
					answered++
				}
			}
		}
		if told, answered := count(); told != maxNotifications || answered != maxNotifications+10 {
			t.Errorf("%d notifications and %d responses", told, answered)
		}
		time.Sleep(time.Second)
		in = script{notification}
		if told, _ := count(); told != 1 {
			t.Error("the next second has none")
		}
	})
}

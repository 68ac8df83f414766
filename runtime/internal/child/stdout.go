package child

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// A reader owns the child's stdout. One goroutine reads, so that it can be stopped,
// and hands lines over one by one, so that a child waits for who reads them.
type reader struct {
	pipe     io.ReadCloser
	max      int
	lastRead time.Duration // see Config
	lines    chan line
	stopped  chan struct{}
	once     sync.Once
	spoke    atomic.Bool

	idle chan struct{} // closed when nothing is read any more
	rest []line        // what was there when the reader was stopped; set before idle is closed

	endOnce sync.Once
	ended   chan struct{} // closed when next has returned the end
}

type line struct {
	data    []byte
	tooLong bool
	err     error
}

func newReader(pipe io.ReadCloser, maxLine int, lastRead time.Duration) *reader {
	r := &reader{
		pipe: pipe, max: maxLine, lastRead: lastRead,
		lines: make(chan line), stopped: make(chan struct{}), idle: make(chan struct{}), ended: make(chan struct{}),
	}
	go r.run()
	return r
}

func (r *reader) run() {
	defer close(r.idle)
	buffered := bufio.NewReaderSize(r.pipe, 64<<10)
	for {
		l := r.read(buffered)
		select {
		case r.lines <- l:
		case <-r.stopped:
			r.keep(l, buffered)
			return
		}
		if l.err != nil {
			return
		}
	}
}

// Bounds of what is kept of the output of a child that was stopped.
const (
	maxRest      = 64 << 10 // bytes
	maxRestLines = 100
)

// keep keeps l and what comes after it until the pipe ends or is closed: the last
// words of a child.
func (r *reader) keep(l line, buffered *bufio.Reader) {
	for size := 0; l.err == nil && len(r.rest) < maxRestLines; l = r.read(buffered) {
		if size += len(l.data); size > maxRest {
			return
		}
		r.rest = append(r.rest, l)
	}
}

// cut is how much is kept of either end of a line that is too long.
const cut = 1 << 10

func (r *reader) read(buffered *bufio.Reader) line {
	var l line
	var last []byte // of a line that is too long
	for {
		part, err := buffered.ReadSlice('\n')
		if len(part) > 0 {
			r.spoke.Store(true)
		}
		switch {
		case l.tooLong:
			last = end(append(last, part...))
		case len(l.data)+len(part) > r.max+1:
			l.data = append(l.data, part...)
			last = end(l.data)
			l.data, l.tooLong = bytes.Clone(l.data[:min(cut, len(l.data))]), true
		default:
			l.data = append(l.data, part...)
		}
		switch {
		case err == nil, len(l.data) > 0 && errors.Is(err, io.EOF): // the last line lacks its end
			if l.tooLong {
				l.data = append(append(l.data, '\n'), last...)
			}
			l.data = bytes.TrimRight(l.data, "\r\n")
			return l
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return line{err: io.EOF}
		}
	}
}

// end returns a copy of the end of data.
func end(data []byte) []byte { return bytes.Clone(data[max(0, len(data)-cut):]) }

func (r *reader) next() ([]byte, bool, error) {
	var l line
	select {
	case l = <-r.lines:
	case <-r.idle:
		l = r.left()
	case <-r.stopped:
		l = r.left()
	}
	if l.err != nil {
		r.endOnce.Do(func() { close(r.ended) })
	}
	return l.data, l.tooLong, l.err
}

// left takes a line of what was there when the reader was stopped. A pipe that
// cannot be closed while it is read keeps nobody waiting.
func (r *reader) left() line {
	if !within(r.idle, 2*r.lastRead) || len(r.rest) == 0 {
		return line{err: io.EOF}
	}
	l := r.rest[0]
	r.rest = r.rest[1:]
	return l
}

// stop ends reading at once, or when what the pipe holds was read, for which it
// waits no longer than patience.
func (r *reader) stop(patience time.Duration) {
	r.once.Do(func() { close(r.stopped) })
	within(r.idle, patience)
	_ = r.pipe.Close() // a read that is stuck in it returns
}

// stopAfter stops the reader when d has passed, unless it was stopped before.
func (r *reader) stopAfter(d time.Duration) {
	if !within(r.stopped, d) {
		r.stop(r.lastRead)
	}
}

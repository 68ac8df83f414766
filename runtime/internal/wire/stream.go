package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A stream is an event stream rewritten for the SDK as it is read: every event is
// bounded and holds one well-formed message, the raw result stays in the slot, and
// a stream that fails or ends early ends its call with a reason.
type stream struct {
	x     *exchange // nil: nothing is awaited on this stream
	body  io.ReadCloser
	lines *bufio.Reader
	limit int64 // bytes per event

	total  int64 // bytes read
	events int
	flood  meter

	out     bytes.Buffer // ready to be read by the SDK
	resumes bool         // an event id was seen: the SDK may resume the stream
	err     error        // terminal
}

func newStream(x *exchange, body io.ReadCloser, limit int64) *stream {
	return &stream{x: x, body: body, lines: bufio.NewReader(body), limit: limit}
}

func (s *stream) Close() error { return s.body.Close() }

func (s *stream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.advance()
	}
	return s.out.Read(p)
}

// maxTrailer bounds what is read behind the response: enough to find the end of a
// well-behaved stream, so that its connection can be used again.
const maxTrailer = 4 << 10

// advance reads one event and leaves what the SDK should see of it in s.out.
func (s *stream) advance() {
	if s.x != nil && s.x.answered.Load() {
		_, _ = io.CopyN(io.Discard, s.lines, maxTrailer)
		s.err = io.EOF
		return
	}
	event, err := s.next()
	if err == nil {
		err = s.tooMuch()
	}
	if err != nil {
		s.end(err)
		return
	}
	if event.hasID {
		s.resumes = true
	}
	if len(event.data) == 0 || (event.name != "" && event.name != "message") {
		s.emit(event, nil)
		return
	}
	crowded := s.flood.tick() > maxNotifications
	if s.x == nil {
		if crowded {
			s.flood.rest() // there is no hurry, and the server waits as well
		}
		if m, err := parse(event.data); err != nil || !m.hasMethod {
			return // nothing is awaited here: drop what is no request or notification
		}
		if data, _, err := passOn(event.data); err == nil {
			s.emit(event, data)
		}
		return
	}
	if crowded && besides(event.data) {
		s.emit(event, nil)
		return
	}
	data, done, err := s.x.accept(event.data)
	if err != nil {
		data, done = s.x.fail(err), true
	}
	s.x.answered.Store(done)
	s.emit(event, data)
}

// besides reports whether a message is a notification or request. It is cheap: the
// SDK's decoder takes 32 KiB for each.
func besides(data []byte) bool {
	m, err := parse(data)
	return err == nil && m.hasMethod
}

// tooMuch is the error of a call's stream that goes on for too long. Other streams
// last as long as their session.
func (s *stream) tooMuch() error {
	s.events++
	switch {
	case s.x == nil:
		return nil
	case s.events > maxEvents:
		return fmt.Errorf("%w: more than %d events and no response", ErrFlood, maxEvents)
	case s.total > maxBodies*s.limit:
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, maxBodies*s.limit)
	}
	return nil
}

// end ends the stream, and the call unless the SDK can resume it.
func (s *stream) end(cause error) {
	s.err = cause
	oversize := errors.Is(cause, ErrTooLarge) || errors.Is(cause, ErrFlood) || errors.Is(cause, ErrStalled)
	if s.x == nil || (s.resumes && !oversize) {
		return
	}
	if errors.Is(cause, io.EOF) {
		cause = ErrNoResponse
	} else if !oversize {
		cause = fmt.Errorf("%w: %w", ErrNoResponse, cause)
	}
	s.emit(event{}, s.x.fail(cause))
	s.err = io.EOF
}

func (s *stream) emit(e event, data []byte) {
	if e.hasID {
		fmt.Fprintf(&s.out, "id: %s\n", e.id)
	}
	if e.retry != "" {
		fmt.Fprintf(&s.out, "retry: %s\n", e.retry)
	}
	for line := range bytes.Lines(data) {
		s.out.WriteString("data: ")
		s.out.Write(bytes.TrimRight(line, "\r\n"))
		s.out.WriteByte('\n')
	}
	if s.out.Len() > 0 {
		s.out.WriteByte('\n')
	}
}

// An event is one server-sent event.
type event struct {
	name, id, retry string
	hasID           bool
	data            []byte
}

// next reads one event. It returns io.EOF at the end of the stream; an event that
// the end cuts short is taken for whole, as many servers leave out the last blank
// line.
func (s *stream) next() (event, error) {
	var e event
	size := int64(0)
	seen := false
	for {
		line, err := s.line(s.limit - size)
		size += int64(len(line)) + 1
		s.total += int64(len(line)) + 1
		if err != nil && (!errors.Is(err, io.EOF) || (!seen && len(line) == 0)) {
			return event{}, err
		}
		if len(line) == 0 {
			if seen {
				return e, nil
			}
			size = 0 // of comments only: servers keep a connection alive by them
			continue
		}
		if e.field(line) {
			seen = true
		}
		if err != nil {
			if seen {
				return e, nil
			}
			return event{}, io.EOF
		}
	}
}

// field takes one line of an event and reports whether it said anything.
func (e *event) field(line []byte) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		e.name = string(bytes.TrimSpace(value))
	case "id":
		if bytes.IndexByte(value, 0) >= 0 {
			return false
		}
		e.id, e.hasID = string(value), len(value) > 0
	case "retry":
		e.retry = string(bytes.TrimSpace(value))
	case "data":
		if e.data != nil {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
	default: // a comment or an unknown field
		return false
	}
	return true
}

var utf8BOM = []byte("\xef\xbb\xbf")

// line reads one line of at most limit bytes, without its end.
func (s *stream) line(limit int64) ([]byte, error) {
	var line []byte
	for {
		part, err := s.lines.ReadSlice('\n')
		if int64(len(line)+len(part)) > limit {
			return nil, fmt.Errorf("%w: more than %d bytes in one event", ErrTooLarge, s.limit)
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line = bytes.TrimRight(line, "\r\n")
		return bytes.TrimPrefix(line, utf8BOM), err
	}
}

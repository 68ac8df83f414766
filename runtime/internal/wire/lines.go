package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A LineReader yields the lines of a stream, without their ends. Of a line that is
// too long come its beginning and its end, a newline between them, with tooLong set.
// It is read by one goroutine.
type LineReader interface {
	ReadLine() (line []byte, tooLong bool, err error)
}

// A LineWriter writes whole lines. It is safe for concurrent use and gives up at
// the end of the context.
type LineWriter interface {
	WriteLine(ctx context.Context, line []byte) error
}

// Lines is the connection of a transport that writes one message per line.
type Lines struct {
	In  LineReader
	Out LineWriter
	// Stray is called with every line that is no message: servers print banners
	// and logs where only messages belong.
	Stray func(line []byte)
	// Shut closes both ends; a blocked read or write returns.
	Shut func() error

	queue []jsonrpc.Message // read, and not yet returned
	read  meter             // lines
	flood meter             // notifications
	once  sync.Once
	err   error
}

var _ mcp.Connection = (*Lines)(nil)

// SessionID implements [mcp.Connection].
func (l *Lines) SessionID() string { return "" }

// Read returns the next message and skips what is none.
func (l *Lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		if len(l.queue) > 0 {
			msg := l.queue[0]
			l.queue = l.queue[1:]
			return msg, nil
		}
		if l.read.tick() > maxLines {
			l.read.rest() // the child has to wait as well: its pipe is full
		}
		line, tooLong, err := l.In.ReadLine()
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case tooLong:
			if id, ok := cutID(line); ok {
				return &jsonrpc.Response{ID: id, Error: ErrTooLarge}, nil
			}
			l.Stray(line)
		case line[0] == '[':
			l.batch(line)
		default:
			l.take(line)
		}
	}
}

// take queues one message, unless it is one notification or request too many.
func (l *Lines) take(line []byte) {
	if _, method, err := head(line); err == nil && method != "" && l.flood.tick() > maxNotifications {
		return
	}
	if msg, err := jsonrpc.DecodeMessage(line); err == nil {
		l.queue = append(l.queue, msg)
	} else {
		l.Stray(line)
	}
}

// batch queues the messages of a batch, which servers of 2025-03-26 may send.
func (l *Lines) batch(line []byte) {
	var parts []json.RawMessage
	if Items(line) > maxBatch || json.Unmarshal(line, &parts) != nil {
		l.Stray(line)
		return
	}
	for _, part := range parts {
		l.take(part)
	}
}

// lastMembers matches the end of a response whose id stands behind its result, as many
// servers write it. Nothing in a string looks like it: quotes are escaped there.
var lastMembers = regexp.MustCompile(`(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?,\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// cutID finds the id of a response that was cut in the middle.
func cutID(line []byte) (jsonrpc.ID, bool) {
	begin, end, _ := bytes.Cut(line, []byte("\n"))
	raw, method, _ := head(begin)
	if method != "" {
		return jsonrpc.ID{}, false
	}
	if m := lastMembers.FindSubmatch(end); raw == nil && m != nil && isResponse(begin) {
		raw = m[1]
	}
	if raw == nil {
		return jsonrpc.ID{}, false
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil && id.IsValid()
}

// isResponse reports whether a message whose beginning this is has a result or an error.
func isResponse(begin []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(begin), lax...)
	if _, err := dec.ReadToken(); err != nil {
		return false
	}
	for {
		key, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if name := key.String(); name == "result" || name == "error" {
			return true
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
}

// Write implements [mcp.Connection].
func (l *Lines) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	return l.Out.WriteLine(ctx, data)
}

// Close implements [mcp.Connection].
func (l *Lines) Close() error {
	l.once.Do(func() { l.err = l.Shut() })
	return l.err
}

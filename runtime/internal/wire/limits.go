package wire

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxEvents bounds the messages of one call's stream.
	maxEvents = 100_000
	// maxBodies bounds the bytes of one call's stream, in bodies of the size
	// allowed.
	maxBodies = 16
	// maxNotifications per second are passed on to the SDK, which starts a goroutine
	// for each; more are dropped.
	maxNotifications = 1_000
	// maxLines per second are read where the server is not bound to end.
	maxLines = 10_000
	// maxBatch bounds the messages of one batch.
	maxBatch = 1_000
)

// A meter counts what happens within a second. It is used by one goroutine.
type meter struct {
	from time.Time
	n    int
}

// tick counts one and returns the count within the present second.
func (m *meter) tick() int {
	if now := time.Now(); now.Sub(m.from) >= time.Second {
		m.from, m.n = now, 0
	}
	m.n++
	return m.n
}

// rest waits until the present second is over.
func (m *meter) rest() { time.Sleep(time.Until(m.from.Add(time.Second))) }

// Items counts the items of a JSON array without keeping them, 0 for anything
// else. It looks only as deep as it must.
func Items(array json.RawMessage) int {
	dec := jsontext.NewDecoder(bytes.NewReader(array), lax...)
	if dec.PeekKind() != '[' {
		return 0
	}
	if _, err := dec.ReadToken(); err != nil {
		return 0
	}
	n := 0
	for dec.PeekKind() != ']' {
		if dec.SkipValue() != nil {
			return n
		}
		n++
	}
	return n
}

// Depth is how deep a JSON value nests: 0 for a scalar. The value must be valid.
func Depth(value json.RawMessage) int {
	depth, deepest := 0, 0
	inString, escaped := false, false
	for _, c := range value {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

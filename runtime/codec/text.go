package codec

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// kind is the JSON kind of a value, told by its first byte.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	numKinds
)

func kindOf(first byte) kind {
	switch first {
	case 'n':
		return kindNull
	case 't', 'f':
		return kindBool
	case '"':
		return kindString
	case '[':
		return kindArray
	case '{':
		return kindObject
	default:
		return kindNumber
	}
}

func (k kind) article() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// A decoder is a position in a text that jsontext has found valid. Its methods
// rely on that: none checks grammar, and commas and colons pass as space.
type decoder struct {
	data    []byte
	pos     int
	depth   int
	made    uintptr // bytes of the Go values made
	scratch []byte  // holds the last text with escapes

	fit     fit     // of all that was decoded
	judging int     // unions that are trying a variant: what it lets pass must be counted
	seen    []uint8 // the fields of each object that is judged, outermost first

	// Unions look ahead and try variants. These keep hostile text from making
	// that more than linear work.
	ahead    int               // bytes skipped while looking ahead
	wasted   int               // bytes decoded into variants that were then not taken
	tested   int               // work of testing variants one level deep, as if in bytes
	replayed int               // bytes not decoded again, since outcomes had them
	ends     map[int]int       // start to end of long values, made when ahead grows large
	outcomes map[place]outcome // of unions inside variants that are being tried
	kept     uintptr           // bytes of these, and of the Go values in them
	members  []member          // of the object looked at

	candidates []candidate // of all unions that are choosing, outermost first
}

// maxMembers is the capacity above which members and candidates are not kept for the
// next text: what is kept of members is cleared after each.
const maxMembers = 256

// reset makes d ready for the next text and lets go of the last.
func (d *decoder) reset() {
	if cap(d.members) > maxMembers {
		d.members = nil
	}
	clear(d.members[:cap(d.members)]) // they refer to the last text
	if cap(d.candidates) > maxMembers {
		d.candidates = nil
	}
	*d = decoder{scratch: d.scratch, members: d.members[:0], seen: d.seen[:0], candidates: d.candidates[:0]}
}

func (d *decoder) enter() error {
	if d.depth++; d.depth > maxDepth {
		return errTooDeep
	}
	return nil
}

func (d *decoder) leave() { d.depth-- }

// room is how many bytes the Go values may take.
func (d *decoder) room() uintptr { return madeFree + madePerByte*uintptr(len(d.data)) }

// hold counts n bytes of Go values.
func (d *decoder) hold(n uintptr) error {
	if d.made += n; d.made > d.room() {
		return errTooLarge
	}
	return nil
}

// peek moves to the next token and returns its first byte.
func (d *decoder) peek() byte {
	for {
		switch c := d.data[d.pos]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			d.pos++
		default:
			return c
		}
	}
}

// value moves past the next value and returns its bytes, which are part of data.
func (d *decoder) value() []byte {
	d.peek()
	start := d.pos
	d.pos = d.end(start)
	return d.data[start:d.pos]
}

// end returns the offset after the value that starts at pos.
func (d *decoder) end(pos int) int {
	switch d.data[pos] {
	case '"':
		if end, ok := d.ends[pos]; ok {
			return end
		}
		return stringEnd(d.data, pos)
	case '{', '[':
		if end, ok := d.ends[pos]; ok {
			return end
		}
		return containerEnd(d.data, pos)
	default:
		return scalarEnd(d.data, pos)
	}
}

// text moves past the next string, or key, and returns its content, which is
// valid until the next call.
func (d *decoder) text() []byte {
	d.peek()
	start := d.pos + 1
	for i := start; ; i++ {
		switch c := d.data[i]; {
		case c == '"':
			d.pos = i + 1
			return d.data[start:i]
		case c == '\\' || c >= utf8.RuneSelf:
			return d.escaped()
		}
	}
}

// escaped is text for strings that may not stand for themselves.
func (d *decoder) escaped() []byte {
	raw := d.value()
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return inner
	}
	d.scratch = unquote(d.scratch[:0], raw)
	return d.scratch
}

// plain reports whether the content of a JSON string stands for itself.
func plain(inner []byte) bool { return bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) }

// unquote appends the content of the JSON string raw to dst.
func unquote(dst, raw []byte) []byte {
	dst, _ = jsontext.AppendUnquote(dst, raw) // the only error is invalid UTF-8, which it replaces
	return dst
}

func stringEnd(data []byte, pos int) int {
	for pos++; ; pos++ {
		switch data[pos] {
		case '"':
			return pos + 1
		case '\\':
			pos++
		}
	}
}

func scalarEnd(data []byte, pos int) int {
	for ; pos < len(data); pos++ {
		switch data[pos] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			return pos
		}
	}
	return pos
}

func containerEnd(data []byte, pos int) int {
	for depth := 0; ; pos++ {
		switch data[pos] {
		case '"':
			pos = stringEnd(data, pos) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return pos + 1
			}
		}
	}
}

// raw moves past the next value and returns a copy of its bytes.
func (d *decoder) raw() []byte { return bytes.Clone(d.value()) }

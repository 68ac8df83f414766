package snapshot

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/internal/schema"
)

// Encode returns the snapshot as a file: indented JSON, short parts on one line,
// maps sorted by key, schemas in their own order and spelling. Runes that do not
// show are escaped, so that a review sees them. Equal snapshots give equal
// bytes, and [Parse] gives the snapshot back.
func (s *Snapshot) Encode() []byte {
	file := object{}
	file.set("format", &schema.Value{Kind: schema.Number, Text: strconv.Itoa(FormatVersion)})
	if s.Observed != (Observed{}) {
		o := object{}
		o.text("name", s.Observed.Name)
		o.text("version", s.Observed.Version)
		o.text("protocol", s.Observed.Protocol)
		file.set("observed", o.value())
	}
	tools := &schema.Value{Kind: schema.Array}
	for _, t := range s.Tools {
		tools.Items = append(tools.Items, t.file())
	}
	file.set("tools", tools)
	file.set("digests", sorted(s.Digests))
	file.set("pins", sorted(s.Pins))
	p := printer{}
	p.print(file.value(), 0, 0)
	return append(p.out, '\n')
}

func (t Tool) file() *schema.Value {
	o := object{}
	o.set("name", str(t.Name))
	o.text("title", t.Title)
	o.text("description", t.Description)
	o.json("inputSchema", t.InputSchema)
	o.json("outputSchema", t.OutputSchema)
	o.json("annotations", t.Annotations)
	o.json("execution", t.Execution)
	return o.value()
}

func sorted(m map[string]string) *schema.Value {
	o := object{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		o.set(k, str(m[k]))
	}
	return o.value()
}

// An object is a JSON object under construction.
type object []schema.Member

func (o *object) set(name string, v *schema.Value) {
	*o = append(*o, schema.Member{Name: name, Value: v})
}

// text adds a string unless it is empty.
func (o *object) text(name, s string) {
	if s != "" {
		o.set(name, str(s))
	}
}

// json adds v unless it is nil.
func (o *object) json(name string, v *schema.Value) {
	if v != nil {
		o.set(name, v)
	}
}

func (o object) value() *schema.Value { return schema.ObjectOf(o) }

func str(s string) *schema.Value { return &schema.Value{Kind: schema.String, Text: s} }

const (
	lineWidth = 100 // bytes that a part on one line may end at
	openLevel = 3   // the file, its lists and its tools are always spread over lines
	maxIndent = 24  // levels; deeper parts stay on one line, or indentation would outgrow them
)

// A printer lays JSON out for people who read diffs.
type printer struct{ out []byte }

// print writes v at a level of nesting, from a column on.
func (p *printer) print(v *schema.Value, level, column int) {
	n := len(v.Items) + len(v.Members)
	if n == 0 || level > maxIndent || level >= openLevel && fits(v, lineWidth-column) >= 0 {
		p.inline(v)
		return
	}
	opening, closing := byte('['), byte(']')
	if v.Kind == schema.Object {
		opening, closing = '{', '}'
	}
	p.out = append(p.out, opening)
	for i, item := range v.Items {
		p.line(i > 0, level+1)
		p.print(item, level+1, 2*(level+1))
	}
	for i, m := range v.Members {
		p.line(i > 0, level+1)
		start := len(p.out)
		p.out = append(quote(p.out, m.Name), ": "...)
		p.print(m.Value, level+1, 2*(level+1)+len(p.out)-start)
	}
	p.line(false, level)
	p.out = append(p.out, closing)
}

// line starts a line, after a comma where one is due.
func (p *printer) line(comma bool, level int) {
	if comma {
		p.out = append(p.out, ',')
	}
	p.out = append(p.out, '\n')
	for range level {
		p.out = append(p.out, "  "...)
	}
}

// inline writes v on one line.
func (p *printer) inline(v *schema.Value) {
	switch v.Kind {
	case schema.String:
		p.out = quote(p.out, v.Text)
	case schema.Array:
		p.out = append(p.out, '[')
		for i, item := range v.Items {
			p.comma(i)
			p.inline(item)
		}
		p.out = append(p.out, ']')
	case schema.Object:
		p.out = append(p.out, '{')
		for i, m := range v.Members {
			p.comma(i)
			p.out = append(quote(p.out, m.Name), ": "...)
			p.inline(m.Value)
		}
		p.out = append(p.out, '}')
	default:
		p.out = v.AppendJSON(p.out)
	}
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.out = append(p.out, ", "...)
	}
}

// fits returns what is left of room after v on one line, below zero when v does
// not fit. It looks no further than room reaches.
func fits(v *schema.Value, room int) int {
	switch v.Kind {
	case schema.Array, schema.Object:
		room -= len("{}")
		for _, item := range v.Items {
			if room = fits(item, room-len(", ")); room < 0 {
				return room
			}
		}
		for _, m := range v.Members {
			if room = fits(m.Value, room-len(m.Name)-len(`"": , `)); room < 0 {
				return room
			}
		}
		return room
	case schema.String, schema.Number:
		return room - len(v.Text) - len(`""`)
	}
	return room - len("false")
}

// quote appends s as a JSON string in which every rune can be seen.
func quote(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case !safetext.Hidden(r):
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = escape(escape(b, high), low)
		default:
			b = escape(b, r)
		}
	}
	return append(b, '"')
}

func escape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

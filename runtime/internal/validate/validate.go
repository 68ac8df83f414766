// Package validate checks JSON values against JSON Schemas that a stranger wrote.
//
// In: a schema as a server sent it, and JSON text. Out: every violation, bounded
// in number, with a JSON pointer and a message in our own words. Draft-04 to
// 2020-12; nothing is ever fetched. No schema and no value can panic, hang or
// exhaust the caller: each [Schema.Validate] has a budget, and what does not fit
// in it is left unvalidated and said so. What the package cannot read or decide
// it lets through, there alone: it is never stricter than the schema. That holds
// for references too that lead back to themselves with nothing of the value
// consumed. Under not, oneOf, if and contains such a part may hold or not: a value
// is refused only when it would be refused both ways.
//
// It must never import the rest of runtime.
package validate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// ErrBudget says that a value was left unvalidated: it would have cost too much. It
// says nothing about the value.
var ErrBudget = errors.New("left unvalidated")

// Options choose what is asserted.
type Options struct {
	Formats bool // "format" too: the formats of the specification that are known here
}

// A Schema is one compiled schema. It is safe for concurrent use.
type Schema struct {
	root     *node
	warnings []string
}

// A Violation is one way in which a value breaks its schema.
type Violation struct {
	// Pointer is the place in the value, RFC 6901; "" is the whole value. Names
	// of more than 100 bytes are cut.
	Pointer string
	// Message says what the schema wants there, like "must be at least 1". It
	// quotes the schema, made harmless to print, and never the value.
	Message string
}

// maxViolations is how many violations one value is reported to have.
const maxViolations = 20

// Compile reads raw as one self-contained schema; without $schema it is 2020-12.
// The error says why nothing of it can be used: no JSON, an unknown dialect, too
// large or too deep. A part that cannot be used alone, like a reference out of
// the document or a pattern that is none, is left out: see [Schema.Warnings].
// Time and memory are bounded whatever raw holds.
func Compile(raw json.RawMessage, o Options) (s *Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("schema cannot be compiled: %v", r)
		}
	}()
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("schema is larger than %d bytes", maxSchemaBytes)
	}
	root, err := schema.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("schema is no usable JSON: %w", err)
	}
	if root.Kind != schema.Object && root.Kind != schema.Bool {
		return nil, fmt.Errorf("schema is a JSON %s, not an object", root.Kind)
	}
	doc, err := schema.NewDocument(root)
	if err != nil {
		return nil, err
	}
	c := compiler{doc: doc, formats: o.Formats, nodes: make(map[*schema.Value]*node)}
	s = &Schema{}
	if s.root, err = c.compile(dynamicRefs.Match(raw)); err != nil {
		return nil, err
	}
	s.warnings = c.warnings
	return s, nil
}

// dynamicRefs finds schemas that may hold a dynamic reference.
var dynamicRefs = regexp.MustCompile(`"\$(?:dynamic|recursive)Ref"`)

// Warnings names the parts of the schema that are not enforced, each with its
// JSON pointer in the schema, at most 20.
func (s *Schema) Warnings() []string { return s.warnings }

// Validate checks instance, one JSON text. nil, nil means valid. The error wraps
// [ErrBudget] when the value was left unvalidated, or the context's error; any
// other error means that instance is no JSON. Of members with one name the last
// counts.
func (s *Schema) Validate(ctx context.Context, instance []byte) ([]Violation, error) {
	if crowded(instance) {
		return nil, fmt.Errorf("%w: more than %d values", ErrBudget, maxValues)
	}
	value, err := schema.Parse(instance)
	if errors.Is(err, schema.ErrTooDeep) {
		return nil, fmt.Errorf("%w: nested deeper than %d", ErrBudget, schema.MaxDepth)
	}
	if err != nil {
		return nil, fmt.Errorf("no valid JSON: %w", err)
	}
	valid, err := s.holds(ctx, value)
	if valid || err != nil {
		return nil, err
	}
	return s.report(ctx, value), nil
}

// maxValues is how many values an instance may have, roughly: two bytes of text are
// a hundred in memory.
const maxValues = 500_000

// crowded reports whether text has more than maxValues values. Each but the first
// stands behind a comma or a bracket.
func crowded(text []byte) bool {
	if len(text) < maxValues {
		return false
	}
	n, quoted := 0, false
	for i := 0; i < len(text) && n < maxValues; i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '\\': // only in a string
			i++
		case ',', '[', '{':
			if !quoted {
				n++
			}
		}
	}
	return n >= maxValues
}

// holds is the quick answer, given up at the first violation.
func (s *Schema) holds(ctx context.Context, value *schema.Value) (valid bool, err error) {
	e := newEvaluation(ctx)
	defer func() { err = e.recovered(recover()) }()
	return e.check(s.root, value, nil), nil
}

// report evaluates a value that is known to be invalid once more, to the end, and
// says what is wrong. A report that runs out of budget is cut short.
func (s *Schema) report(ctx context.Context, value *schema.Value) []Violation {
	found := &findings{}
	e := newEvaluation(ctx)
	e.reporting, e.found = true, found
	func() {
		defer func() { _ = e.recovered(recover()) }()
		e.check(s.root, value, nil)
	}()
	return found.exported()
}

package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/mcpbind/mcpbind/runtime/internal/validate"
)

// A schemaCheck checks values against one schema of one version of a tool. It
// compiles the schema on first use.
type schemaCheck struct {
	what    string // the member of the tool that holds the schema
	schema  json.RawMessage
	formats bool
	compile func() (*validate.Schema, error)

	partly, unchecked sync.Once // each is logged once
}

func newSchemaCheck(what string, schema json.RawMessage, formats bool) *schemaCheck {
	return &schemaCheck{
		what:    what,
		schema:  schema,
		formats: formats,
		compile: sync.OnceValues(func() (*validate.Schema, error) {
			return validate.Compile(schema, validate.Options{Formats: formats})
		}),
	}
}

// or returns old when it checks the same, so that a tool that did not change
// keeps its compiled schemas.
func (c *schemaCheck) or(old *schemaCheck) *schemaCheck {
	if old != nil && old.formats == c.formats && bytes.Equal(old.schema, c.schema) {
		return old
	}
	return c
}

// adopt readies the tools of a new registration of s.
func (s *server) adopt(tools map[string]*tool) map[string]*tool {
	for name, t := range tools {
		t.arguments = newSchemaCheck("inputSchema", t.InputSchema, s.checks.Formats)
		t.results = newSchemaCheck("outputSchema", t.OutputSchema, s.checks.Formats)
		if old := s.tools[name]; old != nil {
			t.arguments, t.results = t.arguments.or(old.arguments), t.results.or(old.results)
		}
	}
	return tools
}

// checkArguments returns an error that wraps ErrInvalidArguments and tells all
// violations of t's inputSchema.
func (r *Registry) checkArguments(ctx context.Context, srv *server, t *tool, arguments []byte) error {
	if !srv.checks.Arguments {
		return nil
	}
	return r.check(ctx, t, t.arguments, arguments, ErrInvalidArguments)
}

// checkResult does the same for a result and t's outputSchema.
func (r *Registry) checkResult(ctx context.Context, srv *server, t *tool, res *CallResult) error {
	if !srv.checks.Results || res.IsError || t.OutputSchema == nil {
		return nil
	}
	data, err := res.data()
	if err != nil {
		return fmt.Errorf("%w: the tool has an outputSchema, but its result has no structured content", ErrInvalidResult)
	}
	return r.check(ctx, t, t.results, data, ErrInvalidResult)
}

// check returns an error that wraps invalid when data breaks the schema of c.
// What cannot be checked passes.
func (r *Registry) check(ctx context.Context, t *tool, c *schemaCheck, data []byte, invalid error) error {
	if len(c.schema) == 0 {
		return nil
	}
	schema, err := c.compile()
	if err != nil {
		c.unchecked.Do(func() { r.logUnchecked(t, c, err.Error()) })
		return nil
	}
	if parts := schema.Warnings(); len(parts) > 0 {
		c.partly.Do(func() { r.logUnchecked(t, c, strings.Join(parts, "; ")) })
	}
	violations, err := schema.Validate(ctx, data)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.unchecked.Do(func() { r.logUnchecked(t, c, err.Error()) })
		return nil
	case len(violations) > 0:
		return fmt.Errorf("%w: %s", invalid, describe(violations))
	}
	return nil
}

// logUnchecked says that a schema, or parts of it, are not enforced.
func (r *Registry) logUnchecked(t *tool, c *schemaCheck, reason string) {
	r.logger(t.Server).Warn("a tool's values are not fully validated", "tool", harmless(t.WireName, maxName),
		"schema", c.what, "reason", r.safe(t.Server, reason))
}

// describe writes violations as one line.
func describe(violations []validate.Violation) string {
	lines := make([]string, len(violations))
	for i, v := range violations {
		lines[i] = harmless(v.Message, maxToolErrorText)
		if v.Pointer != "" { // else it is about the whole
			lines[i] = fmt.Sprintf("at %s: %s", quoted(v.Pointer), lines[i])
		}
	}
	return strings.Join(lines, "; ")
}

package runtime

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/codec"
)

// A CallResult is what a tool answered: the server's own bytes. It is not
// modified after it was returned.
type CallResult struct {
	// Text is the text blocks joined in order by newlines; any other block stands
	// as its JSON.
	Text string
	// IsError says that the tool ran and failed; Text tells why.
	IsError bool
	// Structured is structuredContent as sent, nil when there is none.
	Structured json.RawMessage
	// Content is the content blocks as sent.
	Content []json.RawMessage
	// Meta is _meta as sent, nil when there is none.
	Meta json.RawMessage

	// secrets redacts this result's text where it enters an error, never the
	// result itself. nil redacts nothing.
	secrets *redact.Redactor
}

// Decode reads the result into v, a pointer: the structured content, or without
// any the text as JSON. Numbers, nulls and absent members arrive exactly, as far
// as the type of v can hold them. The error wraps [ErrDecode], names the place as
// a JSON pointer, and leaves v in an unspecified state.
func (r *CallResult) Decode(v any) error {
	data, err := r.data()
	if err != nil {
		return err
	}
	if err := codec.Unmarshal(data, v); err != nil {
		return &plainError{fmt.Sprintf("%v: %s", ErrDecode, r.safe(err.Error(), maxToolErrorText)), []error{ErrDecode, err}}
	}
	return nil
}

// data returns the JSON that the result holds for programs.
func (r *CallResult) data() (json.RawMessage, error) {
	if r.Structured != nil {
		return r.Structured, nil
	}
	text := []byte(r.Text)
	switch {
	case strings.TrimSpace(r.Text) == "":
		return nil, fmt.Errorf("%w: it is empty", ErrDecode)
	case !json.Valid(text):
		return nil, fmt.Errorf("%w: it has no structured content and its text is not JSON (read CallResult.Text instead)", ErrDecode)
	}
	return text, nil
}

// safe returns server text as one harmless line of n runes at the most.
func (r *CallResult) safe(text string, n int) string {
	return harmless(r.secrets.Text(text), n)
}

package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpbind/mcpbind/internal/redact"
	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

var (
	errNeedsInput    = errors.New("the tool asks its caller for input, which this client does not offer")
	errBadResult     = errors.New("the server's result is malformed")
	errTooManyBlocks = fmt.Errorf("the server's result has more than %d content blocks", maxBlocks)
)

// maxBlocks bounds the content blocks of one result.
const maxBlocks = 10_000

// newCallResult reads a tools/call result as sent. Nothing in it is changed or
// dropped; its parts share raw's bytes.
func newCallResult(raw json.RawMessage, secrets *redact.Redactor) (*CallResult, error) {
	res := &CallResult{secrets: secrets}
	err := wire.Members(raw, func(name string, value json.RawMessage) error {
		switch name {
		case "content":
			res.Content = nil
			if wire.Items(value) > maxBlocks {
				return errTooManyBlocks
			}
			if json.Unmarshal(value, &res.Content) != nil {
				return errBadResult
			}
		case "structuredContent":
			res.Structured = value
		case "isError":
			res.IsError = string(value) == "true"
		case "_meta":
			res.Meta = unlessNull(value)
		}
		return nil
	})
	if errors.Is(err, errTooManyBlocks) {
		return nil, err
	}
	if err != nil {
		return nil, errBadResult
	}
	res.Text = textOf(res.Content)
	return res, nil
}

// textOf joins content blocks by newlines: the text of text blocks, and any other
// block as its JSON.
func textOf(blocks []json.RawMessage) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		if text, ok := blockText(block); ok {
			b.WriteString(text)
		} else {
			b.Write(block)
		}
	}
	return b.String()
}

func blockText(block json.RawMessage) (text string, ok bool) {
	kind := ""
	err := wire.Members(block, func(name string, value json.RawMessage) error {
		switch name {
		case "type":
			return json.Unmarshal(value, &kind)
		case "text":
			ok = len(value) > 0 && value[0] == '"'
			if ok {
				return json.Unmarshal(value, &text)
			}
		}
		return nil
	})
	return text, ok && err == nil && kind == "text"
}

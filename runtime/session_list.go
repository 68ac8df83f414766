package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// Bounds of one list of tools.
const (
	maxPages     = 1_000
	maxTools     = 20_000
	maxListSize  = 64 << 20 // bytes of all pages
	maxToolSize  = 1 << 20  // bytes of one tool, schemas included
	maxToolDepth = 256      // levels of its schemas
	maxLeftOut   = 20       // logged one by one
)

// listTools reads every page of the list. A tool that is no tool, and a name that
// was there before, cost themselves only. A server without tools has a list too: it
// is empty, not nil.
func (s *session) listTools(ctx context.Context) ([]Tool, error) {
	list := listing{s: s, tools: []Tool{}, names: map[string]bool{}, params: map[string][]wire.ParamHeader{}}
	cursors := map[string]bool{}
	cursor := ""
	for range maxPages {
		raw, err := s.listPage(ctx, cursor)
		if err != nil {
			return nil, err
		}
		if cursor, err = list.add(raw); err != nil {
			return nil, err
		}
		switch {
		case cursor == "":
			list.sumUp()
			s.params.Store(&list.params)
			return list.tools, nil
		case cursors[cursor]:
			s.e.logger.Warn("the server's list of tools goes round in circles; it is taken up to there", "tools", len(list.tools))
			s.params.Store(&list.params)
			return list.tools, nil
		}
		cursors[cursor] = true
	}
	return nil, fmt.Errorf("the server's list of tools has no end: %d pages", maxPages)
}

// listPage returns the raw result of one tools/list request.
func (s *session) listPage(ctx context.Context, cursor string) (json.RawMessage, error) {
	call, finish := s.enter(ctx)
	defer finish()
	slot := &wire.Slot{}
	defer slot.Release()
	res, err := guarded(s.e, sdkPanicked, func() (*mcp.ListToolsResult, error) {
		return s.sdk.ListTools(wire.WithSlot(call, slot), &mcp.ListToolsParams{Cursor: cursor})
	})
	if err != nil {
		unsent := fateOf(slot) == fateUnsent
		err = s.reason(ctx, slot, err)
		if unsent {
			s.suspect(ctx, slot.Unsent())
		}
		return nil, err
	}
	if raw := slot.Result(); raw != nil {
		return raw, nil
	}
	return json.Marshal(res) // nobody saw the bytes
}

// A listing is a list of tools that grows page by page.
type listing struct {
	s      *session
	tools  []Tool
	names  map[string]bool
	params map[string][]wire.ParamHeader

	seen, size, leftOut int
}

// add takes one page and returns the cursor of the next, "" for none.
func (l *listing) add(page json.RawMessage) (cursor string, err error) {
	var tools []json.RawMessage
	err = wire.Members(page, func(name string, value json.RawMessage) error {
		switch name {
		case "tools":
			l.seen += wire.Items(value)
			l.size += len(value)
			if l.seen > maxTools {
				return fmt.Errorf("the server lists more than %d tools", maxTools)
			}
			if json.Unmarshal(value, &tools) != nil {
				return fmt.Errorf("the server's list of tools is no list")
			}
		case "nextCursor":
			l.size += len(value)               // cursors are kept as well, to know them again
			_ = json.Unmarshal(value, &cursor) // null is as good as none
		}
		if l.size > maxListSize {
			return fmt.Errorf("the server's list of tools is larger than %d bytes", maxListSize)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	for i, raw := range tools {
		l.take(i, raw)
	}
	return cursor, nil
}

func (l *listing) take(i int, raw json.RawMessage) {
	skip := func(name, why string) {
		if l.leftOut++; l.leftOut > maxLeftOut {
			return
		}
		l.s.e.logger.Warn("tool left out", "tool", harmless(l.s.e.secrets.Text(name), maxName), "position", i, "why", why)
	}
	switch {
	case len(raw) > maxToolSize:
		skip("", fmt.Sprintf("it is larger than %d bytes", maxToolSize))
		return
	case wire.Depth(raw) > maxToolDepth:
		skip("", fmt.Sprintf("it nests more than %d levels deep", maxToolDepth))
		return
	}
	t, err := newTool(l.s.e.cfg.Name, raw)
	switch {
	case err != nil:
		skip("", err.Error())
		return
	case l.names[t.WireName]:
		skip(t.WireName, "the server lists another tool of this name")
		return
	}
	if l.s.mirrors() {
		params, err := wire.ParamHeaders(t.InputSchema)
		if err != nil {
			skip(t.WireName, err.Error())
			return
		}
		if params != nil {
			l.params[t.WireName] = params
		}
	}
	l.names[t.WireName] = true
	l.tools = append(l.tools, t)
}

// sumUp logs how many tools were left out without a line of their own.
func (l *listing) sumUp() {
	if more := l.leftOut - maxLeftOut; more > 0 {
		l.s.e.logger.Warn("more tools were left out", "tools", more)
	}
}

// newTool reads one tool object. Everything in it is the server's bytes.
func newTool(server string, raw json.RawMessage) (Tool, error) {
	raw = bytes.Clone(raw) // a page is not kept alive by one of its tools
	t := Tool{Server: server, Raw: raw}
	err := wire.Members(raw, func(name string, value json.RawMessage) error {
		switch name {
		case "name":
			_ = json.Unmarshal(value, &t.WireName)
		case "title":
			_ = json.Unmarshal(value, &t.Title)
		case "description":
			_ = json.Unmarshal(value, &t.Description)
		case "inputSchema":
			t.InputSchema = unlessNull(value)
		case "outputSchema":
			t.OutputSchema = unlessNull(value)
		case "annotations":
			t.Annotations = unlessNull(value)
		}
		return nil
	})
	if err != nil {
		return Tool{}, fmt.Errorf("it is no JSON object")
	}
	if t.WireName == "" {
		return Tool{}, fmt.Errorf("it has no name")
	}
	t.Name = t.WireName
	return t, nil
}

func unlessNull(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

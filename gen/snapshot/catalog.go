package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// ParseCatalog reads a saved list of tools: a tools/list result {"tools": [...]},
// the whole response {"result": {...}}, or a capture that also holds the answer
// to initialize: {"server": {"serverInfo": ..., "protocolVersion": ...}, "tools": [...]}.
// Tools are taken as they are: judging them is the work of [New]. One page of
// several is refused, since the tools of the others would seem to be gone.
func ParseCatalog(data []byte) (Catalog, error) {
	c, err := parseCatalog(withoutBOM(data))
	if err != nil {
		return Catalog{}, fmt.Errorf("catalog: %w", withLine(err, data))
	}
	return c, nil
}

func parseCatalog(data []byte) (Catalog, error) {
	top, err := memberMap(data)
	if err != nil {
		return Catalog{}, err
	}
	if result, ok := top["result"]; ok && top["tools"] == nil {
		if top, err = memberMap(result); err != nil {
			return Catalog{}, fmt.Errorf("result: %w", err)
		}
	}
	tools, ok := top["tools"]
	if !ok {
		return Catalog{}, errors.New(`no member "tools": a tools/list result is needed`)
	}
	if cursor := text(top["nextCursor"]); cursor != "" {
		return Catalog{}, errors.New("only the first page (nextCursor is set): put the tools of all pages into one array and remove nextCursor")
	}
	items, err := elements(tools)
	if err != nil {
		return Catalog{}, fmt.Errorf("tools: %w", err)
	}
	c := Catalog{Observed: observed(top["server"])}
	for _, item := range items {
		c.Tools = append(c.Tools, json.RawMessage(item))
	}
	return c, nil
}

// observed reads what it can of the answer to initialize.
func observed(server []byte) Observed {
	fields, err := memberMap(server)
	if err != nil {
		return Observed{}
	}
	o := Observed{Protocol: text(fields["protocolVersion"])}
	if info, err := memberMap(fields["serverInfo"]); err == nil {
		o.Name, o.Version = text(info["name"]), text(info["version"])
	}
	return o
}

// memberMap is [members] by name.
func memberMap(data []byte) (map[string][]byte, error) {
	ms, err := members(data)
	byName := make(map[string][]byte, len(ms))
	for _, m := range ms {
		byName[m.name] = m.raw
	}
	return byName, err
}

// text returns the text of a JSON string, and "" for anything else.
func text(raw []byte) string {
	if v, err := schema.Parse(raw); err == nil && v.Kind == schema.String {
		return v.Text
	}
	return ""
}

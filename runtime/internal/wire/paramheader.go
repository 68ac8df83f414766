package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// paramHeaderPrefix stands before the name that x-mcp-header gives.
const paramHeaderPrefix = "Mcp-Param-"

// A ParamHeader says that one argument is repeated in an HTTP header. The SDK
// does this for tools in its own cache only, and loses them whenever it lists
// again; so it is done here.
type ParamHeader struct {
	Path   []string // of property names, from the root of the arguments
	Header string   // with the prefix
}

// maxParamDepth bounds how deep properties are searched for x-mcp-header.
const maxParamDepth = 64

// ParamHeaders returns what a tool's input schema marks with x-mcp-header. An
// error means that the marks are invalid, and that clients must not use the tool
// over HTTP.
func ParamHeaders(inputSchema json.RawMessage) ([]ParamHeader, error) {
	if !strings.Contains(string(inputSchema), "x-mcp-header") {
		return nil, nil
	}
	var found []ParamHeader
	if err := collectParams(inputSchema, nil, &found); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range found {
		key := strings.ToLower(p.Header)
		if seen[key] {
			return nil, errors.New("two properties have the same x-mcp-header")
		}
		seen[key] = true
	}
	return found, nil
}

func collectParams(schema json.RawMessage, path []string, found *[]ParamHeader) error {
	var properties json.RawMessage
	_ = Members(schema, func(name string, value json.RawMessage) error {
		if name == "properties" {
			properties = value
		}
		return nil
	})
	if properties == nil || len(path) >= maxParamDepth {
		return nil
	}
	var bad error
	_ = Members(properties, func(name string, value json.RawMessage) error {
		below := slices.Concat(path, []string{name})
		if bad = collectParam(value, below, found); bad == nil {
			bad = collectParams(value, below, found)
		}
		return bad
	})
	return bad
}

func collectParam(property json.RawMessage, path []string, found *[]ParamHeader) error {
	var kind, mark json.RawMessage
	_ = Members(property, func(name string, value json.RawMessage) error {
		switch name {
		case "type":
			kind = value
		case "x-mcp-header":
			mark = value
		}
		return nil
	})
	if mark == nil {
		return nil
	}
	switch string(kind) {
	case `"string"`, `"integer"`, `"boolean"`:
	default:
		return errors.New("x-mcp-header stands at a property that is no string, integer or boolean")
	}
	header, ok := stringValue(mark)
	if !ok || header == "" || strings.ContainsFunc(header, func(r rune) bool { return !isTokenRune(r) }) {
		return errors.New("x-mcp-header is no header name")
	}
	*found = append(*found, ParamHeader{Path: path, Header: paramHeaderPrefix + header})
	return nil
}

func isTokenRune(r rune) bool {
	return r < 0x80 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}

// Value returns the header's value for arguments, ok only when there is one.
func (p ParamHeader) Value(arguments json.RawMessage) (value string, ok bool) {
	raw := arguments
	for _, name := range p.Path {
		var next json.RawMessage
		err := Members(raw, func(key string, value json.RawMessage) error {
			if key == name {
				next = value
			}
			return nil
		})
		if err != nil || next == nil {
			return "", false
		}
		raw = next
	}
	switch {
	case raw[0] == '"':
		if value, ok = stringValue(raw); !ok {
			return "", false
		}
	case string(raw) == "true", string(raw) == "false":
		value = string(raw)
	default:
		const maxSafe = 1<<53 - 1 // beyond it readers of headers disagree about integers
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > maxSafe {
			return "", false
		}
		value = strconv.FormatInt(int64(f), 10)
	}
	return headerText(value), true
}

// headerText spells a value so that it survives in a header.
func headerText(s string) string {
	const open, shut = "=?base64?", "?="
	encoded := strings.HasPrefix(s, open) && strings.HasSuffix(s, shut)
	unfit := strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e })
	if !encoded && !unfit && strings.TrimSpace(s) == s {
		return s
	}
	return fmt.Sprintf("%s%s%s", open, base64.StdEncoding.EncodeToString([]byte(s)), shut)
}

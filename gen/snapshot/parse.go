package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// ErrNewer is wrapped by the error of [Parse] for a file that a later version of
// mcpbind wrote.
var ErrNewer = errors.New("newer format")

// Parse reads a snapshot file. It is strict, so that a damaged or badly merged
// file is noticed: errors name the member and, for bad syntax, the line. Digests
// are computed anew; what the file says of them is for its readers.
func Parse(data []byte) (*Snapshot, error) {
	s, err := parse(withoutBOM(data))
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", withLine(err, data))
	}
	return s, nil
}

func parse(data []byte) (*Snapshot, error) {
	top, err := members(data)
	if err != nil {
		return nil, err
	}
	if err := checkFormat(top); err != nil {
		return nil, err
	}
	s := &Snapshot{Digests: map[string]string{}, Pins: map[string]string{}}
	for _, m := range top {
		var err error
		switch m.name {
		case "format":
		case "observed":
			err = s.Observed.parse(m.raw)
		case "tools":
			s.Tools, err = parseTools(m.raw)
		case "digests":
			_, err = parseStrings(m.raw)
		case "pins":
			s.Pins, err = parseStrings(m.raw)
		default:
			err = errors.New("unknown member")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strconv.Quote(m.name), err)
		}
	}
	for _, t := range s.Tools {
		s.Digests[t.Name] = t.digest()
	}
	return s, nil
}

func checkFormat(top []member) error {
	i := slices.IndexFunc(top, func(m member) bool { return m.name == "format" })
	if i < 0 {
		return errors.New(`no member "format": this is no snapshot of mcpbind`)
	}
	format, err := strconv.Atoi(string(top[i].raw))
	switch {
	case err != nil || format < 1:
		return fmt.Errorf("format is %.40q, a number from 1 on is needed", top[i].raw)
	case format > FormatVersion:
		return fmt.Errorf("%w: snapshot has format %d, this mcpbind reads up to %d: upgrade mcpbind", ErrNewer, format, FormatVersion)
	}
	return nil
}

func (o *Observed) parse(raw []byte) error {
	fields, err := parseStrings(raw)
	if err != nil {
		return err
	}
	for name, value := range fields {
		switch name {
		case "name":
			o.Name = value
		case "version":
			o.Version = value
		case "protocol":
			o.Protocol = value
		default:
			return fmt.Errorf("unknown member %q", name)
		}
	}
	return nil
}

// parseTools reads the tools in any order, so that a merge of two files may mix
// them up.
func parseTools(raw []byte) ([]Tool, error) {
	items, err := elements(raw)
	if err != nil {
		return nil, err
	}
	var tools []Tool
	for i, item := range items {
		t, err := parseTool(item)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		tools = append(tools, t)
	}
	slices.SortStableFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i := range len(tools) - 1 {
		if tools[i].Name == tools[i+1].Name {
			return nil, fmt.Errorf("%q is there twice", tools[i].Name)
		}
	}
	return tools, nil
}

func parseTool(raw []byte) (Tool, error) {
	fields, err := members(raw)
	if err != nil {
		return Tool{}, err
	}
	var t Tool
	for _, m := range fields {
		var err error
		switch m.name {
		case "name":
			t.Name, err = parseString(m.raw)
		case "title":
			t.Title, err = parseString(m.raw)
		case "description":
			t.Description, err = parseString(m.raw)
		case "inputSchema":
			t.InputSchema, err = schema.Parse(m.raw)
		case "outputSchema":
			t.OutputSchema, err = schema.Parse(m.raw)
		case "annotations":
			t.Annotations, err = schema.Parse(m.raw)
		case "execution":
			t.Execution, err = schema.Parse(m.raw)
		default:
			err = errors.New("unknown member")
		}
		if err != nil {
			return Tool{}, fmt.Errorf("%s: %w", strconv.Quote(m.name), err)
		}
	}
	if t.Name == "" {
		return Tool{}, errors.New("no name")
	}
	return t, nil
}

func parseString(raw []byte) (string, error) {
	v, err := schema.Parse(raw)
	if err != nil {
		return "", err
	}
	if v.Kind != schema.String {
		return "", fmt.Errorf("%s where a string is needed", v.Kind)
	}
	return v.Text, nil
}

func parseStrings(raw []byte) (map[string]string, error) {
	fields, err := members(raw)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(fields))
	for _, m := range fields {
		if out[m.name], err = parseString(m.raw); err != nil {
			return nil, fmt.Errorf("%q: %w", m.name, err)
		}
	}
	return out, nil
}

package snapshot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
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

// toolLevels is how deep the parts of tools stand: in a tool, in a list, in the file.
const toolLevels = 3

func parse(data []byte) (*Snapshot, error) {
	top, err := schema.ParseWithin(toolLevels, data)
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("empty")
	case err != nil:
		return nil, err
	}
	if err := expect(schema.Object, top); err != nil {
		return nil, err
	}
	if err := checkFormat(top.Get("format")); err != nil {
		return nil, err
	}
	s := &Snapshot{Digests: map[string]string{}, Pins: map[string]string{}}
	for _, m := range top.Members {
		var err error
		switch m.Name {
		case "format":
		case "observed":
			err = s.Observed.parse(m.Value)
		case "tools":
			s.Tools, err = parseTools(m.Value)
		case "digests":
			_, err = texts(m.Value)
		case "pins":
			s.Pins, err = texts(m.Value)
		default:
			err = errors.New("unknown member")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strconv.Quote(m.Name), err)
		}
	}
	for _, t := range s.Tools {
		s.Digests[t.Name] = t.digest()
	}
	return s, nil
}

func checkFormat(v *schema.Value) error {
	if v == nil {
		return errors.New(`no member "format": this is no snapshot of mcpbind`)
	}
	format, err := strconv.Atoi(v.Text)
	switch {
	case v.Kind != schema.Number || err != nil || format < 1:
		return fmt.Errorf("format is %.40q, a number from 1 on is needed", v.JSON())
	case format > FormatVersion:
		return fmt.Errorf("%w: snapshot has format %d, this mcpbind reads up to %d: upgrade mcpbind", ErrNewer, format, FormatVersion)
	}
	return nil
}

func (o *Observed) parse(v *schema.Value) error {
	fields, err := texts(v)
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
func parseTools(list *schema.Value) ([]Tool, error) {
	if err := expect(schema.Array, list); err != nil {
		return nil, err
	}
	var tools []Tool
	for i, item := range list.Items {
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

func parseTool(v *schema.Value) (Tool, error) {
	if err := expect(schema.Object, v); err != nil {
		return Tool{}, err
	}
	var t Tool
	for _, m := range v.Members {
		var err error
		switch m.Name {
		case "name":
			t.Name, err = textOf(m.Value)
		case "title":
			t.Title, err = textOf(m.Value)
		case "description":
			t.Description, err = textOf(m.Value)
		case "inputSchema":
			t.InputSchema = m.Value
		case "outputSchema":
			t.OutputSchema = m.Value
		case "annotations":
			t.Annotations = m.Value
		case "execution":
			t.Execution = m.Value
		default:
			err = errors.New("unknown member")
		}
		if err != nil {
			return Tool{}, fmt.Errorf("%s: %w", strconv.Quote(m.Name), err)
		}
	}
	if t.Name == "" {
		return Tool{}, errors.New("no name")
	}
	return t, nil
}

// texts reads an object of strings.
func texts(v *schema.Value) (map[string]string, error) {
	if err := expect(schema.Object, v); err != nil {
		return nil, err
	}
	out := make(map[string]string, len(v.Members))
	for _, m := range v.Members {
		text, err := textOf(m.Value)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", m.Name, err)
		}
		out[m.Name] = text
	}
	return out, nil
}

func textOf(v *schema.Value) (string, error) { return v.Text, expect(schema.String, v) }

func expect(want schema.Kind, v *schema.Value) error {
	if v.Kind != want {
		return fmt.Errorf("%s where %s is needed", kindNames[v.Kind], kindNames[want])
	}
	return nil
}

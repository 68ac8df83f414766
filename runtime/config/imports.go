package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mcpServers file as Claude (mcpServers) and VS Code (servers) write it. Keys
// of other tools are theirs and pass unread.
type importedFile struct {
	MCPServers map[string]json.RawMessage `json:"mcpServers"`
	Servers    map[string]json.RawMessage `json:"servers"`
}

type importedServer struct {
	Disabled bool `json:"disabled"` // as Cline and others switch a server off

	Type    string          `json:"type"`
	URL     string          `json:"url"`
	Headers map[string]text `json:"headers"`
	Command string          `json:"command"`
	Args    []text          `json:"args"`
	Cwd     string          `json:"cwd"`
	Env     map[string]text `json:"env"`
}

// text is a JSON string, or a number or boolean taken as its spelling.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(t))
	case '{', '[':
		return &json.UnmarshalTypeError{}
	case 'n': // null: as good as empty
		return nil
	default:
		*t = text(b)
		return nil
	}
}

func (s importedServer) server() Server {
	texts := func(m map[string]text) map[string]string {
		out := make(map[string]string, len(m))
		for k, v := range m {
			out[k] = string(v)
		}
		return out
	}
	out := Server{Type: s.Type, URL: s.URL, Headers: texts(s.Headers), Command: s.Command, Cwd: s.Cwd, Env: texts(s.Env)}
	for _, arg := range s.Args {
		out.Args = append(out.Args, string(arg))
	}
	return out
}

// An imported entry is one server of an imported file. It costs only itself: the
// file belongs to another tool, which may like what we do not.
type imported struct {
	Entry
	fault    *Error // why it cannot be used, nil when it can
	disabled bool
}

// imports reads the imported files. Of two that define one server the first
// listed wins.
func (d *decoder) imports(doc *Document, dir string) map[string]imported {
	out := map[string]imported{}
	for i, name := range doc.Imports {
		key := indexed("imports", i)
		path := absolute(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			if pathErr, ok := errors.AsType[*os.PathError](err); ok {
				err = pathErr.Err
			}
			d.failAt(key, d.places[key], "cannot read %q: %v", name, err)
			continue
		}
		servers, fault := parseImport(bytes.TrimPrefix(data, utf8BOM))
		if fault != nil {
			fault.Path = filepath.ToSlash(name)
			d.errs = append(d.errs, fault)
			continue
		}
		for _, serverName := range slices.Sorted(maps.Keys(servers)) {
			if _, taken := out[serverName]; !taken {
				out[serverName] = importEntry(Entry{Name: serverName, dir: filepath.Dir(path), origin: filepath.ToSlash(name)}, servers[serverName])
			}
		}
	}
	return out
}

// importEntry reads the server of one imported entry into e.
func importEntry(e Entry, raw json.RawMessage) imported {
	var s importedServer
	if err := json.Unmarshal(raw, &s); err != nil {
		fault := &Error{Path: e.origin, Key: e.Name, Message: "a value of the wrong kind"}
		if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && mismatch.Field != "" { // its text may quote a value
			fault.Key = join(e.Name, mismatch.Field)
		}
		return imported{e, fault, false}
	}
	e.Server = s.server()
	d := decoder{path: e.origin}
	d.name(e.Name, e.Name, "; copy the entry under servers and give it such a name")
	d.transport(e.Name, e.Server)
	if len(d.errs) > 0 {
		return imported{e, d.errs[0], s.Disabled}
	}
	return imported{e, nil, s.Disabled}
}

// parseImport returns the servers of an imported file by name.
func parseImport(data []byte) (map[string]json.RawMessage, *Error) {
	var file importedFile
	if err := json.Unmarshal(data, &file); err != nil {
		e := &Error{Message: "not valid JSON"}
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			e.Line, e.Column = lineColumn(data, syntax.Offset)
			if bytes.Contains(data, []byte("//")) {
				e.Message += "; comments are not allowed in it"
			}
		}
		if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // its text may quote a value
			e.Line, e.Column = lineColumn(data, mismatch.Offset)
			e.Key, e.Message = mismatch.Field, "a value of the wrong kind"
		}
		return nil, e
	}
	switch {
	case file.MCPServers != nil:
		return file.MCPServers, nil
	case file.Servers != nil:
		return file.Servers, nil
	default:
		return nil, &Error{Message: `neither "mcpServers" nor "servers" is in it`}
	}
}

// lineColumn returns the place of the byte before offset.
func lineColumn(data []byte, offset int64) (line, column int) {
	before := string(data[:min(max(offset-1, 0), int64(len(data)))])
	line = strings.Count(before, "\n") + 1
	return line, len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
}

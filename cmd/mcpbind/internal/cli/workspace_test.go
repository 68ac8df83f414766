package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Directories are made only for a command that writes, and only when there is a
// server to write for.
func TestOpen(t *testing.T) {
	const two = "version: 1\nservers: {b: {catalog: b.json}, a: {catalog: a.json}}\n"
	for name, tt := range map[string]struct {
		yaml    string
		servers []string
		create  bool
		chosen  string // names, or what the error begins with
		made    bool
	}{
		"all":         {yaml: two, chosen: "a b"},
		"some":        {yaml: two, servers: []string{"b"}, chosen: "b"},
		"in order":    {yaml: two, servers: []string{"b", "a"}, chosen: "a b"},
		"unknown":     {yaml: two, servers: []string{"c"}, create: true, chosen: `no server "c" in `},
		"to write":    {yaml: two, create: true, chosen: "a b", made: true},
		"without any": {yaml: "version: 1\n", create: true},
		"wrong file":  {yaml: "version: 2\n", create: true, chosen: filepath.Join("DIR", "mcpbind.yaml") + ":1:1: version: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := &app{config: filepath.Join(dir, "mcpbind.yaml"), stderr: &stream{w: io.Discard}}
			if err := os.WriteFile(a.config, []byte(tt.yaml), 0o600); err != nil {
				t.Fatal(err)
			}
			w, targets, err := a.open(tt.servers, tt.create)
			var names []string
			for _, target := range targets {
				names = append(names, target.Name)
			}
			got := strings.Join(names, " ")
			if err != nil {
				got = strings.ReplaceAll(err.Error(), dir, "DIR")
			} else {
				w.close()
			}
			if tt.chosen == "" && got != "" || !strings.HasPrefix(got, tt.chosen) {
				t.Errorf("chosen %q, want %q", got, tt.chosen)
			}
			for _, made := range []string{"generated", "snapshots"} {
				if exists(filepath.Join(dir, made)) != tt.made {
					t.Errorf("%s: made is %v, want %v", made, !tt.made, tt.made)
				}
			}
		})
	}
}

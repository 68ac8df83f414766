package config_test

import (
	"testing"

	"github.com/mcpbind/mcpbind/runtime/config"
)

// Editors put a byte order mark in front of a file, and people leave out what stands
// below a key.
func TestWhatSaysNothing(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	for name, text := range map[string]string{
		"byte order mark": mark + "version: 1\nservers:\n  a: {url: 'http://x'}\n",
		"no auth":         "version: 1\nservers:\n  a:\n    url: http://x\n    auth:\n",
		"auth is null":    "version: 1\nservers:\n  a: {url: 'http://x', auth: null}\n",
		"auth is ~":       "version: 1\nservers:\n  a: {url: 'http://x', auth: ~}\n",
		"imported":        "version: 1\nimports: [.mcp.json]\n",
	} {
		t.Run(name, func(t *testing.T) {
			file, err := config.Load(write(t, map[string]string{
				config.Name: text,
				".mcp.json": mark + `{"mcpServers":{"a":{"url":"http://x"}}}`,
			}))
			if err != nil {
				t.Fatal(err)
			}
			entry, ok := file.Entry("a")
			if !ok || entry.Auth != nil {
				t.Errorf("entry %+v, %v", entry, ok)
			}
			if servers := file.Servers(env(nil)); len(servers) != 1 || servers[0].Auth != nil || servers[0].Err != nil {
				t.Errorf("servers %+v", servers)
			}
		})
	}
}

// Package templates holds the texts that mcpbind scaffolds.
//
// In: the name of a template and its data. Out: the text. Go types and calls of
// tools are never made from templates: that is gen/emit's. It imports nothing of
// mcpbind.
package templates

import (
	"bytes"
	"embed"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var parsed = template.Must(template.ParseFS(files, "*.tmpl"))

// Config is the data of mcpbind.yaml.
type Config struct {
	Import string // path of a file in the mcpServers form, quoted for YAML; "" writes the demo server
}

// Generate is the data of generate.go.
type Generate struct {
	Package string // name of the package in the directory
	Tagged  bool   // keep the file out of builds: the directory has no Go package yet
}

// Workflow is the data of mcpbind.yml, a workflow of GitHub Actions. Paths are
// slash-separated and quoted for YAML and the shell where that is needed.
type Workflow struct {
	Directory string   // of the configuration, from the root of the repository; "" is the root
	GoMod     string   // path of go.mod from the root of the repository
	Snapshots string   // directory of the snapshots, from Directory
	Variables []string // environment variables that the configuration needs, as secrets
	Minute    int      // of the hour at which the nightly job runs
}

// Execute returns the text of mcpbind.yaml, generate.go or mcpbind.yml. data is a
// [Config], a [Generate] or a [Workflow].
func Execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := parsed.ExecuteTemplate(&b, name+".tmpl", data)
	return b.Bytes(), err
}

// Package config reads mcpbind.yaml, for the command line and for programs that
// connect to the same servers in production.
//
// In: the file, the .mcp.json files it imports, and a lookup for environment
// variables. Out: entries as written, and [runtime.ServerConfig] values with
// ${VAR} expanded. Reading is strict: an unknown key is an error with line and
// column. No error holds a value of the file or of a variable, since either may
// be a secret. It is the only package that knows YAML, and it must never import
// gen.
package config

package config

// Version is the only value of the version key.
const Version = 1

// A Document is mcpbind.yaml as it is written. Paths are relative to the file
// and slash-separated.
type Document struct {
	Version   int               `json:"version" jsonschema:"enum=1" jsonschema_description:"Format of this file: 1."`
	Output    string            `json:"output,omitempty" jsonschema:"default=generated" jsonschema_description:"Directory of the generated packages, relative to this file."`
	Snapshots string            `json:"snapshots,omitempty" jsonschema:"default=snapshots" jsonschema_description:"Directory of the snapshots, relative to this file."`
	Imports   []string          `json:"imports,omitempty" jsonschema_description:"Files in the mcpServers form, such as .mcp.json, whose servers are added. They are only read; entries under servers win."`
	Servers   map[string]Server `json:"servers,omitempty" jsonschema_description:"MCP servers by name: 1 to 64 letters, digits, dots, underscores and hyphens, unique ignoring case."`
}

// A Server is one entry under servers. Exactly one of URL, Command and Catalog
// is set, except that an entry named like an imported one may leave out all
// three and take them from there.
type Server struct {
	URL     string            `json:"url,omitempty" jsonschema_description:"Streamable HTTP endpoint. ${VAR} is expanded."`
	Headers map[string]string `json:"headers,omitempty" jsonschema_description:"HTTP headers of every request, never logged. ${VAR} is expanded."`

	Command    string            `json:"command,omitempty" jsonschema_description:"Executable of a stdio server; to the command mcpbind its own name means itself. ${VAR} is expanded."`
	Args       []string          `json:"args,omitempty" jsonschema_description:"Arguments of the command. ${VAR} is expanded."`
	Cwd        string            `json:"cwd,omitempty" jsonschema_description:"Working directory of the command, by default that of this file. ${VAR} is expanded."`
	Env        map[string]string `json:"env,omitempty" jsonschema_description:"Environment variables added for the command. ${VAR} is expanded."`
	InheritEnv []string          `json:"inherit_env,omitempty" jsonschema_description:"Names of further environment variables that the command inherits. It always gets PATH, HOME, USER, SHELL, TERM, LANG and TMPDIR, and nothing else."`

	Catalog string `json:"catalog,omitempty" jsonschema_description:"File with a saved tools/list result, instead of a live server."`

	Type        string    `json:"type,omitempty" jsonschema:"enum=stdio,enum=http,enum=streamable-http" jsonschema_description:"Transport, as other tools write it. It follows from url or command and may be left out."`
	Timeout     string    `json:"timeout,omitempty" jsonschema:"default=10s" jsonschema_description:"Limit for connecting and listing tools, such as 10s or 1m30s."`
	CallTimeout string    `json:"call_timeout,omitempty" jsonschema_description:"Limit for one call of a tool, reconnecting included, such as 30s or 1m30s. There is none by default."`
	Protocol    string    `json:"protocol,omitempty" jsonschema:"default=auto" jsonschema_description:"Protocol version to insist on, such as 2025-11-25, or auto."`
	Auth        *Auth     `json:"auth,omitempty" jsonschema_description:"How to get tokens for url by OAuth 2.1; {} has somebody log in. A fixed token goes into headers."`
	Validate    *Validate `json:"validate,omitempty" jsonschema_description:"What is checked against the schemas of the server's tools."`

	Tools Tools `json:"tools,omitzero" jsonschema_description:"Which tools get a method. The snapshot holds all of them."`
	Go    Go    `json:"go,omitzero" jsonschema_description:"How the Go package looks."`
}

// Auth is the auth key.
type Auth struct {
	Grant             string   `json:"grant,omitempty" jsonschema:"enum=authorization_code,enum=client_credentials,default=authorization_code" jsonschema_description:"authorization_code: somebody logs in once. client_credentials: nobody does, for CI and services."`
	ClientID          string   `json:"client_id,omitempty" jsonschema_description:"Client registered beforehand; without it mcpbind registers itself. ${VAR} is expanded."`
	ClientSecret      string   `json:"client_secret,omitempty" jsonschema_description:"Secret of that client. It goes to issuer only or, without one, to an authorization server on the host of url. ${VAR} is expanded."`
	PrivateKey        string   `json:"private_key,omitempty" jsonschema_description:"PKCS #8 key in PEM form that proves who the client is, instead of client_secret, under client_credentials. ${VAR} is expanded."`
	ClientMetadataURL string   `json:"client_metadata_url,omitempty" jsonschema_description:"https URL of a client ID metadata document, where the authorization server takes one."`
	Issuer            string   `json:"issuer,omitempty" jsonschema_description:"The only authorization server that the credentials are for."`
	Scopes            []string `json:"scopes,omitempty" jsonschema_description:"Scopes to ask for, by default those that the server names."`
	RedirectURL       string   `json:"redirect_url,omitempty" jsonschema_description:"Where the browser returns to after a login, as registered for client_id; by default a free port of this machine."`
}

// Validate is the validate key. A nil field means the default.
type Validate struct {
	Arguments *bool `json:"arguments,omitempty" jsonschema:"default=true" jsonschema_description:"Check arguments before they leave."`
	Results   *bool `json:"results,omitempty" jsonschema:"default=false" jsonschema_description:"Check structured results before they are returned."`
	Formats   *bool `json:"formats,omitempty" jsonschema:"default=false" jsonschema_description:"Assert the format keyword too."`
}

// Tools is the tools key: patterns of tool names, in which * stands for any run
// of characters and ? for one.
type Tools struct {
	Include []string `json:"include,omitempty" jsonschema_description:"Patterns of the tools to keep, by default [\"*\"]."`
	Exclude []string `json:"exclude,omitempty" jsonschema_description:"Patterns of the tools to leave out; exclude wins over include."`
}

// Go is the go key.
type Go struct {
	Package     string            `json:"package,omitempty" jsonschema_description:"Package name and name of its directory, by default the server's name and mcp."`
	Rename      map[string]string `json:"rename,omitempty" jsonschema_description:"Go method names by tool name."`
	Numbers     string            `json:"numbers,omitempty" jsonschema:"enum=native,enum=exact,default=native" jsonschema_description:"native: int and float64. exact: json.Number, which loses no digit."`
	KeepUnknown bool              `json:"keep_unknown,omitempty" jsonschema:"default=false" jsonschema_description:"Every struct keeps members that its schema does not name, in Extra."`
	Formats     map[string]string `json:"formats,omitempty" jsonschema_description:"Go type by JSON Schema format: string, or time for date-time."`
	Bindings    map[string]string `json:"bindings,omitempty" jsonschema_description:"Own Go types, as import/path.Type, by $defs key or by place, like tool#/inputSchema/properties/x."`
}

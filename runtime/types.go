package runtime

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/mcpbind/mcpbind/internal/redact"
)

// A ToolCall names a tool and carries its arguments. Write it keyed: fields may
// be added.
type ToolCall struct {
	// Server is the configured name of the server that owns the tool. Empty
	// means that Name is a registered name of the flat namespace.
	Server string
	// Name is the tool's wire name when Server is set, else its registered name.
	Name string
	// Arguments is a JSON object; nil means {}.
	Arguments json.RawMessage
	// Repeatable says that carrying out the call twice does no more harm than
	// once: the tool only reads, or is idempotent. Such a call is sent again when
	// its connection broke and nobody knows what became of it. It is the caller's
	// word, of a generated package the snapshot's; a live server's is not taken.
	Repeatable bool
	// Progress is told how the call goes, see WithProgress. nil: nothing is asked.
	Progress func(Progress)
	// ProgressTimeout bounds the time between reports, see WithProgressTimeout. 0:
	// none.
	ProgressTimeout time.Duration
}

// A Tool is one advertised tool. Schemas are the server's own bytes: key order
// and number spelling survive.
type Tool struct {
	Name         string          // registered name: unique in a Registry; the wire name unless a collision policy changed it
	WireName     string          // the name that the server knows
	Server       string          // configured name of the owning server
	Title        string          // server text, untrusted
	Description  string          // server text, untrusted
	InputSchema  json.RawMessage // nil when the server sent none
	OutputSchema json.RawMessage // nil when the server sent none
	Annotations  json.RawMessage // nil when the server sent none; a hint, never a promise
	Raw          json.RawMessage // the whole tool object as sent
}

// An MCPClient is one server as the registry sees it: [StreamableHTTPClient],
// [StdioClient], or a double in a test.
type MCPClient interface {
	ListTools(ctx context.Context) ([]Tool, error)
	CallTool(ctx context.Context, call ToolCall) (*CallResult, error)
}

// A Caller calls tools. [*Registry] and every [MCPClient] are callers.
type Caller interface {
	CallTool(ctx context.Context, call ToolCall) (*CallResult, error)
}

// State is where a connection is in its life.
type State string

// States of a connection.
const (
	StateNew        State = "new"        // made, never connected
	StateConnecting State = "connecting" // a handshake is under way
	StateReady      State = "ready"      // calls go through
	StateDown       State = "down"       // it was ready, or was tried, and is not usable now
	StateClosed     State = "closed"     // closed by us
)

// ServerConfig says how to reach one server. Exactly one of URL and Command is set.
type ServerConfig struct {
	Name string // [A-Za-z0-9._-]{1,64}

	URL     string            // streamable HTTP endpoint
	Headers map[string]string // sent with every request to URL's origin, never logged

	Command    string            // executable of a stdio server
	Args       []string          //
	Dir        string            // working directory of the child, "" inherits
	Env        map[string]string // added to the child's environment
	InheritEnv []string          // names of further variables the child inherits

	Timeout     time.Duration // for connecting and listing; 0 means 10 s
	CallTimeout time.Duration // for one call, reconnecting included; 0 means WithCallTimeout's
	Protocol    string        // "", "auto" or a protocol version to pin, like "2025-11-25"

	Validate *Validation // nil: the registry's own choice

	// Auth gets tokens by OAuth 2.1, for URL only. nil: Headers are all there is.
	Auth *Auth

	// Secrets holds what ${VAR} expanded to, by variable name. Server text that
	// echoes such a value (8 bytes or more) is replaced by ${NAME} in logs,
	// errors and status, never in results.
	Secrets map[string]string

	// Err is a fault found before dialling, such as an unset variable. It
	// disables this server alone: ConnectAll records it as the failure.
	Err error
}

// String returns the name and the endpoint or command, without credentials.
func (c ServerConfig) String() string {
	secrets := redact.New(c.Secrets)
	if c.URL != "" {
		return c.Name + " " + redactedEndpoint(c.URL, secrets)
	}
	return c.Name + " " + secrets.Text(c.Command)
}

// LogValue is String, for [log/slog].
func (c ServerConfig) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Validation chooses what Registry.CallTool checks against a tool's schemas.
type Validation struct {
	Arguments bool // before they leave
	Results   bool // structured content, before it is returned
	Formats   bool // assert "format" too
}

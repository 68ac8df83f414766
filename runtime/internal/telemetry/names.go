package telemetry

// Names of the semantic conventions in use: OpenTelemetry's HTTP conventions, and
// those for MCP (semantic-conventions-genai). Go's semconv packages hold the MCP
// ones only from v1.39 to v1.41, so they stand here.
const (
	// MethodName is the JSON-RPC method, like "tools/call".
	MethodName = "mcp.method.name"
	// ProtocolVersion is the MCP version in use.
	ProtocolVersion = "mcp.protocol.version"
	// SessionID is the session's id over HTTP.
	SessionID = "mcp.session.id"
	// ToolName is the wire name of the tool that is called.
	ToolName = "gen_ai.tool.name"
	// OperationName is what a call means to an agent: ExecuteTool.
	OperationName = "gen_ai.operation.name"
	// RPCStatusCode is the code of a JSON-RPC error.
	RPCStatusCode = "rpc.response.status_code"
	// NetworkTransport is TCP or Pipe.
	NetworkTransport = "network.transport"
	// ServerAddress and ServerPort are where an HTTP server is.
	ServerAddress = "server.address"
	ServerPort    = "server.port"
	// ErrorType is the class of a failure, never its text.
	ErrorType = "error.type"

	// HTTPMethod is an HTTP request's method.
	HTTPMethod = "http.request.method"
	// HTTPStatusCode is an HTTP response's status.
	HTTPStatusCode = "http.response.status_code"
	// URLFull is an HTTP request's URL, redacted.
	URLFull = "url.full"

	// ServerName is the configured name of the MCP server. It is ours: the
	// conventions have no name for it.
	ServerName = "mcpbind.server.name"

	// OperationDuration and SessionDuration are histograms, in seconds.
	OperationDuration = "mcp.client.operation.duration"
	SessionDuration   = "mcp.client.session.duration"
)

// Values of the attributes above.
const (
	ExecuteTool = "execute_tool"
	ToolError   = "tool_error" // the tool ran and said no
	Timeout     = "timeout"
	Cancelled   = "cancelled"
	OtherError  = "_OTHER"

	TCP  = "tcp"
	Pipe = "pipe"

	// MethodCallTool is the method that tools are called by.
	MethodCallTool = "tools/call"
)

// Scope is the name under which spans and metrics are recorded.
const Scope = "github.com/mcpbind/mcpbind/runtime"

// buckets are the bounds that the conventions give for both histograms.
var buckets = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

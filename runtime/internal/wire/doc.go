// Package wire stands between the MCP SDK and a server's bytes.
//
// In: what a server sends over HTTP, a child's pipes or memory. Out: to the SDK,
// messages that are bounded, well formed and answer what was asked; to the caller
// of a tool, through a [Slot] in the call's context, the raw result as it was sent
// (the SDK decodes results through any and loses digits and key order). One bad
// answer fails one call, never the session.
//
// It knows JSON-RPC and HTTP, nothing of servers, tools or registries, and must
// never import the packages above it.
package wire

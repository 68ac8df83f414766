// Package runtime is what generated code and agents call MCP tools through.
//
// In: server configurations and tool calls. Out: results as the server sent
// them, exactly; errors that name the server, the tool and the place. The
// [Registry] is one namespace of tools, each call routed to the server that owns
// it; [ConnectAll] fills it, best effort. A server is not trusted: nothing it
// sends may panic, hang or exhaust the caller.
//
// It must never import gen, cobra, jennifer, invopop or yaml.
package runtime

// Where to read: bind and call are what generated packages use. The registry_ files are
// the namespace; its states are views that never change once they are published.
// connectall fills it with clients. The two of them, client and stdio, are shells around
// an endpoint: one configured server, brought back when it is lost. A session is one
// connection of an endpoint, made by an attempt over a link. What reaches the SDK from
// the network passes internal/wire first.

// SupportsGen1 exists as long as this package supports generated code of the
// first generation. Generated packages name it, so that a mismatch is a compile
// error instead of a surprise.
const SupportsGen1 = true

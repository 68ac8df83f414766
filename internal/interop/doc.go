// Package interop holds the tests against real servers from npm.
//
// In: the servers pinned in npm/package.json, installed where MCPBIND_INTEROP
// points. Out: a failure when mcpbind does not generate from them, the output
// does not compile, or a typed call does not come back with the right value. It
// has no code of its own; `make interop` installs the servers and runs it.
package interop

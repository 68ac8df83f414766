// Package faultserver holds MCP servers with one fault each: what a server, its
// network or its process can do to a client.
//
// In: a name of [All]. Out: an HTTP handler, or a child process, that is a sane
// server but for that fault. Tests say what the caller of the runtime must see;
// docs/faults.md is the table. It speaks JSON-RPC by hand, since no MCP library lets
// a server be wrong, and imports nothing of this module.
package faultserver

import (
	"net/http"
	"slices"
	"strings"
)

// A Fault is one way of being wrong. A server with it misbehaves where Does says, for
// calls in the tool "fault" only: its tool "ok" always answers "ok", unless the
// server is gone.
type Fault struct {
	Name string // of the test TestFault_<Name>
	Does string // what the server does
	Sees string // what the caller sees

	on    answers // HTTP
	child func()  // stdio
}

// All returns every fault, sorted by name.
func All() []Fault {
	faults := slices.Concat(callFaults, streamFaults, sessionFaults, connectFaults, listFaults, statelessFaults, childFaults)
	slices.SortFunc(faults, func(a, b Fault) int { return strings.Compare(a.Name, b.Name) })
	return faults
}

// Named returns the fault called name. It panics when there is none.
func Named(name string) Fault {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	panic("no fault is called " + name)
}

// HTTP returns a fresh server with the fault.
func (f Fault) HTTP() *Server { return &Server{on: f.on} }

// Stdio reports whether the fault is one of a child process.
func (f Fault) Stdio() bool { return f.child != nil }

// ChildEnv names the variable that makes a test binary a faulty child: see
// [RunChild].
const ChildEnv = "MCPBIND_FAULT_CHILD"

// RunChild is the server with the stdio fault called name, on this process's standard
// streams. It returns when its input ends, if the fault lets it.
func RunChild(name string) {
	if name == ChaosChild {
		chaosChild()
		return
	}
	Named(name).child()
}

var _ http.Handler = (*Server)(nil)

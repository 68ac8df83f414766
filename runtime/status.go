package runtime

import (
	"maps"
	"slices"
	"time"
)

// A ServerStatus tells how one server is. It holds no credentials and may be
// shown or marshalled as it is.
type ServerStatus struct {
	Name     string    `json:"name"`
	URL      string    `json:"url,omitzero"`      // without what may be secret in it; "" for stdio and unknown
	Command  string    `json:"command,omitzero"`  // executable of a stdio server, without arguments
	State    State     `json:"state"`             //
	Since    time.Time `json:"since,omitzero"`    // when State was entered
	Tools    int       `json:"tools"`             // tools that can be called, skipped ones included
	Skipped  []string  `json:"skipped,omitempty"` // wire names without a registered name, sorted
	Protocol string    `json:"protocol,omitzero"` // MCP version of the connection
	Error    string    `json:"error,omitzero"`    // last failure, on one line

	Reconnects int          `json:"reconnects,omitzero"` // times the connection was lost and brought back
	Changes    *ToolChanges `json:"changes,omitzero"`    // of tools, when the server last came back with others

	Drift []ToolDrift `json:"drift,omitempty"` // of tools, from what generated clients were made from; sorted
}

// Status returns the state of every server that was declared by [ConnectAll],
// registered, or recorded as failed, sorted by name.
func (r *Registry) Status() []ServerStatus {
	v := r.state.Load()
	list := make([]ServerStatus, 0, len(v.servers))
	for _, name := range slices.Sorted(maps.Keys(v.servers)) {
		st := v.servers[name].status(slices.Clone(v.skipped[name]))
		st.Drift = r.drifted(name)
		list = append(list, st)
	}
	return list
}

func (s *server) status(skipped []string) ServerStatus {
	st := ServerStatus{
		Name:    s.name,
		URL:     s.url,
		Command: s.command,
		State:   s.state,
		Since:   s.since,
		Tools:   len(s.tools),
		Skipped: skipped,
	}
	failure := s.failure
	// What a client says about itself is newer than what was recorded.
	if c, ok := s.client.(interface {
		State() (State, time.Time, error)
	}); ok {
		var err error
		st.State, st.Since, err = c.State()
		if err != nil {
			failure = err
		}
	}
	if c, ok := s.client.(interface {
		ServerInfo() (name, version, protocol string)
	}); ok {
		_, _, st.Protocol = c.ServerInfo()
		st.Protocol = harmless(s.secrets.Text(st.Protocol), maxName)
	}
	if c, ok := s.client.(interface {
		upkeep() (int, *ToolChanges)
	}); ok {
		st.Reconnects, st.Changes = c.upkeep()
	}
	if failure != nil {
		st.Error = harmless(s.secrets.Text(failure.Error()), maxToolErrorText)
	}
	return st
}

package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpbind/mcpbind/internal/drift"
)

// ErrDrift is wrapped by the errors of calls that [DriftRefuse] refuses: the
// live tool is not what the generated package was made from, and the change
// breaks callers.
var ErrDrift = errors.New("the tool has changed since its package was generated")

// A DriftPolicy says what a generated client does about tools that have changed
// since its package was generated.
type DriftPolicy uint8

const (
	// DriftWarn logs changes and shows them in Status; calls go on.
	DriftWarn DriftPolicy = iota
	// DriftRefuse also refuses calls of tools with a change of the grades call or
	// privilege: their error wraps [ErrDrift].
	DriftRefuse
	// DriftIgnore does not look.
	DriftIgnore
)

// WithDrift chooses what a generated client does about changed tools. It takes
// effect where the caller is a [*Registry].
func WithDrift(policy DriftPolicy) BindOption {
	return bindOption(func(b *Binding) { b.watching().policy = policy })
}

// OnDrift has f called for each tool that is found to have changed, once for each
// version of it: when the client is made, or when its server connects or lists
// its tools again. f must not block and may be called from any goroutine.
func OnDrift(f func(ToolDrift)) BindOption {
	return bindOption(func(b *Binding) { b.watching().notify = f })
}

// A ToolDrift is how a live tool differs from what a package was generated from.
// Its texts are safe to print and hold no arguments or results.
type ToolDrift struct {
	Server  string        `json:"server"`
	Tool    string        `json:"tool"`  // wire name
	Grade   string        `json:"grade"` // the worst one: call, privilege, doc or safe
	Changes []DriftChange `json:"changes"`
}

// A DriftChange is one difference. docs/drift.md lists the codes.
type DriftChange struct {
	Grade   string `json:"grade"`
	Pointer string `json:"pointer"` // place in the tool, RFC 6901
	Code    string `json:"code"`
	Message string `json:"message"`
	Before  string `json:"before,omitzero"`
	After   string `json:"after,omitzero"`
}

// breaks reports whether callers break, or may do harm that they could not before.
func (d ToolDrift) breaks() bool {
	return d.Grade == drift.Call.String() || d.Grade == drift.Privilege.String()
}

// maxDriftChanges bounds what is kept of one tool.
const maxDriftChanges = 20

// A watch compares the tools of a binding with the live ones. The registry holds
// it weakly: it lives as long as a client that was made with it.
type watch struct {
	server string
	specs  []ToolSpec
	policy DriftPolicy
	notify func(ToolDrift)

	mu     sync.Mutex                           // held while comparing
	seen   map[string]string                    // tool -> digest of the live one that was compared last
	drifts atomic.Pointer[map[string]ToolDrift] // by tool
}

// refused returns why a call of tool is refused, nil when it is not.
func (w *watch) refused(tool string) error {
	if w == nil || w.policy != DriftRefuse {
		return nil
	}
	if m := w.drifts.Load(); m != nil {
		if d, ok := (*m)[tool]; ok && d.breaks() {
			return fmt.Errorf("%w (%s, %s: %s); regenerate the package, or allow it by WithDrift(DriftWarn)",
				ErrDrift, d.Grade, d.Changes[0].Code, d.Changes[0].Message)
		}
	}
	return nil
}

// compare compares with the tools that the server has now, and returns what is news.
// Schemas are read only where digests differ.
func (w *watch) compare(r *Registry) []driftNews {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Not before: what is compared last must be the newest.
	srv := r.state.Load().servers[w.server]
	if srv == nil || srv.client == nil {
		return nil // not connected: nothing is known about its tools
	}
	if w.seen == nil {
		w.seen = make(map[string]string)
	}
	drifts := make(map[string]ToolDrift)
	if old := w.drifts.Load(); old != nil {
		drifts = *old
	}
	next := make(map[string]ToolDrift)
	var news []driftNews
	for _, spec := range w.specs {
		live := ""
		t := srv.tools[spec.Name]
		if t != nil {
			live = t.digest()
		}
		seen, known := w.seen[spec.Name]
		if t != nil && live == spec.Digest {
			if w.seen[spec.Name] = live; known && seen != live {
				r.drift.settle(w.server, spec)
			}
			continue
		}
		if known && seen == live {
			if d, ok := drifts[spec.Name]; ok {
				next[spec.Name] = d
			}
			continue
		}
		w.seen[spec.Name] = live
		if d, differs := driftOf(srv, spec, t); differs {
			next[spec.Name] = d
			news = append(news, driftNews{d, r.drift.first(w.server, spec, live)})
		}
	}
	w.drifts.Store(&next)
	return news
}

// driftOf grades how t, a tool of srv, differs from spec; a nil t is gone. It
// reports false when both mean the same.
func driftOf(srv *server, spec ToolSpec, t *tool) (ToolDrift, bool) {
	before := []drift.Tool{{
		Name: spec.Name, InputSchema: []byte(spec.InputSchema), OutputSchema: []byte(spec.OutputSchema),
		Annotations: []byte(spec.Annotations),
	}}
	var after []drift.Tool
	if t != nil {
		after = []drift.Tool{{
			Name: spec.Name, InputSchema: asStored(t.InputSchema), OutputSchema: asStored(t.OutputSchema), Annotations: t.Annotations,
		}}
	}
	out := ToolDrift{Server: srv.name, Tool: spec.Name}
	for _, c := range drift.CompareAll(before, after, drift.Options{}) {
		if c.Grade() == drift.Doc {
			continue // the package does not hold the words
		}
		if out.Grade == "" {
			out.Grade = c.Grade().String()
		}
		if len(out.Changes) < maxDriftChanges {
			out.Changes = append(out.Changes, DriftChange{
				Grade: c.Grade().String(), Pointer: harmless(srv.secrets.Text(c.Pointer), maxName), Code: string(c.Code),
				Message: c.Message, Before: srv.secrets.Text(c.Before), After: srv.secrets.Text(c.After),
			})
		}
	}
	return out, len(out.Changes) > 0
}

// asStored returns a schema as a snapshot has it, which stores {} for one that cannot
// be read.
func asStored(raw json.RawMessage) json.RawMessage {
	if v := readSchema(raw); v != nil {
		return v.AppendJSON(nil)
	}
	return nil
}

// digest returns the digest of the live tool, worked out on first use.
func (t *tool) digest() string {
	t.digestOnce.Do(func() { t.digestText = digestOf(t.Tool) })
	return t.digestText
}

// sorted returns the drifts of w by tool.
func (w *watch) sorted() []ToolDrift {
	m := w.drifts.Load()
	if m == nil {
		return nil
	}
	out := make([]ToolDrift, 0, len(*m))
	for _, d := range *m {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b ToolDrift) int { return strings.Compare(a.Tool, b.Tool) })
	return out
}

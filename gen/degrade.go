package gen

import (
	"errors"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// A fault is an error that one tool's schema may be the cause of: what nobody
// thought of when lowering was written.
type fault struct{ error }

func (f fault) Unwrap() error { return f.error }

// degrade attempts to generate in. A tool never costs its server: those with
// which no package comes out are generated without types, and if it is not one
// tool alone, all are.
func degrade(in Input, attempt func(Input) (Output, error)) (Output, error) {
	out, err := attempt(in)
	if !isFault(err) {
		return out, err
	}
	in.untyped = guilty(in, in.Snapshot, attempt)
	if in.Previous != nil { // it has to be lowered, too, for its names
		in.untypedBefore = guilty(in, in.Previous, attempt)
	}
	if len(in.untyped)+len(in.untypedBefore) > 0 {
		out, err = attempt(in)
	}
	if isFault(err) {
		in.untyped = everyTool(in.Snapshot)
		in.untypedBefore = everyTool(in.Previous)
		out, err = attempt(in)
	}
	return out, err
}

// guilty returns the tools of s with which, alone, no package comes out.
func guilty(in Input, s *snapshot.Snapshot, attempt func(Input) (Output, error)) map[string]bool {
	out := make(map[string]bool)
	in.Previous, in.untyped, in.untypedBefore = nil, nil, nil
	for _, t := range s.Tools {
		in.Snapshot = &snapshot.Snapshot{Tools: []snapshot.Tool{t}, Digests: s.Digests}
		if _, err := attempt(in); isFault(err) {
			out[t.Name] = true
		}
	}
	return out
}

func everyTool(s *snapshot.Snapshot) map[string]bool {
	out := make(map[string]bool)
	if s != nil {
		for _, t := range s.Tools {
			out[t.Name] = true
		}
	}
	return out
}

func isFault(err error) bool {
	_, ok := errors.AsType[fault](err)
	return ok
}

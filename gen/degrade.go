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
// which no package comes out are generated without types.
func degrade(in Input, attempt func(Input) (Output, error)) (Output, error) {
	out, err := attempt(in)
	if !isFault(err) {
		return out, err
	}
	in.untyped = make(map[string]bool)
	for _, t := range in.Snapshot.Tools {
		alone := in
		alone.Previous, alone.untyped = nil, nil
		alone.Snapshot = &snapshot.Snapshot{Tools: []snapshot.Tool{t}, Digests: in.Snapshot.Digests}
		if _, err := attempt(alone); isFault(err) {
			in.untyped[t.Name] = true
		}
	}
	if len(in.untyped) == 0 {
		return Output{}, err // only several together do it
	}
	return attempt(in)
}

func isFault(err error) bool {
	_, ok := errors.AsType[fault](err)
	return ok
}

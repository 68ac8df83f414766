package runtime

import "github.com/mcpbind/mcpbind/runtime/codec"

// Nullable is a member that may be absent, null or a value. The zero Nullable is
// absent. Get, IsNull and IsZero tell which.
type Nullable[T any] = codec.Nullable[T]

// Value returns a Nullable that holds v.
func Value[T any](v T) Nullable[T] { return codec.Value(v) }

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] { return codec.Null[T]() }

// Or returns what p points at, or def when p is nil: the value of an optional
// member.
func Or[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

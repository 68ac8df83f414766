package gen

// LowerStable is Generate without printing and checking.
var LowerStable = lowerStable

// Attempt is Generate without a second try, and Degrade is the second try.
var (
	Attempt = attempt
	Degrade = degrade
)

// FaultOf makes an error one that a tool may be the cause of.
func FaultOf(err error) error { return fault{err} }

// TypedBefore tells whether the types of a tool of in.Previous are used for their names.
func TypedBefore(in Input, tool string) bool { return in.Previous != nil && !in.untypedBefore[tool] }

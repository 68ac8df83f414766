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

package gen

// LowerStable is Generate without printing and checking.
var LowerStable = lowerStable

package codec

// ForgetPlans empties the cache, for tests of building plans.
func ForgetPlans() { plans.Clear() }

// KeptMembers returns how many members a decoder has room for, and clears, after a
// text with an object of n.
func KeptMembers(n int) int {
	d := decoder{members: make([]member, n)}
	d.reset()
	return cap(d.members)
}

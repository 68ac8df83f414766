package codec

// ForgetPlans empties the cache, for tests of building plans.
func ForgetPlans() { plans.Clear() }

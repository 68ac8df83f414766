//go:build race

package gen_test

// underRace tells tests that measure time or do much of one thing.
const underRace = true

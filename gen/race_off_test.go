//go:build !race

package gen_test

const underRace = false

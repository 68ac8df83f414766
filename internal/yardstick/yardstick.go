// Package yardstick judges what work costs, on slow and busy machines too.
//
// In: work and a limit on its CPU time. Out: whether it costs more, at the speed
// of the machine that the limits of this project were set on. A fixed piece of work
// tells how fast this one is at the moment, so a slow machine fails no test. Only
// tests import it.
package yardstick

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

// reference is the CPU time of the fixed piece of work on the machine that limits
// were set on, two cores of a shared server, while nobody else used it much.
const reference = 25 * time.Millisecond

// attempts is how often work is tried before it is said to cost too much.
const attempts = 3

// Check runs work, and fails the test if it takes more than limit. See [Measure].
// It returns the CPU time of the last run.
func Check(t testing.TB, limit time.Duration, work func()) time.Duration {
	t.Helper()
	took, excess := Measure(limit, work)
	if excess > 0 {
		t.Errorf("took %v of CPU time, %.1f times its limit of %v on a machine of this speed", took, excess, limit)
	}
	return took
}

// Measure runs work and returns its CPU time, all that the process did meanwhile
// included. Work that took more than limit is tried again, with a look before and
// after at how slow the machine is, which stretches the limit. If it never keeps
// to that, excess is the factor by which the best run broke it, and else 0.
func Measure(limit time.Duration, work func()) (took time.Duration, excess float64) {
	for range attempts {
		took = timed(work)
		if took <= limit {
			return took, 0
		}
		before := Slowness()
		took = timed(work)
		now := float64(took) / float64(limit) / max(before, Slowness())
		if now <= 1 {
			return took, 0
		}
		if excess == 0 || now < excess {
			excess = now
		}
	}
	return took, excess
}

// Slowness returns how many times more CPU time a fixed piece of work takes now
// than on the machine that limits were set on, at least 1.
func Slowness() float64 {
	return max(1, float64(timed(fixedWork))/float64(reference))
}

func timed(work func()) time.Duration {
	start := cpuTime()
	work()
	return cpuTime() - start
}

// fixedWork does what generation and validation do most: it reads JSON, makes
// strings, looks them up and sorts them.
func fixedWork() {
	type record struct {
		Name string
		Tags []string
		Size float64
	}
	records := make(map[string]record)
	for i := range 2000 {
		name := fmt.Sprintf("record-%d", i*7919%2000)
		records[name] = record{name, []string{name, "a tag", "another tag"}, float64(i)}
	}
	for range 3 {
		text, err := json.Marshal(records)
		if err == nil {
			err = json.Unmarshal(text, &records)
		}
		if err != nil {
			panic(err)
		}
		names := make([]string, 0, len(records))
		for name := range records {
			names = append(names, name)
		}
		slices.Sort(names)
	}
}

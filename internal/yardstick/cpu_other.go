//go:build !unix

package yardstick

import "time"

var begin = time.Now()

// cpuTime returns the time that has passed: both what is judged and what it is
// judged by take longer when others are busy.
func cpuTime() time.Duration { return time.Since(begin) }

package yardstick

import (
	"testing"
	"time"
)

func TestMeasure(t *testing.T) {
	if excess := overrun(reference, 4); excess < 2 {
		t.Errorf("4 fixed pieces of work in the time of one are %v times too much", excess)
	}
	if excess := overrun(50*reference, 2); excess != 0 {
		t.Errorf("2 fixed pieces of work in the time of 50 are %v times too much", excess)
	}
}

// overrun measures n pieces of the fixed work.
func overrun(limit time.Duration, n int) float64 {
	_, excess := Measure(limit, func() {
		for range n {
			fixedWork()
		}
	})
	return excess
}

func BenchmarkFixedWork(b *testing.B) {
	start := cpuTime()
	for b.Loop() {
		fixedWork()
	}
	b.ReportMetric(float64(cpuTime()-start)/1e6/float64(b.N), "cpu-ms/op")
}

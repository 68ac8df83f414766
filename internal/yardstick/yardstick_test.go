package yardstick

import (
	"testing"
	"time"
)

func TestMeasure(t *testing.T) {
	if excess := overrun(2*reference, 10); excess < 2 {
		t.Errorf("10 fixed pieces of work in the time of 2 are %v times too much", excess)
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

package runtime

import (
	"sync"
	"time"
)

// Bounds of a feed.
const (
	maxWaiting = 16                     // for a slow callback; then the oldest goes
	feedGrace  = 100 * time.Millisecond // for what waits when the feed ends
)

// A feed hands values to a callback of the caller's, in order and one at a time, in
// a goroutine that exists only while there are any. Nobody waits for the callback.
type feed[T any] struct {
	deliver func(T)
	failed  func(error) // told of a panic

	mu      sync.Mutex
	waiting []T
	idle    chan struct{} // closed when nothing waits or runs any more; nil before that
	ended   bool
}

func (f *feed[T]) push(v T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	if len(f.waiting) == maxWaiting {
		f.waiting = f.waiting[1:]
	}
	f.waiting = append(f.waiting, v)
	if f.idle == nil {
		f.idle = make(chan struct{})
		go f.run(f.idle)
	}
}

func (f *feed[T]) run(idle chan struct{}) {
	for {
		f.mu.Lock()
		if f.ended || len(f.waiting) == 0 {
			f.idle = nil
			f.mu.Unlock()
			close(idle)
			return
		}
		v := f.waiting[0]
		f.waiting = f.waiting[1:]
		f.mu.Unlock()
		if err := withoutPanic(func() error { f.deliver(v); return nil }); err != nil {
			f.failed(err)
		}
	}
}

// end ends the feed: no callback begins once it has returned. What waits, or runs,
// gets a moment first.
func (f *feed[T]) end() {
	f.mu.Lock()
	idle := f.idle
	f.mu.Unlock()
	if idle != nil {
		within(idle, feedGrace)
	}
	f.mu.Lock()
	f.ended, f.waiting = true, nil
	f.mu.Unlock()
}

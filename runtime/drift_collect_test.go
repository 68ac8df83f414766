package runtime

import (
	"runtime"
	"time"
)

// collect runs the garbage collector until weak pointers are cleared.
func collect() {
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

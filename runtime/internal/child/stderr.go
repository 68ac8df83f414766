package child

import (
	"sync"
)

// tailSize is how much of stderr is kept, in bytes. It is more than is shown, so that
// a secret at the cut is still seen whole.
const tailSize = 8 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-tailSize):]...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = append(t.data[:0], t.data[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

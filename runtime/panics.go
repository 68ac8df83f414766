package runtime

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"
)

// panicked describes a recovered panic without the value, which may be anything,
// unless it is an error of the Go runtime.
func panicked(p any) error {
	if err, ok := p.(goruntime.Error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic with a %T", p)
}

// clientPanicked is [panicked] for a client, through which its server cannot be used.
func clientPanicked(p any) error { return fmt.Errorf("%w: %w", ErrServerUnavailable, panicked(p)) }

// withoutPanic calls a function of the caller's and makes an error of a panic.
func withoutPanic(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return f()
}

const sdkPanicked = "a message of the server made the MCP SDK panic"

// guarded calls f and makes an error of a panic, whose stack is logged under what it
// was the first time: a server can cause any number of them.
func guarded[T any](e *endpoint, what string, f func() (T, error)) (result T, err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err = panicked(p)
		if _, logged := e.panics.LoadOrStore(what, true); !logged {
			e.logger.Error(what, "stack", string(debug.Stack()))
		}
	}()
	return f()
}

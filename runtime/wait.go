package runtime

import (
	"context"
	"fmt"
	"time"
)

// limited bounds what the configuration bounds: the error of ctx's end says what there
// was not by then, and which setting raises the limit.
func limited(ctx context.Context, timeout time.Duration, what string, hint error) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w: %s after %v (%w)", ErrTimeout, what, timeout, hint))
}

// within waits for the end of done, for d at the most, and reports whether it came.
func within(done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// pause waits for d and reports whether ctx lasted that long.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// waitFor waits for d unless ctx does not last that long.
func waitFor(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		return true
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	return pause(ctx, d)
}

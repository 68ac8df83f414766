package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A wait that the caller's deadline cuts short is not begun: what there is to say is
// said at once.
func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			lasts time.Duration // of the caller; 0: gone, -1: for ever
			wait  time.Duration
			ok    bool
			takes time.Duration
		}{
			"no wait":              {0, 0, true, 0},
			"within the deadline":  {time.Minute, time.Second, true, time.Second},
			"beyond it":            {time.Minute, time.Minute, false, 0},
			"without one":          {-1, time.Hour, true, time.Hour},
			"of a caller who left": {0, time.Second, false, 0},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			if c.lasts >= 0 {
				ctx, cancel = context.WithTimeout(t.Context(), c.lasts)
			}
			begin := time.Now()
			if ok := waitFor(ctx, c.wait); ok != c.ok || time.Since(begin) != c.takes {
				t.Errorf("%s: %v after %v", name, ok, time.Since(begin))
			}
			cancel()
		}
	})
}

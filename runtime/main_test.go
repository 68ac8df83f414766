package runtime

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The clock of regexp2's time limit is one goroutine for all patterns, which
	// ends by itself when none has been matched for a while.
	code := m.Run()
	if err := leaks(goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock")); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// leaks waits for goroutines to end: goleak alone waits for half a second.
func leaks(opts ...goleak.Option) (err error) {
	for begin := time.Now(); time.Since(begin) < plenty; {
		if err = goleak.Find(opts...); err == nil {
			return nil
		}
	}
	return err
}

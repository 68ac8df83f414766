package validate_test

import (
	"os"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	code := m.Run()
	// The backtracking engine's clock runs on for a second after the last match;
	// then it ends by itself.
	regexp2.StopTimeoutClock()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			code = 1
		}
	}
	os.Exit(code)
}

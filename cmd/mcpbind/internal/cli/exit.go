package cli

import "errors"

// Exit codes. Where several apply, the order is 130, 1, 2.
const (
	exitOK          = 0
	exitNo          = 1   // the answer is no: stale, or the tool failed
	exitNoAnswer    = 2   // usage, configuration, unreachable, internal
	exitInterrupted = 130 // as a shell says it of SIGINT
)

var errInterrupted = errors.New("interrupted")

// A reported error decides the exit code and has nothing left to say.
type reported struct{ code int }

func (reported) Error() string { return "" }

func exitCode(err error) int {
	var r reported
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &r):
		return r.code
	default:
		return exitNoAnswer
	}
}

package cli

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mcpbind/mcpbind/runtime"
)

// Exit codes. Where several apply, the order is 130, 1, 4, 2.
const (
	exitOK          = 0
	exitNo          = 1   // the answer is no: stale, drift, or a tool that failed
	exitNoAnswer    = 2   // usage, configuration, unreachable, internal
	exitAuth        = 4   // a server wants credentials
	exitInterrupted = 130 // as a shell says it of SIGINT
)

var errInterrupted = errors.New("interrupted")

// A reported error decides the exit code and has nothing left to say.
type reported struct{ code int }

func (reported) Error() string { return "" }

// survive makes err of a panic, a bug of ours: it costs one server, not the run. Defer it.
func (a *app) survive(err *error) {
	p := recover()
	if p == nil {
		return
	}
	*err = fmt.Errorf("internal error, please report it: %v", p)
	if a.verbose {
		*err = fmt.Errorf("%w\n%s", *err, debug.Stack())
	}
}

func exitCode(err error) int {
	var r reported
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &r):
		return r.code
	case errors.Is(err, runtime.ErrAuthRequired):
		return exitAuth
	default:
		return exitNoAnswer
	}
}

// worst is the exit code of a run over several servers, of which failures are the
// errors, nil ones included.
func worst(failures []error) int {
	code := exitOK
	for _, err := range failures {
		switch {
		case err == nil:
		case exitCode(err) == exitAuth:
			return exitAuth
		default:
			code = exitNoAnswer
		}
	}
	return code
}

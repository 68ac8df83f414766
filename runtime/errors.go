package runtime

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// Sentinels, for use with [errors.Is]. Every error of a call that is no
// [*ToolError] is a [*CallError] that wraps at most one of them; ErrFateUnknown and
// those that begin with ErrCheck stand beside it where they apply.
var (
	// ErrUnknownTool: no such tool is registered, or its server does not have it.
	ErrUnknownTool = errors.New("unknown tool")
	// ErrNotConnected: the server's client was never connected, or was closed.
	ErrNotConnected = errors.New("not connected (call Connect first)")
	// ErrServerUnavailable: the connection failed or broke; connecting again may help.
	ErrServerUnavailable = errors.New("server unavailable")
	// ErrCollision: the server connected, but was refused and closed, since another
	// one holds a tool name of it (see [CollideFail]). Connecting again does not help.
	ErrCollision = errors.New("tool names are taken")
	// ErrTimeout: the server did not answer in time.
	ErrTimeout = errors.New("timeout")
	// ErrInvalidArguments: the arguments were not sent, for they are no JSON
	// object or break the tool's inputSchema.
	ErrInvalidArguments = errors.New("invalid arguments")
	// ErrInvalidResult: the result breaks the tool's outputSchema (only where
	// results are validated).
	ErrInvalidResult = errors.New("invalid result")
	// ErrFateUnknown: the call may have been sent, and no usable answer came. The
	// tool may have run, may run later, or may never have heard of it. Without it,
	// a call that failed in or before [PhaseCall] was not carried out, unless the
	// server itself answered with an error.
	ErrFateUnknown = errors.New("whether the tool ran is not known")
	// ErrDecode: the result does not fit the Go type it is read into.
	ErrDecode = errors.New("cannot decode result")
	// ErrCheckURL, ErrCheckHeaders, ErrCheckAuth and ErrCheckCommand: what came back suggests
	// that this setting of the server is wrong. Their texts stand in the error's, so that
	// whoever knows where the setting was made can say it in place of them.
	ErrCheckURL     = wire.ErrCheckURL
	ErrCheckHeaders = wire.ErrCheckHeaders
	ErrCheckAuth    = wire.ErrCheckAuth
	ErrCheckCommand = errors.New("check the server's command")
	// ErrCheckTimeout and ErrCheckCallTimeout: this setting of the server ended the
	// wait, not the caller's context.
	ErrCheckTimeout     = errors.New("the server's timeout raises the limit")
	ErrCheckCallTimeout = errors.New("the server's call_timeout raises the limit")
)

// Phase is the part of a call that failed.
type Phase string

// Phases of a call, in order.
const (
	PhaseRoute    Phase = "route"            // finding the tool and its client
	PhaseEncode   Phase = "encode arguments" // Go value to JSON
	PhaseValidate Phase = "check arguments"  // against inputSchema
	PhaseCall     Phase = "call"             // request and response
	PhaseResult   Phase = "check result"     // against outputSchema
	PhaseDecode   Phase = "decode result"    // JSON to Go value
)

// A CallError is a call that got no usable answer, or, without a Tool, a server
// that could not be connected, listed or closed. Arguments left this process only
// from [PhaseCall] on, and their values are never in the text.
type CallError struct {
	Server string // configured name; "" when the tool was named by its registered name and is unknown
	Tool   string // wire name, or the registered name asked for
	Phase  Phase
	Err    error
}

func (e *CallError) Error() string {
	var b strings.Builder
	if e.Server != "" {
		fmt.Fprintf(&b, "server %s: ", quoted(e.Server))
	}
	if e.Tool != "" {
		fmt.Fprintf(&b, "tool %s: ", quoted(e.Tool))
	}
	fmt.Fprintf(&b, "%s: %v", e.Phase, e.Err)
	return b.String()
}

func (e *CallError) Unwrap() error { return e.Err }

// A ToolError is a tool that ran and said no: its result has IsError set.
type ToolError struct {
	Server string // configured name
	Tool   string // wire name
	Result *CallResult
}

// maxToolErrorText bounds the server text in an error, in runes.
const maxToolErrorText = 500

// Error gives the start of the server's own words on one harmless line; the
// whole text is in e.Result.
func (e *ToolError) Error() string {
	said := "it gave no reason"
	if e.Result != nil && strings.TrimSpace(e.Result.Text) != "" {
		said = e.Result.safe(e.Result.Text, maxToolErrorText)
	}
	return fmt.Sprintf("server %s: tool %s failed: %s", quoted(e.Server), quoted(e.Tool), said)
}

// maxName bounds a name of the server's choosing in an error, in bytes.
const maxName = 100

// quoted returns a name as errors show it: quoted, bounded, harmless to print.
func quoted(name string) string {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	return safetext.Line(strconv.Quote(name))
}

// harmless returns text of a server as one line that is fit to be printed, of n
// runes at the most.
func harmless(text string, n int) string {
	if longest := 4 * n; len(text) > longest { // spares the rest of a huge text
		text = text[:longest]
	}
	return safetext.LineN(text, n)
}

// A plainError has a text of its own and wraps errors whose texts are not fit to
// be printed, because they may hold text of the server.
type plainError struct {
	text  string
	wraps []error
}

func (e *plainError) Error() string   { return e.text }
func (e *plainError) Unwrap() []error { return e.wraps }

// inPhase returns err as the error of one call. A *CallError about the same call
// is returned as it is: whoever was closer to the fault knows better.
func inPhase(server, tool string, phase Phase, err error) error {
	if known, ok := errors.AsType[*CallError](err); ok && known.Server == server && known.Tool == tool {
		return err
	}
	return &CallError{Server: server, Tool: tool, Phase: phase, Err: asTimeout(err)}
}

// asTimeout returns err, as an [ErrTimeout] when a deadline caused it.
func asTimeout(err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrTimeout) {
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return err
}

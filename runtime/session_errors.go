package runtime

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// Phases of a client outside calls.
const (
	PhaseConnect Phase = "connect"
	PhaseList    Phase = "list tools"
	PhaseClose   Phase = "close"
)

// fault is err as the error of this server: its text holds no secret and is fit to
// be printed.
func (e *endpoint) fault(tool string, phase Phase, err error) error {
	return &CallError{Server: e.cfg.Name, Tool: tool, Phase: phase, Err: asAuthRequired(e.clean(err))}
}

const (
	// maxServerText bounds what an error shows of a server's stderr, in bytes.
	maxServerText = 4 << 10
	// maxFaultText bounds an error, with that in it.
	maxFaultText = maxServerText + 2<<10
)

// clean returns err without secrets, control characters and URLs. What it wraps
// stays reachable, as far as it does not hold server text.
func (e *endpoint) clean(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the rest of it is the URL, and what the SDK says about sending
	}
	if rpc, ok := errors.AsType[*jsonrpc.Error](err); ok && !ofSDK(rpc) {
		told := e.answered(rpc)
		told.wraps = append(sentinels(err), told.wraps...)
		return told
	}
	dial, isNet := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, ErrCheckURL): // it was here before
	case errors.As(err, new(*net.DNSError)), errors.As(err, new(tls.RecordHeaderError)), errors.Is(err, http.ErrSchemeMismatch):
		err = fmt.Errorf("%w (%w)", err, ErrCheckURL)
	case isNet && dial.Op == "dial":
		err = fmt.Errorf("%w (%w, and that the server runs)", err, ErrCheckURL)
	}
	text := harmless(e.secrets.Text(err.Error()), maxFaultText)
	if text == err.Error() {
		return err
	}
	return &plainError{text, sentinels(err)}
}

// answered is the error of a server that answered with one.
func (e *endpoint) answered(rpc *jsonrpc.Error) *plainError {
	kept := *rpc
	kept.Data = nil // server text of any kind and length
	kept.Message = harmless(e.secrets.Text(rpc.Message), maxToolErrorText)
	return &plainError{fmt.Sprintf("the server answered with error %d: %s", kept.Code, kept.Message), []error{&kept}}
}

// sentinels are the errors in err's tree that callers may ask for.
func sentinels(err error) []error {
	var found []error
	for _, known := range []error{
		ErrCheckURL, ErrCheckHeaders, ErrCheckAuth, ErrCheckCommand, ErrCheckTimeout, ErrCheckCallTimeout,
		ErrAuthRequired, ErrUnknownTool, ErrNotConnected, ErrServerUnavailable, ErrTimeout, ErrInvalidArguments, ErrFateUnknown,
		context.DeadlineExceeded, context.Canceled,
	} {
		if errors.Is(err, known) {
			found = append(found, known)
		}
	}
	if status, ok := errors.AsType[*wire.StatusError](err); ok {
		found = append(found, status)
	}
	return found
}

// A callersError is what a function of the caller's came back with. It can be asked
// for with [errors.Is] and no more: what it wraps, another server's answer or a
// failed connection elsewhere, says nothing about this server.
type callersError struct {
	text string
	err  error
}

func (e *callersError) Error() string { return e.text }

// Is implements what [errors.Is] asks for. Errors that this package judges a
// connection by are not found.
func (e *callersError) Is(target error) bool {
	return !slices.Contains(judgedBy, target) && errors.Is(e.err, target)
}

// judgedBy are errors that say something about a server, where they are its own.
var judgedBy = []error{
	ErrCheckURL, ErrCheckHeaders, ErrCheckAuth, ErrCheckCommand, ErrCheckTimeout, ErrCheckCallTimeout,
	ErrAuthRequired, ErrUnknownTool, ErrNotConnected, ErrServerUnavailable,
	ErrCollision, ErrTimeout, ErrInvalidArguments, ErrInvalidResult, ErrFateUnknown, ErrDecode, ErrDrift,
	errClosed, errReconnected, errNoPong, errNoAnswer, errLoginNeeded, errNotRefreshed,
	wire.ErrTooLarge, wire.ErrNotJSON, wire.ErrNotMCP, wire.ErrNoResponse, wire.ErrWrongID, wire.ErrRedirect, wire.ErrSlowHeaders,
	wire.ErrStalled, wire.ErrFlood, wire.ErrSessionLost, wire.ErrClosed, wire.ErrUnauthorized,
	http.ErrSchemeMismatch,
}

// ofSDK reports whether a JSON-RPC error is the SDK's own, about the connection,
// or ours about an answer. The type is the same as for a server's.
func ofSDK(e *jsonrpc.Error) bool {
	return e.Code >= -32005 && e.Code <= -32003 || e.Code == -32001 || e.Code == wire.CodeBadAnswer
}

// reason finds out why a call failed. What the wire saw counts for more than what
// the SDK made of it.
func (s *session) reason(ctx context.Context, slot *wire.Slot, err error) error {
	if rpc := slot.RPCError(); rpc != nil {
		return s.e.answered(rpc)
	}
	if ctx.Err() != nil {
		return timedOut(ctx)
	}
	if fault := slot.Err(); fault != nil {
		if errors.Is(fault, wire.ErrSessionLost) || errors.Is(fault, wire.ErrClosed) {
			return unavailable(fault)
		}
		if errors.Is(fault, wire.ErrStalled) {
			return fmt.Errorf("%w: %w", ErrTimeout, fault)
		}
		return fault
	}
	if cause := context.Cause(s.ctx); cause != nil {
		if errors.Is(cause, errClosed) || errors.Is(cause, errReconnected) {
			return fmt.Errorf("%w: %w during the call", ErrNotConnected, cause)
		}
		return unavailable(cause)
	}
	if errors.Is(err, wire.ErrSlowHeaders) {
		return fmt.Errorf("%w: %w", ErrTimeout, wire.ErrSlowHeaders)
	}
	return unavailable(s.link.explain(err))
}

// unavailable marks err as the fault of the connection.
func unavailable(err error) error {
	if errors.Is(err, ErrServerUnavailable) {
		return err
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if rpc, ok := errors.AsType[*jsonrpc.Error](err); ok && ofSDK(rpc) {
		// Wrapping it would make a local failure look like the server's error.
		return &plainError{fmt.Sprintf("%v: %v", ErrServerUnavailable, err), append(sentinels(err), ErrServerUnavailable)}
	}
	return fmt.Errorf("%w: %w", ErrServerUnavailable, err)
}

// timedOut is the error of a context that is done.
func timedOut(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, ErrTimeout) || errors.Is(cause, errClosed) {
		return cause
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded) && cause != nil && !errors.Is(cause, err):
		return fmt.Errorf("%w: %w: %w", ErrTimeout, err, cause)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	case cause != nil && !errors.Is(cause, err):
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// innermost is the error inside a CallError of this server, whose name need not be
// said twice.
func innermost(err error) error {
	if call, ok := errors.AsType[*CallError](err); ok {
		return call.Err
	}
	return err
}

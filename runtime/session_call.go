package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// A fate is what became of a call that failed.
type fate uint8

const (
	fateAnswered fate = iota // the server answered it, or refused it
	fateUnsent               // the server surely did not take it up
	fateBusy                 // the server did not take it up and asked for time
	fateUnknown              // it may have run, may yet run, or may never have arrived
)

// callTool calls one tool, or goes on with a call that failed in the middle. The
// fate is that of a call with an error.
func (s *session) callTool(ctx context.Context, d *dialogue) (result *CallResult, f fate, err error) {
	s.calls.Add(1)
	defer s.calls.Add(-1)
	call, finish := s.enter(ctx)
	defer finish()
	call, span := s.startCall(call, d.tool)
	defer func() { span.End(measurable(err), result != nil && result.IsError) }()
	raw, f, err := s.rounds(call, d, func(params *mcp.CallToolParams) (json.RawMessage, fate, error) {
		return s.request(ctx, call, params, d.arguments)
	})
	if err != nil {
		return nil, f, err
	}
	result, err = newCallResult(raw, s.e.secrets)
	return result, fateUnknown, err
}

// request sends one request of a call, whose context is call, and returns its raw
// result.
func (s *session) request(ctx, call context.Context, params *mcp.CallToolParams, arguments json.RawMessage) (json.RawMessage, fate, error) {
	slot := &wire.Slot{ParamHeaders: s.paramHeaders(call, params.Name, arguments)}
	defer slot.Release()
	askProgress(call, params)
	res, err := guarded(s.e, sdkPanicked, func() (*mcp.CallToolResult, error) {
		return s.sdk.CallTool(wire.WithSlot(call, slot), params)
	})
	if err != nil {
		f, err := fateOf(slot), s.reason(ctx, slot, err)
		if f == fateUnsent {
			s.suspect(ctx, slot.Unsent())
		}
		return nil, f, err
	}
	s.answered.Store(true)
	raw := slot.Result()
	if raw == nil { // nobody saw the bytes: the SDK's reading of them has to do
		if raw, err = json.Marshal(res); err != nil {
			return nil, fateUnknown, fmt.Errorf("reading the result: %w", err)
		}
	}
	return raw, fateAnswered, nil
}

// fateOf tells the fate of a call that failed from what the wire saw.
func fateOf(slot *wire.Slot) fate {
	if slot.RPCError() != nil || errors.Is(slot.Err(), wire.ErrUnauthorized) {
		return fateAnswered
	}
	if status, ok := errors.AsType[*wire.StatusError](slot.Err()); ok && status.Status < http.StatusInternalServerError && !errors.Is(slot.Err(), wire.ErrNoResponse) {
		if status.Status == http.StatusTooManyRequests {
			return fateBusy
		}
		return fateAnswered
	}
	switch reason := slot.Unsent(); {
	case errors.Is(reason, wire.ErrRedirect):
		return fateAnswered
	case reason != nil:
		return fateUnsent
	}
	return fateUnknown
}

// dying is how long the end of a session may take to be noticed.
const dying = 400 * time.Millisecond

// suspect ends the session where the reason for which a call was not sent says that
// there is no such session, or nobody to hold one. For any other reason it gives the
// session a moment to end, so that the call is not made again on a dying one.
func (s *session) suspect(ctx context.Context, reason error) {
	if errors.Is(reason, wire.ErrSessionLost) || unreachable(reason) {
		s.e.lost(s, reason)
		s.cancel(reason)
		return
	}
	timer := time.NewTimer(dying)
	defer timer.Stop()
	select {
	case <-s.ctx.Done():
	case <-ctx.Done():
	case <-timer.C:
	}
}

// unreachable reports whether nobody listens where the server should be. A local
// lack, of descriptors say, is another matter.
func unreachable(err error) bool {
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return name.IsNotFound
	}
	dial, ok := errors.AsType[*net.OpError](err)
	call, known := errors.AsType[*os.SyscallError](err)
	return ok && dial.Op == "dial" && known && strings.HasPrefix(call.Syscall, "connect")
}

const (
	// maxRetryAfter bounds how long a call waits because the server asks for it.
	maxRetryAfter = 10 * time.Second
	// defaultRetryAfter is for a server that does not say how long.
	defaultRetryAfter = time.Second
)

// A second chance is what a call has of being sent again.
type secondChance struct {
	unsent, busy, unknown bool
}

// take reports whether a call that met the fate f with err may be sent again, and
// after what time. Each fate is forgiven once, an unknown one only where the caller
// says that running the tool twice does no harm.
func (c *secondChance) take(f fate, err error) (time.Duration, bool) {
	switch f {
	case fateUnsent:
		ok := c.unsent
		c.unsent = false
		return 0, ok
	case fateUnknown:
		ok := c.unknown && repairable(err)
		c.unknown = false
		return 0, ok
	case fateBusy:
		pause := defaultRetryAfter
		if status, ok := errors.AsType[*wire.StatusError](err); ok && status.RetryAfter > 0 {
			pause = status.RetryAfter
		}
		ok := c.busy && pause <= maxRetryAfter
		c.busy = false
		return pause, ok
	}
	return 0, false
}

// repairable reports whether the answer might be better next time: the connection
// broke. A server that sends nonsense will send it again.
func repairable(err error) bool {
	for _, nonsense := range []error{wire.ErrTooLarge, wire.ErrNotJSON, wire.ErrNotMCP, wire.ErrWrongID, wire.ErrFlood, errBadResult, errHalfAsked, errTooManyBlocks} {
		if errors.Is(err, nonsense) {
			return false
		}
	}
	return true
}

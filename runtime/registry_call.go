package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/redact"
)

// CallTool routes a call to the server that owns the tool and returns what it
// answered. With call.Server set, call.Name is the server's own name of the
// tool, else a registered name. Arguments, and results where that is asked for,
// are checked against the tool's schemas; a schema that cannot be checked within
// bounds is not, which is logged once per tool.
//
// A result with IsError set is not an error here: the typed calls make it a
// [*ToolError]. Every error is a [*CallError]. One that wraps [ErrInvalidResult]
// comes with the result.
func (r *Registry) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	srv, t, err := r.state.Load().route(call)
	if err != nil && r.listAgain(ctx, call) {
		srv, t, err = r.state.Load().route(call)
	}
	if err != nil {
		return nil, &CallError{Server: call.Server, Tool: call.Name, Phase: PhaseRoute, Err: err}
	}
	fail := func(phase Phase, err error) error {
		return inPhase(srv.name, t.WireName, phase, redacted(err, srv.secrets))
	}
	arguments, err := objectArguments(call.Arguments)
	if err == nil {
		err = r.checkArguments(ctx, srv, t, arguments)
	}
	if err != nil {
		return nil, fail(PhaseValidate, err)
	}
	if srv.client == nil {
		return nil, fail(PhaseRoute, srv.unusable())
	}
	call.Server, call.Name, call.Arguments = srv.name, t.WireName, arguments
	res, err := r.invoke(ctx, srv, call)
	if err != nil {
		return nil, fail(PhaseCall, err)
	}
	if err := r.checkResult(ctx, srv, t, res); err != nil {
		return res, fail(PhaseResult, err)
	}
	return res, nil
}

// Faults for which the text of ErrNotConnected gives the wrong advice.
var (
	errAfterClose = &plainError{"not connected: the registry is closed", []error{ErrNotConnected, errRegistryClosed}}
	errNoServer   = &plainError{"not connected: no such server is registered; connect it with ConnectAll, or bind the client to another one with OnServer", []error{ErrNotConnected}}
	errNoCaller   = &plainError{"not connected: the client was made with a nil Caller; give it a *Registry", []error{ErrNotConnected}}
)

// route finds the tool that a call means. The server may be without a client.
func (v *view) route(call ToolCall) (*server, *tool, error) {
	if call.Server == "" {
		t, ok := v.flat[call.Name]
		if !ok {
			return nil, nil, v.unknown(call.Name)
		}
		return v.servers[t.Server], t, nil
	}
	srv, ok := v.servers[call.Server]
	switch {
	case v.closed:
		return nil, nil, errAfterClose
	case !ok:
		return nil, nil, errNoServer
	}
	t, ok := srv.tools[call.Name]
	switch {
	case ok:
		return srv, t, nil
	case srv.client == nil:
		return nil, nil, srv.unusable()
	case !srv.gone[call.Name].IsZero():
		return nil, nil, noLongerListed(srv.gone[call.Name])
	}
	return nil, nil, fmt.Errorf("%w: the server does not list it (Registry.Tools has what it lists); if the server changed, generate again", ErrUnknownTool)
}

// unknown is the error for a registered name that does not exist.
func (v *view) unknown(name string) error {
	if v.closed {
		return errAfterClose
	}
	var offer, failed []string
	for server, s := range v.servers {
		if _, ok := s.tools[name]; ok {
			offer = append(offer, quoted(server))
		}
		if s.failure != nil {
			failed = append(failed, quoted(server))
		}
	}
	switch {
	case len(offer) > 0:
		return fmt.Errorf("%w: its name is taken; name its server in the call: %s", ErrUnknownTool, few(offer))
	case len(failed) > 0:
		return fmt.Errorf("%w: Registry.Tools lists what there is; it may belong to a server that failed: %s", ErrUnknownTool, few(failed))
	}
	return fmt.Errorf("%w: Registry.Tools lists what there is", ErrUnknownTool)
}

// few lists the first names of a set.
func few(names []string) string {
	slices.Sort(names)
	if more := len(names) - 3; more > 0 {
		names = append(names[:3], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// unusable is the error of every call to a server without a client.
func (s *server) unusable() error {
	told := s.failure
	if told == nil {
		return ErrNotConnected
	}
	if errors.Is(told, ErrCollision) {
		text := strings.TrimPrefix(told.Error(), "server "+quoted(s.name)+": ")
		return &plainError{s.secrets.Text(text), []error{ErrCollision}}
	}
	if call, ok := errors.AsType[*CallError](told); ok { // the server need not be named twice
		told = fmt.Errorf("%s: %w", call.Phase, call.Err)
	}
	// The failure is told, not wrapped: a call that finds a server down has not
	// itself run into the timeout that took the server down.
	return fmt.Errorf("%w: %s", ErrServerUnavailable, s.secrets.Text(told.Error()))
}

// objectArguments returns the arguments to send: {} for none.
func objectArguments(raw json.RawMessage) (json.RawMessage, error) {
	text := bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(text) == 0:
		return json.RawMessage("{}"), nil
	case !json.Valid(raw):
		return nil, fmt.Errorf("%w: not JSON", ErrInvalidArguments)
	case text[0] != '{':
		return nil, fmt.Errorf("%w: not a JSON object", ErrInvalidArguments)
	}
	return raw, nil
}

// invoke calls the client and makes an error of whatever is no answer.
func (r *Registry) invoke(ctx context.Context, srv *server, call ToolCall) (res *CallResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.logger(srv.name).Error("the client panicked", "tool", harmless(call.Name, maxName), "stack", string(debug.Stack()))
			res, err = nil, clientPanicked(p)
		}
	}()
	res, err = srv.client.CallTool(ctx, call)
	switch {
	case err != nil:
		return nil, err
	case res == nil:
		return nil, fmt.Errorf("%w: the client returned neither result nor error", ErrServerUnavailable)
	case srv.secrets != nil && res.secrets == nil:
		own := *res // the client may have kept res
		own.secrets = srv.secrets
		res = &own
	}
	return res, nil
}

// redacted returns err, its text without secrets.
func redacted(err error, secrets *redact.Redactor) error {
	if text := err.Error(); secrets.Found(text) {
		return &plainError{secrets.Text(text), []error{err}}
	}
	return err
}

// safe returns text that may hold words of a server as logs show it.
func (r *Registry) safe(server, text string) string {
	if s := r.state.Load().servers[server]; s != nil {
		text = s.secrets.Text(text)
	}
	return harmless(text, maxToolErrorText)
}

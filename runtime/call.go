package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// A CallOption changes one call.
type CallOption interface{ applyCall(*callOptions) }

type callOptions struct {
	result   *CallResult
	progress func(Progress)
	idle     time.Duration
}

type callOption func(*callOptions)

func (f callOption) applyCall(o *callOptions) { f(o) }

// WithResult stores the whole result of the call in res, also when the call
// returns a [*ToolError] or the result cannot be decoded. Without a result, res
// is set to zero.
func WithResult(res *CallResult) CallOption {
	return callOption(func(o *callOptions) { o.result = res })
}

// Call calls a tool with the arguments in and returns its result as an Out.
// Generated methods are made of it. A tool that says no is a [*ToolError]; every
// other error is a [*CallError]. No time limit is set but that of ctx.
func Call[Out any](ctx context.Context, b Binding, spec ToolSpec, in any, opts ...CallOption) (*Out, error) {
	out := new(Out)
	if _, err := b.call(ctx, spec, in, out, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// CallUntyped is [Call] for a tool without outputSchema: it returns the result as
// the server sent it. The result may be read into a type with
// [CallResult.Decode].
func CallUntyped(ctx context.Context, b Binding, spec ToolSpec, in any, opts ...CallOption) (*CallResult, error) {
	return b.call(ctx, spec, in, nil, opts)
}

// call is Call without type parameters: what is generic is compiled once per
// tool. A nil out leaves the result undecoded.
func (b Binding) call(ctx context.Context, spec ToolSpec, in, out any, opts []CallOption) (*CallResult, error) {
	var o callOptions
	for _, opt := range opts {
		if opt != nil {
			opt.applyCall(&o)
		}
	}
	res, err := b.send(ctx, spec, in, o)
	if o.result != nil {
		*o.result = CallResult{}
		if res != nil {
			*o.result = *res
		}
	}
	if err != nil {
		return nil, err
	}
	if res.IsError {
		return nil, &ToolError{Server: b.server, Tool: spec.Name, Result: res}
	}
	if out != nil {
		if err := res.Decode(out); err != nil {
			return nil, &CallError{Server: b.server, Tool: spec.Name, Phase: PhaseDecode, Err: err}
		}
	}
	return res, nil
}

// send encodes in and calls the tool. The result may come with an error.
func (b Binding) send(ctx context.Context, spec ToolSpec, in any, o callOptions) (*CallResult, error) {
	if b.caller == nil {
		return nil, &CallError{Server: b.server, Tool: spec.Name, Phase: PhaseRoute, Err: errNoCaller}
	}
	if err := b.watch.refused(spec.Name); err != nil {
		return nil, &CallError{Server: b.server, Tool: spec.Name, Phase: PhaseRoute, Err: err}
	}
	arguments, err := encode(in)
	if err != nil {
		return nil, &CallError{Server: b.server, Tool: spec.Name, Phase: PhaseEncode, Err: err}
	}
	res, err := b.caller.CallTool(ctx, ToolCall{
		Server: b.server, Name: spec.Name, Arguments: arguments,
		Repeatable: spec.ReadOnly || spec.Idempotent, Progress: o.progress, ProgressTimeout: o.idle,
	})
	if err == nil && res == nil {
		err = errors.New("the caller returned neither result nor error")
	}
	if err != nil {
		err = inPhase(b.server, spec.Name, PhaseCall, err)
	}
	return res, err
}

// encode returns in as the arguments of a call. Raw JSON is passed on.
func encode(in any) (json.RawMessage, error) {
	switch in := in.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return in, nil
	}
	return codec.Marshal(in)
}

package runtime

import (
	"context"
	"fmt"
)

// ListTools lists the tools of the connected server.
func (e *endpoint) ListTools(ctx context.Context) ([]Tool, error) {
	s, err := e.ready()
	if err != nil {
		return nil, e.fault("", PhaseList, err)
	}
	timeout := e.o.timeoutFor(e.cfg)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("%w: no list after %v", ErrTimeout, timeout))
	defer cancel()
	tools, err := s.listTools(ctx)
	if err != nil {
		return nil, e.fault("", PhaseList, err)
	}
	return tools, nil
}

// CallTool calls a tool of the connected server by its wire name.
func (e *endpoint) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	s, err := e.ready()
	if err != nil {
		return nil, e.fault(call.Name, PhaseCall, err)
	}
	arguments, err := objectArguments(call.Arguments)
	if err != nil {
		return nil, e.fault(call.Name, PhaseValidate, err)
	}
	res, err := s.callTool(ctx, call.Name, arguments)
	if err != nil {
		return nil, e.fault(call.Name, PhaseCall, err)
	}
	return res, nil
}

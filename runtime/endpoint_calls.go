package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ListTools lists the tools of the connected server. A connection that is down is
// brought back first, and so is one that turns out to be: a list does no harm twice.
func (e *endpoint) ListTools(ctx context.Context) ([]Tool, error) {
	timeout := e.o.timeoutFor(e.cfg)
	ctx, cancel := limited(ctx, timeout, "no list", ErrCheckTimeout)
	defer cancel()
	for again := true; ; again = false {
		s, err := e.session(ctx)
		if err != nil {
			return nil, e.fault("", PhaseList, err)
		}
		list := e.beginList()
		tools, err := s.listTools(ctx)
		if err == nil {
			if !e.o.reconnect.Off || e.o.watch != nil {
				e.note(list, tools)
			}
			return tools, nil
		}
		if !again || !errors.Is(err, ErrServerUnavailable) || ctx.Err() != nil {
			return nil, e.fault("", PhaseList, err)
		}
	}
}

// CallTool calls a tool of the connected server by its wire name.
func (e *endpoint) CallTool(ctx context.Context, call ToolCall) (*CallResult, error) {
	arguments, err := objectArguments(call.Arguments)
	if err != nil {
		return nil, e.fault(call.Name, PhaseValidate, err)
	}
	if timeout := e.o.callTimeoutFor(e.cfg); timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = limited(ctx, timeout, "no answer", ErrCheckCallTimeout)
		defer cancel()
	}
	ctx, end := e.follow(ctx, call)
	defer end()
	chance := secondChance{unsent: true, busy: true, unknown: call.Repeatable}
	d := &dialogue{tool: call.Name, arguments: arguments}
	doubt := false // it may have run already
	failed := func(err error) error {
		if doubt {
			err = fmt.Errorf("%w (%w)", err, ErrFateUnknown)
		}
		return e.fault(call.Name, PhaseCall, err)
	}
	for {
		s, err := e.session(ctx)
		if err == nil {
			err = e.stillThere(ctx, call.Name)
		}
		if err != nil {
			return nil, failed(err)
		}
		res, f, err := s.callTool(ctx, d)
		if err == nil {
			return res, nil
		}
		doubt = doubt || f == fateUnknown
		if delay, again := chance.take(f, err); again && ctx.Err() == nil && !ours(err) && waitFor(ctx, delay) {
			e.logger.Debug("the call is made again", "tool", harmless(e.secrets.Text(call.Name), maxName), "error", e.clean(err))
			continue
		}
		return nil, failed(err)
	}
}

// ours reports whether a call failed because this side closed the connection.
func ours(err error) bool { return errors.Is(err, errClosed) }

// stillThere is the error of a call to a tool that the server stopped listing.
func (e *endpoint) stillThere(ctx context.Context, tool string) error {
	err := e.listed(tool)
	if err != nil {
		e.listAgain(ctx)
		err = e.listed(tool)
	}
	return err
}

func (e *endpoint) listed(tool string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	since, gone := e.gone[tool]
	if !gone {
		return nil
	}
	return noLongerListed(since)
}

// noLongerListed is the error of a call to a tool that a server took back.
func noLongerListed(since time.Time) error {
	return fmt.Errorf("%w: the server listed it once, but has not since %s; generate again", ErrUnknownTool, since.UTC().Format(time.RFC3339))
}

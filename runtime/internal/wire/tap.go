package wire

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Tap is a transport whose connection keeps raw results in slots and can be
// ended from outside. Use it for everything but HTTP, whose connection must not be
// wrapped: the SDK would no longer know it.
type Tap struct {
	// Open opens the connection underneath. It is called once.
	Open func(context.Context) (mcp.Connection, error)

	mu      sync.Mutex
	conn    mcp.Connection
	aborted bool
}

// Connect implements [mcp.Transport].
func (t *Tap) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.aborted {
		_ = inner.Close()
		return nil, ErrClosed
	}
	t.conn = inner
	return &tapped{Connection: inner, ended: make(chan struct{}), waiting: map[jsonrpc.ID]*exchange{}}, nil
}

// Abort closes the connection, and the one that Connect is still opening.
func (t *Tap) Abort() {
	t.mu.Lock()
	conn := t.conn
	t.aborted = true
	t.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
}

type tapped struct {
	mcp.Connection
	endOnce sync.Once
	ended   chan struct{}

	mu      sync.Mutex
	waiting map[jsonrpc.ID]*exchange
}

// Write writes msg, and gives up at the end of ctx or of the connection even where
// the connection underneath is stuck.
func (t *tapped) Write(ctx context.Context, msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		t.expect(ctx, req)
	}
	written := make(chan error, 1)
	go func() { written <- t.Connection.Write(ctx, msg) }()
	select {
	case err := <-written:
		return wrote(ctx, err)
	case <-ctx.Done():
		return ctx.Err()
	case <-t.ended:
		// The writer knows best whether it got rid of the message.
		select {
		case err := <-written:
			return wrote(ctx, err)
		case <-time.After(lastWrite):
		case <-ctx.Done():
		}
		return ErrClosed
	}
}

// lastWrite is how long a write may take to fail after the end of its connection.
const lastWrite = 100 * time.Millisecond

// wrote notes in the call's slot when its message was not sent, and returns err.
func wrote(ctx context.Context, err error) error {
	if slot := slotFrom(ctx); slot != nil && err != nil && unsent(err) {
		slot.takeBack(err)
	}
	return err
}

// unsent reports whether a message was not written in whole, which the writer says
// with a method: an incomplete message is none.
func unsent(err error) bool {
	e, ok := errors.AsType[interface {
		error
		Unsent() bool
	}](err)
	return ok && e.Unsent()
}

func (t *tapped) expect(ctx context.Context, req *jsonrpc.Request) {
	slot := slotFrom(ctx)
	if slot == nil || (req.Method != methodCallTool && req.Method != methodListTools) {
		return
	}
	x := &exchange{method: req.Method, slot: slot}
	t.mu.Lock()
	t.waiting[req.ID] = x
	t.mu.Unlock()
	slot.begin(x, func() { t.forget(req.ID) })
}

func (t *tapped) forget(id jsonrpc.ID) *exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.waiting[id]
	delete(t.waiting, id)
	return x
}

// Read reads one message; of the response to a call it hands on what the SDK
// needs.
func (t *tapped) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := t.Connection.Read(ctx)
	if err != nil {
		t.end()
		return nil, err
	}
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		return msg, nil
	}
	x := t.forget(resp.ID)
	if x == nil {
		return msg, nil
	}
	if resp.Error != nil {
		if e, ok := errors.AsType[*jsonrpc.Error](resp.Error); ok {
			x.slot.setRPCError(e)
		} else {
			x.slot.fail(resp.Error)
		}
		return msg, nil
	}
	brief, err := x.brief(resp.Result)
	if err != nil {
		x.slot.fail(err)
		return &jsonrpc.Response{ID: resp.ID, Error: &jsonrpc.Error{Code: CodeBadAnswer, Message: err.Error()}}, nil
	}
	return &jsonrpc.Response{ID: resp.ID, Result: brief}, nil
}

func (t *tapped) Close() error {
	t.end()
	return t.Connection.Close()
}

func (t *tapped) end() { t.endOnce.Do(func() { close(t.ended) }) }

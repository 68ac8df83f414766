package wire

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A Slot collects what one call's answer looked like on the wire. Put it into the
// context of exactly one SDK call with [WithSlot]. It is safe for concurrent use.
type Slot struct {
	// ParamHeaders are set on the HTTP request of this call when the protocol
	// version calls for them.
	ParamHeaders map[string]string

	mu       sync.Mutex
	exchange *exchange
	result   json.RawMessage
	rpc      *jsonrpc.Error
	err      error
	sent     bool  // it was handed to the network
	unsent   error // why the server surely did not take it up, after all
	release  func()
}

type slotKey struct{}

// WithSlot returns a context whose SDK call reports to s.
func WithSlot(ctx context.Context, s *Slot) context.Context {
	return context.WithValue(ctx, slotKey{}, s)
}

func slotFrom(ctx context.Context) *Slot {
	s, _ := ctx.Value(slotKey{}).(*Slot)
	return s
}

// Result returns the raw result of the call as sent, nil when none was seen.
func (s *Slot) Result() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// RPCError returns the JSON-RPC error that the server answered with, nil when it
// did not. What the SDK reports is no substitute: it gives its own failures the
// same type.
func (s *Slot) RPCError() *jsonrpc.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rpc
}

// Err returns why the answer could not be used, nil when it could.
func (s *Slot) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Unsent returns why the server surely did not take the call up, nil when it may
// have.
func (s *Slot) Unsent() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sent && s.unsent == nil {
		return ErrClosed // the SDK gave up before it came to sending
	}
	return s.unsent
}

// Release forgets the call. Call it when the SDK's call has returned.
func (s *Slot) Release() {
	s.mu.Lock()
	release := s.release
	s.release = nil
	s.mu.Unlock()
	if release != nil {
		release()
	}
}

func (s *Slot) begin(x *exchange, release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exchange, s.release = x, release
	s.sent, s.unsent = true, nil
}

// takeBack notes that the call was not taken up for the reason of err.
func (s *Slot) takeBack(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsent = err
}

func (s *Slot) current() *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchange
}

func (s *Slot) setResult(raw json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result = raw
}

func (s *Slot) setRPCError(e *jsonrpc.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rpc = e
}

func (s *Slot) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

package runtime

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpbind/mcpbind/runtime/internal/wire"
)

// What a function of the caller's ran into is not to be taken for something that
// this server did.
func TestErrorsOfTheCallersOwn(t *testing.T) {
	t.Parallel()
	const private = "my-private-words"
	sentinel := errors.New(private)
	for name, own := range map[string]error{
		"plain":                    sentinel,
		"a request that failed":    &url.Error{Op: "Get", URL: "https://vault.example.com/" + private, Err: sentinel},
		"a name that is not known": fmt.Errorf("%w: %w", sentinel, &net.DNSError{Err: private, Name: private}),
		"another server's answer":  fmt.Errorf("%w: %w", sentinel, &jsonrpc.Error{Code: -32602, Message: private}),
		"a call elsewhere": fmt.Errorf("%w: %w", sentinel, &CallError{
			Server: "elsewhere", Phase: PhaseCall, Err: fmt.Errorf("%w: %w (%w)", wire.ErrSessionLost, ErrTimeout, ErrFateUnknown),
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newAuthFake(t)
			f.issued["good"] = ""
			var fails atomic.Bool
			c := authClientFor(t, f.config(nil), WithBearer(func(context.Context, string) (string, error) {
				if fails.Load() {
					return "", own
				}
				return "good", nil
			}))
			connected(t, c)
			fails.Store(true)
			_, called := c.CallTool(t.Context(), ToolCall{Name: "echo"})
			for phase, err := range map[string]error{"call": called, "Connect": c.Connect(t.Context())} {
				if !errors.Is(err, ErrAuthRequired) || !errors.Is(err, sentinel) {
					t.Errorf("%s = %v, want ErrAuthRequired and the caller's own error", phase, err)
				}
				for _, wrong := range []error{ErrTimeout, ErrFateUnknown, ErrCheckURL, ErrServerUnavailable} {
					if errors.Is(err, wrong) {
						t.Errorf("%s = %v, which is said to be %v", phase, err, wrong)
					}
				}
				if text := err.Error(); strings.Contains(text, private) || !strings.Contains(text, "no bearer token could be had") {
					t.Errorf("%s = %v", phase, err)
				}
			}
		})
		t.Run(name+", by a handler", func(t *testing.T) {
			t.Parallel()
			const asks = `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?"}}}}`
			c, _ := fakeClient(t, asking(asks), quiet(), WithElicitation(func(context.Context, Elicitation) (ElicitationAnswer, error) {
				return ElicitationAnswer{}, own
			}))
			_, err := callT(t, c)
			if !errors.Is(err, sentinel) || !strings.Contains(err.Error(), "answering the tool's question") {
				t.Errorf("call = %v", err)
			}
			if rpc, ok := errors.AsType[*jsonrpc.Error](err); ok || errors.Is(err, ErrTimeout) || errors.Is(err, ErrCheckURL) {
				t.Errorf("call = %v, as if this server had said %v", err, rpc)
			}
		})
	}
}

package wire

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// A reach watches how far a request got.
type reach struct {
	tried, connected atomic.Bool
}

func (r *reach) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { r.tried.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { r.connected.Store(true) },
	})
}

// nobody reports whether a request that failed with err surely reached nobody: no
// connection was had. A transport that does not report about itself is believed only
// when it says that it could not dial.
func (r *reach) nobody(err error) bool {
	if r.connected.Load() {
		return false
	}
	dial, ok := errors.AsType[*net.OpError](err)
	return r.tried.Load() || (ok && dial.Op == "dial")
}

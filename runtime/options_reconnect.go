package runtime

import (
	"math/rand/v2"
	"time"
)

// Reconnect says how a client brings a lost connection back. Zero values mean the
// defaults. Write it keyed: fields may be added.
type Reconnect struct {
	// Off leaves a lost connection down until Connect is called.
	Off bool
	// First is the delay before the second attempt, 200 ms by default. Each
	// further delay is twice the one before, up to Max, half of it at random. The
	// first attempt is made after at most First.
	First time.Duration
	// Max bounds the delay, 30 s by default.
	Max time.Duration
	// Attempts is how many attempts in a row may fail, 10 by default, which takes
	// about two minutes. After that only calls make attempts, one at a time.
	Attempts int
}

// Defaults of Reconnect.
const (
	defaultFirstDelay = 200 * time.Millisecond
	defaultMaxDelay   = 30 * time.Second
	defaultAttempts   = 10
	// patience bounds the delay before an attempt that a call is waiting for.
	patience = time.Second
	// settled is how long a connection must have lasted to count as a good one,
	// which makes the next delay the first one again.
	settled = 10 * time.Second
)

// WithReconnect sets how lost connections are brought back. The default is to
// bring them back (see [Reconnect]): a connection that was made once is kept up
// until Close.
func WithReconnect(r Reconnect) Option {
	return clientOption(func(o *options) { o.reconnect = r.withDefaults() })
}

func (r Reconnect) withDefaults() Reconnect {
	if r.First <= 0 {
		r.First = defaultFirstDelay
	}
	if r.Max <= 0 {
		r.Max = defaultMaxDelay
	}
	r.Max = max(r.Max, r.First)
	if r.Attempts <= 0 {
		r.Attempts = defaultAttempts
	}
	return r
}

// delay is the time before the attempt that follows n failed ones. Half of it is
// chance: clients that lost one server together do not come back together.
func (r Reconnect) delay(n int) time.Duration {
	d := r.Max
	if n < 32 && r.First<<n > 0 {
		d = min(r.Max, r.First<<n)
	}
	return d/2 + rand.N(d/2+1)
}

// WithToolChanges sets what is called when a server lists other tools than before:
// after a reconnection, or at any time with [WithWatch]. It is called in order, one
// change at a time for each server, and nothing waits for it: when it falls 16
// changes behind, the oldest are dropped.
func WithToolChanges(f func(server string, changes ToolChanges)) Option {
	return clientOption(func(o *options) { o.toolChanges = f })
}

// WithCallTimeout sets how long one call of a tool may take, reconnecting
// included. By default only the caller's context bounds it. ServerConfig.CallTimeout
// wins.
func WithCallTimeout(d time.Duration) Option {
	return clientOption(func(o *options) { o.callTimeout = d })
}

// callTimeoutFor is the time that one call to cfg may take, 0 for any.
func (o options) callTimeoutFor(cfg ServerConfig) time.Duration {
	if cfg.CallTimeout > 0 {
		return cfg.CallTimeout
	}
	return max(o.callTimeout, 0)
}

// WithMaxResponse bounds what a server may send at once, 16 MiB by default: one JSON
// body, one event of a stream, one line of a child. Sixteen times as much bounds a
// whole stream. An n of 0 or less means the default.
func WithMaxResponse(n int64) Option {
	return clientOption(func(o *options) {
		if n <= 0 {
			n = maxResponse
		}
		o.maxResponse = min(n, 1<<30)
	})
}

// WithIdleTimeout bounds the silence of an HTTP server within one call: before its
// headers, and between two pieces of an event stream. There is no bound by default,
// since tools may take long and say nothing. A JSON body that has begun never stands
// still for more than 30 s.
func WithIdleTimeout(d time.Duration) Option {
	return clientOption(func(o *options) { o.idleTimeout = max(d, 0) })
}

// Package memnet is a network within the process, for tests in a bubble of
// testing/synctest: all that waits on it waits for channels of the bubble, so that
// the bubble's clock moves only when nobody has anything left to do, and a timeout
// means what it says however slow the machine is.
//
// In: HTTP handlers. Out: their addresses, and a transport that reaches them. What
// runs between the two is net/http on both sides. It imports nothing of this module.
package memnet

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
)

// A Network connects clients with the hosts that it serves. It is safe for
// concurrent use. Make it with [New] in the bubble that uses it, and close it there.
type Network struct {
	transport *http.Transport

	mu    sync.Mutex
	hosts map[string]*listener // by address; one whose server is gone stays, closed
	stops []func()
}

// New returns a network without hosts.
func New() *Network {
	n := &Network{hosts: map[string]*listener{}}
	n.transport = &http.Transport{DialContext: n.dial}
	return n
}

// Serve serves h at the host called name and returns its root, "http://name".
func (n *Network) Serve(name string, h http.Handler) string {
	l := &listener{addr: addr(name + ":80"), conns: make(chan net.Conn), closed: make(chan struct{})}
	server, done := &http.Server{Handler: h}, make(chan struct{})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts[string(l.addr)] = l
	n.stops = append(n.stops, func() { _ = server.Close(); <-done })
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	return "http://" + name
}

// Transport reaches the hosts, and nobody else.
func (n *Network) Transport() http.RoundTripper { return n.transport }

// Close ends all hosts and every connection.
func (n *Network) Close() {
	n.mu.Lock()
	stops := n.stops
	n.stops = nil
	n.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	n.transport.CloseIdleConnections()
}

var errRefused = errors.New("nobody listens there")

func (n *Network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.hosts[address]
	n.mu.Unlock()
	if l == nil {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: addr(address), Err: errRefused}
	}
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: network, Addr: l.addr, Err: errRefused}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A listener accepts what is dialled.
type listener struct {
	addr   addr
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return l.addr }

// An addr is a host and a port.
type addr string

func (addr) Network() string  { return "memory" }
func (a addr) String() string { return string(a) }

package faultserver

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Host serves a handler at one address, and can be killed and started again there.
type Host struct {
	make func() http.Handler
	addr string

	mu     sync.Mutex
	server *http.Server
	done   chan struct{}
}

// NewHost starts a host on a free port. Each start makes a new handler, which knows
// nothing of the one before.
func NewHost(make func() http.Handler) (*Host, error) {
	h := &Host{make: make, addr: "127.0.0.1:0"}
	return h, h.Start()
}

// URL is the endpoint.
func (h *Host) URL() string { return "http://" + h.addr + "/mcp" }

// Start starts the host unless it runs.
func (h *Host) Start() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server != nil {
		return nil
	}
	listener, err := listen(h.addr)
	if err != nil {
		return err
	}
	h.addr = listener.Addr().String()
	server, done := &http.Server{Handler: h.make(), ReadHeaderTimeout: time.Minute}, make(chan struct{})
	h.server, h.done = server, done
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	return nil
}

// listen takes an address that was given up a moment ago.
func listen(addr string) (net.Listener, error) {
	var errs error
	for range 50 {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			return l, nil
		}
		errs = err
		time.Sleep(20 * time.Millisecond)
	}
	return nil, errors.Join(errors.New("the host's address is taken"), errs)
}

// Kill ends the host and every connection at once, as the end of a process does.
func (h *Host) Kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil {
		return
	}
	_ = h.server.Close()
	<-h.done
	h.server = nil
}

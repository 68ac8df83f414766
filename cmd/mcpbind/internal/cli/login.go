package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// loginTimeout replaces the time for connecting where somebody may have to log in. A
// third of it is for the first request, in which that usually happens.
const loginTimeout = 15 * time.Minute

// A login shows people where to log in and waits for the browser to come back, for
// one server at a time: they can read one address at a time, and port is one.
type login struct {
	stderr   *stream
	redirect string // where browsers return to

	mu sync.Mutex
}

// newLogin finds a free port. Nothing listens on it before somebody has to log in.
func newLogin(stderr *stream) (*login, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("--login: %w", err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("--login: %w", err)
	}
	return &login{stderr: stderr, redirect: "http://" + addr + "/callback"}, nil
}

// ask is a [runtime.LoginFunc].
func (l *login) ask(ctx context.Context, server, authURL string) (redirected string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	listener, path, err := listenFor(authURL)
	if err != nil {
		return "", err
	}
	came := make(chan string, 1)
	srv := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != path || r.Method != http.MethodGet {
				http.NotFound(w, r)
				return
			}
			const page = "Back to mcpbind. You may close this window.\n"
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("Content-Length", strconv.Itoa(len(page)))
			_, _ = io.WriteString(w, page)
			_ = http.NewResponseController(w).Flush() // the browser has all of it before we go on, and close
			select {
			case came <- r.URL.String():
			default: // a second visit
			}
		}),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(listener) }()
	defer func() {
		_ = srv.Close()
		<-done
	}()
	l.stderr.block("mcpbind: ", fmt.Sprintf("server %q wants a login; open this address in a browser:\n%s", server, authURL))
	select {
	case redirected = <-came:
		// Let the browser have its page.
		shutdown, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_ = srv.Shutdown(shutdown)
		return redirected, nil
	case <-ctx.Done():
		return "", errors.New("nobody logged in")
	}
}

// listenFor listens where authURL makes the browser return to.
func listenFor(authURL string) (_ net.Listener, path string, err error) {
	u, err := url.Parse(authURL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil, "", errors.New("the authorization server's address is not one for a browser")
	}
	back, err := url.Parse(u.Query().Get("redirect_uri"))
	if err != nil || back.Scheme != "http" || back.Port() == "" {
		return nil, "", errors.New("auth.redirect_url must be like http://127.0.0.1:8976/callback")
	}
	if ip := net.ParseIP(back.Hostname()); back.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, "", errors.New("auth.redirect_url must be on this machine: use 127.0.0.1 or localhost")
	}
	listener, err := net.Listen("tcp", back.Host)
	if err != nil {
		return nil, "", fmt.Errorf("waiting for the browser: %w", err)
	}
	path = back.Path
	if path == "" {
		path = "/"
	}
	return listener, path, nil
}

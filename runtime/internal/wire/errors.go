package wire

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Faults of an answer. Errors of this package wrap one of them; their texts hold
// no server text beyond what they say.
var (
	ErrTooLarge    = errors.New("answer is too large")
	ErrNotJSON     = errors.New("answer is not valid JSON")
	ErrNotMCP      = errors.New("answer is not an MCP message")
	ErrNoResponse  = errors.New("server ended the exchange without a response")
	ErrWrongID     = errors.New("answer belongs to another request")
	ErrRedirect    = errors.New("redirect refused")
	ErrSlowHeaders = errors.New("no response headers in time")
	ErrStalled     = errors.New("the server fell silent")
	ErrFlood       = errors.New("the server floods the stream")
	ErrSessionLost = errors.New("server has forgotten the session")
	ErrClosed      = errors.New("connection closed")
	// ErrUnauthorized comes from the transport below: no credentials could be had.
	ErrUnauthorized = errors.New("unauthorized")
	errOtherOrigin  = errors.New("request to another origin refused")
	errNotAResponse = errors.New("neither result nor error")
)

// Hints stand in the text of an error whose cause is probably a setting of ours, and
// beside its fault in its tree.
var (
	ErrCheckURL     = errors.New("check the server's url")
	ErrCheckHeaders = errors.New("check the server's headers")
	ErrCheckAuth    = errors.New("check the server's auth")
)

// A StatusError is an HTTP status that is not a JSON-RPC answer.
type StatusError struct {
	Status int
	// RetryAfter is when the server wants to be asked again, 0 where it does not
	// say.
	RetryAfter time.Duration
	// Challenge is the WWW-Authenticate header of a 401 or 403: server text.
	Challenge string
	// Authorized is that credentials come from auth, not from headers.
	Authorized bool
}

func (e *StatusError) Error() string {
	text := http.StatusText(e.Status)
	if text == "" {
		text = "unknown status"
	}
	switch hint := e.Unwrap(); {
	case hint != nil && e.Status >= 500:
		text += fmt.Sprintf(" (nothing serves behind it; %v)", hint)
	case hint != nil:
		text += fmt.Sprintf(" (%v)", hint)
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(" (the server asks for %v of patience)", e.RetryAfter)
	}
	return fmt.Sprintf("HTTP status %d %s", e.Status, text)
}

// Unwrap returns the hint that the status is, nil for none.
func (e *StatusError) Unwrap() error {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		if e.Authorized {
			return ErrCheckAuth
		}
		return ErrCheckHeaders
	case http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return ErrCheckURL
	default:
		return nil
	}
}

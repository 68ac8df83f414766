package wire

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// refused deals with a status that is no success.
func (t *HTTP) refused(req *http.Request, resp *http.Response, x *exchange) (*http.Response, error) {
	const enough = 64 << 10 // no JSON-RPC error is longer
	body, _ := readBounded(resp.Body, min(enough, t.o.MaxBody))
	m, err := parse(body)
	answered := err == nil && m.err != nil
	if req.Header.Get(headerSession) != "" && sessionLost(resp.StatusCode, m, answered, body) {
		if x != nil && x.slot != nil {
			x.slot.fail(ErrSessionLost)
		}
		x.takeBack(req, ErrSessionLost)
		// The SDK ends the session over this, as it should.
		resp.StatusCode, resp.Status = http.StatusNotFound, "404 Not Found"
		return withBody(resp, nil), nil
	}
	// Who asks for a token says so by the status, whatever the body says.
	if x != nil && answered && resp.StatusCode != http.StatusUnauthorized {
		m.id = x.id
		if out, err := x.response(m); err == nil {
			resp.StatusCode, resp.Status = http.StatusOK, "200 OK"
			return withJSON(resp, out), nil
		}
	}
	return t.unusable(req, x, t.statusError(resp))
}

// sessionLost reports whether a refusal means that the server does not know the
// session that was named. The specification asks for 404. Servers in use also send
// 404 with a JSON-RPC error, or 400 with one that answers no request in particular
// or with plain words. Some send 404 with whatever error they answer a request by:
// that one has to speak of a session.
func sessionLost(status int, m message, answered bool, body []byte) bool {
	own := answered && m.id != nil && string(m.id) != "null" // about this request
	text := body
	if answered {
		text = m.err
	}
	switch status {
	case http.StatusNotFound:
		return !own || speaksOfSession(text) || decodeError(m.err).Code == codeSessionNotFound
	case http.StatusBadRequest:
		return !own && speaksOfSession(text)
	}
	return false
}

// codeSessionNotFound is the code that servers in use send with 404.
const codeSessionNotFound = -32001

func speaksOfSession(text []byte) bool {
	text = bytes.ToLower(text[:min(len(text), 1<<10)])
	return bytes.Contains(text, []byte("session")) || bytes.Contains(text, []byte("not initialized"))
}

func (t *HTTP) statusError(resp *http.Response) *StatusError {
	err := &StatusError{Status: resp.StatusCode, Authorized: t.o.Authorized}
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		err.Challenge = resp.Header.Get("WWW-Authenticate")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		err.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	}
	return err
}

// retryAfter reads the header of that name: seconds, or a date. 0: neither, or past.
func retryAfter(value string, now time.Time) time.Duration {
	const longest = 24 * time.Hour
	value = strings.TrimSpace(value)
	if seconds, err := strconv.Atoi(value); err == nil {
		return min(time.Duration(max(seconds, 0)), longest/time.Second) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), longest).Round(time.Second)
	}
	return 0
}

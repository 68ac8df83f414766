package runtime

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

var (
	errLoginFailed   = errors.New("the login failed")
	errSecretKept    = errors.New("the server names an authorization server on another host, which must not see client_secret; if it is the right one, set auth.issuer to it")
	errAuthRedirect  = errors.New("the authorization server redirects a request with credentials")
	errLocalRefused  = errors.New("a server elsewhere names an authorization server on this machine")
	errAnswerTooLong = errors.New("the authorization server's answer is too large")
)

const (
	// maxAuthAnswer bounds an answer of an authorization server, in bytes.
	maxAuthAnswer = 1 << 20
	// authRequestTimeout bounds one request to it.
	authRequestTimeout = 30 * time.Second
)

// authClient returns the HTTP client for authorization servers. They are named by
// the MCP server, which is not trusted: this client knows no header of the
// configuration, follows no redirect with a body, reads no answer without end, and
// keeps a secret from servers it is not for.
func authClient(base http.RoundTripper, endpoint *url.URL, cfg Auth) *http.Client {
	if base == nil {
		base = http.DefaultTransport
		if own, ok := base.(*http.Transport); ok {
			own = own.Clone()
			own.DisableKeepAlives = true // nobody comes to close what idles
			base = own
		}
	}
	return &http.Client{
		Timeout:   authRequestTimeout,
		Transport: &authGuard{base: base, endpoint: endpoint, cfg: cfg},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if via[0].Method != http.MethodGet || len(via) >= 5 {
				return errAuthRedirect
			}
			return nil
		},
	}
}

type authGuard struct {
	base     http.RoundTripper
	endpoint *url.URL
	cfg      Auth
}

// RoundTrip implements [http.RoundTripper].
func (g *authGuard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.allows(req); err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := g.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &boundedBody{ReadCloser: resp.Body, left: maxAuthAnswer}
	return resp, nil
}

func (g *authGuard) allows(req *http.Request) error {
	if isLocal(req.URL.Hostname()) && !isLocal(g.endpoint.Hostname()) {
		return errLocalRefused
	}
	if req.Method == http.MethodPost && g.cfg.ClientSecret != "" && g.cfg.Issuer == "" &&
		!strings.EqualFold(req.URL.Hostname(), g.endpoint.Hostname()) {
		return errSecretKept
	}
	return nil
}

// isLocal reports whether host is this machine by its spelling.
func isLocal(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errAnswerTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// authReason is what may be told of a failed authorization: no answer as it is.
func authReason(err error) string {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		status := ""
		if refused.Response != nil {
			status = fmt.Sprintf(" (HTTP status %d)", refused.Response.StatusCode)
		}
		return "the authorization server refused: " + errorCode(refused.ErrorCode) + status
	}
	if refused, ok := errors.AsType[*oauthex.ClientRegistrationError](err); ok {
		return "the authorization server refused to register this client: " + errorCode(refused.ErrorCode)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return harmless(err.Error(), maxToolErrorText)
}

// errorCodes are the error codes of OAuth 2, OpenID Connect and client
// registration.
var errorCodes = []string{
	"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
	"unsupported_response_type", "invalid_scope", "access_denied", "server_error", "temporarily_unavailable",
	"invalid_target", "invalid_redirect_uri", "invalid_client_metadata", "invalid_software_statement",
	"unapproved_software_statement", "login_required", "consent_required", "interaction_required", "account_selection_required",
}

// errorCode returns code if it is one that is known: anything else is free text.
func errorCode(code string) string {
	if slices.Contains(errorCodes, code) {
		return code
	}
	return "no known error code"
}

package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/config"
)

// A refusal names the key under which its server has credentials.
func TestAdviceAboutCredentials(t *testing.T) {
	refused := fmt.Errorf("HTTP status 401 (%w)", runtime.ErrCheckHeaders)
	refusedAuth := fmt.Errorf("HTTP status 401 (%w)", runtime.ErrCheckAuth)
	denied, deniedAuth := fmt.Errorf("%w: %w", runtime.ErrAuthRequired, refused), fmt.Errorf("%w: %w", runtime.ErrAuthRequired, refusedAuth)
	toLogIn := ` ("` + self() + ` list a --live --login" asks for it, and keeps what comes of it)`
	for name, c := range map[string]struct {
		server config.Server
		login  bool
		err    error
		want   string
	}{
		"nothing is set":         {config.Server{}, false, denied, "authentication required: HTTP status 401 (check a.headers in : a token goes there, or set auth to log in)"},
		"headers":                {config.Server{Headers: map[string]string{"X": "y"}}, false, denied, "authentication required: HTTP status 401 (check a.headers in )"},
		"a login":                {config.Server{Auth: &config.Auth{}}, false, deniedAuth, "authentication required: HTTP status 401 (check servers.a.auth)" + toLogIn},
		"a login that was tried": {config.Server{Auth: &config.Auth{}}, true, deniedAuth, "authentication required: HTTP status 401 (check servers.a.auth)"},
		"of no use":              {config.Server{Auth: &config.Auth{}}, false, refusedAuth, "HTTP status 401 (check servers.a.auth)"},
		"a client":               {config.Server{Auth: &config.Auth{Grant: "client_credentials"}}, false, deniedAuth, "authentication required: HTTP status 401 (check servers.a.auth)"},
	} {
		a := &app{}
		if c.login {
			a.login = &login{}
		}
		got := a.advised(target{Entry: config.Entry{Name: "a", Server: c.server}}, c.err)
		if got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%s: %v\nwant %s", name, got, c.want)
		}
	}
}

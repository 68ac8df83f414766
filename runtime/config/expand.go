package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcpbind/mcpbind/runtime"
)

// variable matches what begins with "${": group 1 is the name, group 2 the
// default with its ":-". VS Code writes ${env:NAME}. A form that is not matched
// whole has no group.
var variable = regexp.MustCompile(`\$?\$\{(?:(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\})?`)

// prompt matches how VS Code has a value asked for.
var prompt = regexp.MustCompile(`\$\{input:([A-Za-z0-9_-]{1,64})\}`)

// ServerConfig returns how to connect to the server, with ${VAR} expanded by
// lookup. The first fault is in Err; it names server, key and variable, never a
// value. It must not be called for a server with a catalog.
func (e Entry) ServerConfig(lookup func(string) (string, bool)) runtime.ServerConfig {
	x := expander{entry: e, lookup: lookup, secrets: map[string]string{}}
	cfg := runtime.ServerConfig{
		Name:       e.Name,
		URL:        x.text("url", e.URL),
		Headers:    x.texts("headers", e.Headers),
		Command:    x.text("command", e.Command),
		Dir:        x.text("cwd", e.Cwd),
		Env:        x.texts("env", e.Env),
		InheritEnv: slices.Clone(e.InheritEnv),
		Protocol:   e.Protocol,
		Validate:   e.validation(),
	}
	if a := e.Auth; a != nil {
		cfg.Auth = &runtime.Auth{
			Grant:             runtime.Grant(a.Grant),
			ClientID:          x.text("auth.client_id", a.ClientID),
			ClientSecret:      x.text("auth.client_secret", a.ClientSecret),
			PrivateKey:        x.text("auth.private_key", a.PrivateKey),
			ClientMetadataURL: a.ClientMetadataURL,
			Issuer:            a.Issuer,
			Scopes:            slices.Clone(a.Scopes),
			RedirectURL:       a.RedirectURL,
		}
	}
	for i, arg := range e.Args {
		cfg.Args = append(cfg.Args, x.text(indexed("args", i), arg))
	}
	// "" gives 0, which is the default. Anything else was checked by Load.
	cfg.Timeout, _ = time.ParseDuration(e.Timeout)
	cfg.CallTimeout, _ = time.ParseDuration(e.CallTimeout)
	if e.Command != "" {
		cfg.Dir = absolute(e.dir, cfg.Dir)
		// A bare name is looked up in PATH; a path starts at the file.
		if strings.ContainsAny(cfg.Command, `/\`) {
			cfg.Command = absolute(e.dir, cfg.Command)
		}
	}
	if e.URL != "" && x.err == nil {
		if !isEndpoint(cfg.URL) { // no more is said, since it may hold a token
			x.err = e.keyError("url", "must be an http or https URL once its variables are expanded")
		}
	}
	cfg.Secrets, cfg.Err = x.secrets, x.err
	return cfg
}

func (e Entry) validation() *runtime.Validation {
	if e.Validate == nil {
		return nil
	}
	return &runtime.Validation{
		Arguments: runtime.Or(e.Validate.Arguments, true),
		Results:   runtime.Or(e.Validate.Results, false),
		Formats:   runtime.Or(e.Validate.Formats, false),
	}
}

// An expander expands the variables of one server.
type expander struct {
	entry   Entry
	lookup  func(string) (string, bool)
	secrets map[string]string // what variables expanded to; defaults stand in the file and are none
	err     error             // the first fault
}

func (x *expander) text(key, s string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	return variable.ReplaceAllStringFunc(s, func(match string) string {
		if strings.HasPrefix(match, "$${") {
			return match[1:] // $${ is a literal ${
		}
		m := variable.FindStringSubmatch(match)
		name, fallback := m[1], m[2]
		if m := prompt.FindStringSubmatch(s); name == "" && m != nil {
			x.fail(key, "${input:%s} has an editor ask for the value, which mcpbind does not; write ${VAR} and set that environment variable", m[1])
			return ""
		}
		if name == "" {
			x.fail(key, "only ${NAME} and ${NAME:-default} can be expanded; write $${ for a literal ${")
			return ""
		}
		value, ok := x.lookup(name)
		switch {
		case ok && (value != "" || fallback == ""):
			x.secrets[name] = value
			return value
		case fallback != "":
			return strings.TrimPrefix(fallback, ":-")
		default:
			x.fail(key, "environment variable %s is not set; set it or write ${%s:-default}", name, name)
			return ""
		}
	})
}

func (x *expander) texts(key string, m map[string]string) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) { // the first fault is always the same one
		out[name] = x.text(join(key, name), m[name])
	}
	return out
}

func (x *expander) fail(key, format string, args ...any) {
	if x.err == nil {
		x.err = x.entry.keyError(key, format, args...)
	}
}

package config

import (
	"go/token"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpbind/mcpbind/internal/spelling"
	"github.com/mcpbind/mcpbind/runtime"
)

var (
	serverName  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	envName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	protocol    = regexp.MustCompile(`^(auto|\d{4}-\d{2}-\d{2})$`)
	boundType   = regexp.MustCompile(`^[A-Za-z0-9._~/-]+\.[A-Za-z_]\w*$`)
	drivePrefix = regexp.MustCompile(`^[A-Za-z]:`)
)

// check finds the faults that single values cannot show and fills f's paths.
func (d *decoder) check(doc *Document, imports map[string]imported, f *File) {
	switch {
	case d.places["version"] == nil:
		d.at("version", "is missing; add \"version: 1\"")
	case doc.Version != Version:
		d.at("version", "must be 1; this mcpbind reads no other version")
	}
	d.directory("output", doc.Output, &f.Output)
	d.directory("snapshots", doc.Snapshots, &f.Snapshots)
	for _, name := range slices.Sorted(maps.Keys(doc.Servers)) {
		d.server(name, doc.Servers[name], imports)
	}
	d.unique(doc)
}

// directory takes a configured directory over into dst. It ends up in file
// headers, so it must mean the same on every machine.
func (d *decoder) directory(key, value string, dst *string) {
	if d.places[key] == nil {
		return
	}
	if value == "" || path.IsAbs(value) || drivePrefix.MatchString(value) || strings.Contains(value, `\`) {
		d.at(key, "must be a path relative to this file, with forward slashes")
		return
	}
	*dst = path.Clean(value)
}

func (d *decoder) name(key, name, where string) {
	if !serverName.MatchString(name) {
		d.at(key, "a server's name has 1 to 64 letters, digits, dots, underscores and hyphens%s", where)
	}
}

// unique refuses names that differ in case only: they would share files on
// systems that ignore case.
func (d *decoder) unique(doc *Document) {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(doc.Servers)) {
		folded := strings.ToLower(name)
		if other, ok := seen[folded]; ok {
			d.failAt("servers."+name, d.places["servers."+name], "differs from %q in case only", other)
		}
		seen[folded] = name
	}
}

func (d *decoder) server(name string, s Server, imports map[string]imported) {
	key := "servers." + name
	d.name(key, name, "")
	base, ok := imports[name]
	if ok && !s.connects() {
		switch {
		case base.fault != nil:
			d.at(key, "completes the server of that name in %s, which cannot be used: %s; set url or command here", base.origin, base.fault.Message)
			return
		case base.disabled:
			d.at(key, "completes the server of that name in %s, which is disabled there; set url or command here", base.origin)
			return
		}
		if len(s.Headers) > 0 || len(s.Args) > 0 || len(s.Env) > 0 || s.Cwd != "" || s.Type != "" {
			d.at(key, "completes the server of that name in %s, which says how to connect; leave out headers, args, env, cwd and type, or set url or command to replace it", base.origin)
			return
		}
		s = s.completing(base.Server)
	}
	if meant := spelling.Nearest(name, slices.Collect(maps.Keys(imports))); !ok && !s.connects() && meant != "" {
		d.at(key, "needs one of url, command and catalog; or did you mean to complete %q of %s?", meant, imports[meant].origin)
		return
	}
	d.transport(key, s)
	for i, variable := range s.InheritEnv {
		if k := indexed(key+".inherit_env", i); !envName.MatchString(variable) {
			d.at(k, "must be the name of an environment variable")
		}
	}
	d.duration(key+".timeout", s.Timeout)
	d.duration(key+".call_timeout", s.CallTimeout)
	if s.Protocol != "" && !protocol.MatchString(s.Protocol) {
		d.at(key+".protocol", "must be auto or a protocol version such as 2025-11-25")
	}
	if s.Auth != nil {
		d.auth(key, s)
	}
	d.golang(key+".go", s.Go)
}

// duration checks a limit of time that is set.
func (d *decoder) duration(key, value string) {
	if value == "" {
		return
	}
	if t, err := time.ParseDuration(value); err != nil || t <= 0 {
		d.at(key, "must be a positive duration such as 10s or 1m30s")
	}
}

// auth checks what the grant needs. What it needs to be is the runtime's to say,
// once variables are expanded.
func (d *decoder) auth(key string, s Server) {
	a := s.Auth
	if s.URL == "" {
		d.at(key+".auth", "goes with url; a command gets its credentials in env")
	}
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			d.at(key+".auth", "makes the Authorization header itself; remove it from headers, or remove auth")
		}
	}
	switch runtime.Grant(a.Grant) {
	case "", runtime.GrantAuthorizationCode:
		if a.PrivateKey != "" {
			d.at(key+".auth.private_key", "goes with grant: client_credentials")
		}
		if a.ClientSecret != "" && a.ClientID == "" {
			d.at(key+".auth.client_secret", "goes with client_id")
		}
	case runtime.GrantClientCredentials:
		if a.ClientID == "" || (a.ClientSecret == "") == (a.PrivateKey == "") {
			d.at(key+".auth", "client_credentials needs client_id and either client_secret or private_key")
		}
	default:
		d.at(key+".auth.grant", "must be authorization_code or client_credentials")
	}
	for _, u := range []struct{ key, value, scheme string }{
		{".auth.client_metadata_url", a.ClientMetadataURL, "https://"},
		{".auth.issuer", a.Issuer, "http"},
		{".auth.redirect_url", a.RedirectURL, "http"},
	} {
		if u.value != "" && !strings.HasPrefix(u.value, u.scheme) {
			d.at(key+u.key, "must be a URL that begins with %s", u.scheme)
		}
	}
}

// transport checks that s says once how to connect.
func (d *decoder) transport(key string, s Server) {
	var ways []string
	for _, way := range []struct{ name, value string }{{"url", s.URL}, {"command", s.Command}, {"catalog", s.Catalog}} {
		if way.value != "" {
			ways = append(ways, way.name)
		}
	}
	switch {
	case len(ways) > 1:
		d.at(key, "has both %s and %s; keep one", ways[0], ways[1])
	case len(ways) == 0:
		d.at(key, "needs one of url, command and catalog")
	case s.Command == "" && (len(s.Args) > 0 || len(s.Env) > 0 || s.Cwd != "" || len(s.InheritEnv) > 0):
		d.at(key, "args, env, cwd and inherit_env go with command")
	case s.URL == "" && len(s.Headers) > 0:
		d.at(key, "headers go with url")
	case s.URL != "" && !strings.Contains(s.URL, "${") && !isEndpoint(s.URL):
		d.at(join(key, "url"), "must be an http or https URL such as https://example.com/mcp")
	}
	d.kind(key, s)
}

// isEndpoint reports whether raw is the URL of something that speaks HTTP.
func isEndpoint(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func (d *decoder) kind(key string, s Server) {
	key = join(key, "type")
	switch s.Type {
	case "":
	case "sse":
		d.at(key, "the old HTTP+SSE transport is not supported; use the server's streamable HTTP URL and type http")
	case "stdio":
		if s.Command == "" {
			d.at(key, "stdio goes with command")
		}
	case "http", "streamable-http":
		if s.URL == "" {
			d.at(key, "http goes with url")
		}
	default:
		d.at(key, "must be stdio, http or streamable-http, or left out")
	}
}

func (d *decoder) golang(key string, g Go) {
	if g.Package != "" && (!token.IsIdentifier(g.Package) || g.Package == "_" || g.Package == "main") {
		d.at(key+".package", "must be a Go package name")
	}
	if g.Numbers != "" && g.Numbers != "native" && g.Numbers != "exact" {
		d.at(key+".numbers", "must be native or exact")
	}
	for _, tool := range slices.Sorted(maps.Keys(g.Rename)) {
		if name := g.Rename[tool]; !token.IsIdentifier(name) || !token.IsExported(name) {
			d.at(join(key+".rename", tool), "must be an exported Go name such as OpenIssue")
		}
	}
	for _, format := range slices.Sorted(maps.Keys(g.Formats)) {
		if as := g.Formats[format]; as != "string" && (as != "time" || format != "date-time") {
			d.at(join(key+".formats", format), "must be string, or time for date-time")
		}
	}
	for _, owner := range slices.Sorted(maps.Keys(g.Bindings)) {
		if !boundType.MatchString(g.Bindings[owner]) {
			d.at(join(key+".bindings", owner), "must be a Go type as import/path.Type")
		}
	}
}

// at reports a fault where key stands.
func (d *decoder) at(key, format string, args ...any) {
	d.failAt(key, d.places[key], format, args...)
}

func indexed(key string, i int) string { return key + "[" + strconv.Itoa(i) + "]" }

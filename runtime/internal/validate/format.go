package validate

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// A format is one value of the format keyword. Strings only: it says nothing about
// other kinds.
type format struct {
	name  string
	valid func(string) bool
}

// formats holds the formats that are asserted. The others assert nothing.
var formats = make(map[string]*format)

func init() {
	for name, valid := range map[string]func(string) bool{
		"date-time":             validDateTime,
		"date":                  validDate,
		"time":                  validTime,
		"duration":              durationForm.MatchString,
		"email":                 validEmail,
		"hostname":              validHostname,
		"ipv4":                  func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
		"ipv6":                  func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() && a.Zone() == "" },
		"uri":                   func(s string) bool { u, err := parseReference(s); return err == nil && u.IsAbs() && validReference(s) },
		"uri-reference":         validReference,
		"iri":                   func(s string) bool { u, err := parseReference(s); return err == nil && u.IsAbs() },
		"iri-reference":         func(s string) bool { _, err := parseReference(s); return err == nil },
		"uuid":                  uuidForm.MatchString,
		"json-pointer":          pointerForm.MatchString,
		"relative-json-pointer": relativePointerForm.MatchString,
		"regex":                 func(s string) bool { return !newPattern(s).unknown },
	} {
		formats[name] = &format{name, valid}
	}
}

var (
	durationForm = regexp.MustCompile(`^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T` + timePart + `)?|T` + timePart + `)$`)
	uuidForm     = regexp.MustCompile(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	pointerForm  = regexp.MustCompile(`^(?:/(?:[^~/]|~[01])*)*$`)
	timeForm     = regexp.MustCompile(`^(\d{2}:\d{2}:)(\d{2})(?:\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)
	uriForm      = regexp.MustCompile(`^(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$`)
	escapeForm   = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	futureForm   = regexp.MustCompile(`\[[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+\]`)
	labelForm    = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

	authorityForm       = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*`)
	relativePointerForm = regexp.MustCompile(`^(?:0|[1-9]\d*)(?:#|(?:/(?:[^~/]|~[01])*)*)$`)
)

const timePart = `(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`

func validDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func validDateTime(s string) bool {
	return len(s) > 11 && validDate(s[:10]) && (s[10] == 'T' || s[10] == 't') && validTime(s[11:])
}

// validTime takes a leap second where one can be: at 23:59:60 UTC.
func validTime(s string) bool {
	part := timeForm.FindStringSubmatch(strings.ToUpper(s))
	if part == nil {
		return false
	}
	minute, seconds, zone := part[1], part[2], part[3]
	if seconds != "60" {
		_, err := time.Parse("15:04:05Z07:00", minute+seconds+zone)
		return err == nil
	}
	t, err := time.Parse("15:04:05Z07:00", minute+"59"+zone)
	return err == nil && t.UTC().Format("15:04") == "23:59"
}

func validEmail(s string) bool {
	local, domain := s, ""
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		local, domain = s[:at], s[at+1:]
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal = strings.TrimPrefix(strings.TrimSuffix(literal, "]"), "IPv6:")
		if _, err := netip.ParseAddr(literal); err != nil || !strings.HasSuffix(domain, "]") {
			return false
		}
		domain = "example.com" // net/mail reads no IPv6 literal
	}
	a, err := mail.ParseAddress(local + "@" + domain)
	return err == nil && a.Name == "" && !strings.HasPrefix(s, "<") && validHostname(domain)
}

func validHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !labelForm.MatchString(label) {
			return false
		}
	}
	return true
}

func validReference(s string) bool {
	_, err := parseReference(s)
	return err == nil && uriForm.MatchString(s)
}

// parseReference reads a URI or IRI reference. What RFC 3986 allows in a host and
// net/url does not, it puts aside first: addresses of a future version, escaped ASCII.
func parseReference(s string) (*url.URL, error) {
	if at := authorityForm.FindStringIndex(s); at != nil {
		authority := futureForm.ReplaceAllString(s[:at[1]], "[::1]")
		if !strings.Contains(authority, "[") {
			authority = escapeForm.ReplaceAllString(authority, "x")
		}
		s = authority + s[at[1]:]
	}
	return url.Parse(s)
}

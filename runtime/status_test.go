package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told is a client that knows its own state.
type told struct {
	fake
	state State
	since time.Time
	err   error
}

func (c *told) State() (State, time.Time, error)             { return c.state, c.since, c.err }
func (c *told) ServerInfo() (name, version, protocol string) { return "s", "1", "2025-11-25" }

func TestStatusMarshalsWithoutCredentials(t *testing.T) {
	const secret = "canary-0123456789"
	r := NewRegistry(WithCollision(CollideSkip), quiet())
	r.declare([]ServerConfig{
		{Name: "web", URL: "https://user:" + secret + "@example.com/" + secret + "/mcp?key=" + secret + "&" + secret + "#" + secret,
			Headers: map[string]string{"Authorization": secret}, Secrets: map[string]string{"TOKEN": secret}},
		{Name: "local", Command: "npx", Args: []string{"--token", secret}, Env: map[string]string{"T": secret}},
		{Name: "failed", URL: "https://example.com/mcp", Secrets: map[string]string{"TOKEN": secret}},
		{Name: "waiting", URL: "https://example.com/mcp"},
	})
	since := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	must(t, r.RegisterServer("local", &told{state: StateReady, since: since}, toolsNamed("x")))
	must(t, r.RegisterServer("web", &told{state: StateDown, since: since, err: errors.New("broke on " + secret)}, toolsNamed("x", "y")))
	r.RecordFailure("failed", errors.New("\x1b[2Jserver said\n::error::"+secret))
	r.RecordFailure("failed", nil)

	var got []map[string]any
	data, err := json.Marshal(r.Status())
	must(t, err)
	must(t, json.Unmarshal(data, &got))
	if strings.Contains(string(data), "canary") {
		t.Errorf("a credential is in %s", data)
	}
	for _, st := range got {
		if st["name"] == "failed" || st["name"] == "waiting" {
			delete(st, "since")
		}
	}
	const when = "2026-11-01T12:00:00Z"
	want := []map[string]any{
		{"name": "failed", "url": "https://example.com/mcp", "state": "down", "tools": 0.0},
		{"name": "local", "command": "npx", "state": "ready", "since": when, "tools": 1.0, "protocol": "2025-11-25"},
		{"name": "waiting", "url": "https://example.com/mcp", "state": "new", "tools": 0.0},
		{"name": "web", "url": "https://example.com/$%7BTOKEN%7D/mcp?key=REDACTED&REDACTED", "state": "down", "since": when,
			"tools": 2.0, "skipped": []any{"x"}, "protocol": "2025-11-25", "error": "broke on ${TOKEN}"},
	}
	if text, _ := got[0]["error"].(string); strings.ContainsAny(text, "\x1b\n") || !strings.Contains(text, "${TOKEN}") {
		t.Errorf("error of the failed server: %q", text)
	}
	delete(got[0], "error")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStates(t *testing.T) {
	r := NewRegistry(quiet())
	state := func() State { t.Helper(); return r.Status()[0].State }
	r.declare(configs("a"))
	if got := state(); got != StateNew {
		t.Error(got)
	}
	r.dialling("a")
	if got := state(); got != StateConnecting {
		t.Error(got)
	}
	r.RecordFailure("a", errors.New("x"))
	if got := state(); got != StateDown {
		t.Error(got)
	}
	must(t, r.RegisterServer("a", &fake{}, nil))
	if got := state(); got != StateReady {
		t.Error(got)
	}
	must(t, r.RegisterServer("a", nil, nil))
	if got := state(); got != StateNew {
		t.Error(got)
	}
	must(t, r.Close())
	r.RecordFailure("a", errors.New("y"))
	if got := r.Status()[0]; got.State != StateClosed || got.Error != "y" {
		t.Errorf("%+v", got)
	}
}

// A configuration that slips into a log or a print gives nothing away.
func TestServerConfigPrintsWithoutCredentials(t *testing.T) {
	const secret = "canary-0123456789"
	for _, cfg := range []ServerConfig{
		{Name: "web", URL: "https://u:" + secret + "@example.com/" + secret + "?k=" + secret,
			Headers: map[string]string{"Authorization": secret}, Secrets: map[string]string{"TOKEN": secret}},
		{Name: "local", Command: "npx", Args: []string{secret}, Env: map[string]string{"T": secret}},
	} {
		var logs bytes.Buffer
		slog.New(slog.NewJSONHandler(&logs, nil)).Info("x", "cfg", cfg)
		text := fmt.Sprintf("%v %+v %s %v", cfg, cfg, cfg, []ServerConfig{cfg}) + logs.String()
		if strings.Contains(text, "canary") || !strings.Contains(text, cfg.Name) {
			t.Errorf("printed %s", text)
		}
	}
}

func TestRedactedEndpoint(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"http://h:1/p":                 "http://h:1/p",
		"https://u:p@h/p?a=1&a=2&b#f":  "https://h/p?a=REDACTED&a=REDACTED&REDACTED", // b may be a token
		"https://h/p?":                 "https://h/p",
		"https://h/a%2Fb":              "https://h/a%2Fb",
		"https://u:p@h/%zz":            "",
		"https://h/p?a=%zz;x&tok%ZZen": "https://h/p?a=REDACTED&REDACTED",
	} {
		if got := redactedEndpoint(in, nil); got != want {
			t.Errorf("redactedEndpoint(%q) = %q, want %q", in, got, want)
		}
	}
}

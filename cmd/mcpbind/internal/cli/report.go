package cli

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/safetext"
	"github.com/mcpbind/mcpbind/runtime"
)

// Without -v so many warnings are shown of each server, and altogether.
const (
	maxPerServer = 5
	maxShown     = 40
)

// line says what became of a server; several lines when it failed at length.
func (w *workspace) line(r result) string {
	if r.err != nil {
		return safetext.Block(explain(r.target.Name, r.err), r.target.Name+": ") + "\n"
	}
	what := "unchanged"
	if r.written > 0 || r.removed > 0 {
		what = count(r.written, "file") + " written"
		if r.removed > 0 {
			what += fmt.Sprintf(", %d removed", r.removed)
		}
	}
	tools := count(r.tools, "tool")
	if r.stats.Tools != r.tools {
		tools = fmt.Sprintf("%d of %s", r.stats.Tools, tools)
	}
	return fmt.Sprintf("%s: %s -> %s, %s\n", r.target.Name, tools, path.Join(w.file.Output, r.target.pkg), what)
}

// explain is err without the server's name, which is printed before it.
func explain(server string, err error) string {
	return strings.TrimPrefix(err.Error(), fmt.Sprintf("server %q: ", server))
}

// advised returns the error of a connection or a call with the key of the
// configuration that mends it.
func (a *app) advised(t target, err error) error {
	if errors.Is(err, runtime.ErrAuthRequired) || errors.Is(err, runtime.ErrCheckHeaders) || errors.Is(err, runtime.ErrCheckAuth) {
		return a.advisedAuth(t, err)
	}
	for _, hint := range []struct {
		err error
		key string
	}{
		{runtime.ErrCheckURL, "url"},
		{runtime.ErrCheckCommand, "command"},
	} {
		if errors.Is(err, hint.err) {
			return t.placed(err, hint.err, hint.key, "")
		}
	}
	for _, limit := range []struct {
		err error
		key string
	}{
		{runtime.ErrCheckTimeout, "timeout"},
		{runtime.ErrCheckCallTimeout, "call_timeout"},
	} {
		if errors.Is(err, limit.err) {
			raises := fmt.Sprintf("servers.%s.%s raises the limit", t.Name, limit.key)
			return &reworded{strings.Replace(err.Error(), limit.err.Error(), raises, 1), err}
		}
	}
	return err
}

// advisedAuth returns the error of a server that wants credentials, or others, with the
// way to give it some.
func (a *app) advisedAuth(t target, err error) error {
	denied := errors.Is(err, runtime.ErrAuthRequired)
	if t.Auth == nil {
		more := ""
		if denied && len(t.Headers) == 0 {
			more = ": a token goes there, or set auth to log in"
		}
		return t.placed(err, runtime.ErrCheckHeaders, "headers", more)
	}
	text := strings.Replace(err.Error(), runtime.ErrCheckAuth.Error(), fmt.Sprintf("check servers.%s.auth", t.Name), 1)
	if denied && a.login == nil && runtime.Grant(t.Auth.Grant) != runtime.GrantClientCredentials {
		text += fmt.Sprintf(" (\"%s list %s --live --login\" asks for it, and keeps what comes of it)", self(), t.Name)
	}
	return &reworded{text, err}
}

// placed is err with the place of a key instead of the runtime's hint, which knows
// of no file. More that there is to say follows it.
func (t target) placed(err, hint error, key, more string) error {
	return &reworded{strings.Replace(err.Error(), hint.Error(), "check "+t.Place(key)+more, 1), err}
}

// A reworded error has another text than what it wraps.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }

// noteKept says what there still is of servers that failed.
func (w *workspace) noteKept(results []result) {
	var kept []string
	for _, r := range results {
		if r.err == nil {
			continue
		}
		if s, err := w.readSnapshot(r.target); err == nil && s != nil {
			kept = append(kept, r.target.Name)
		}
	}
	if len(kept) == 0 {
		return
	}
	text := "kept the snapshot and the package of " + strings.Join(kept, ", ")
	if !w.offline {
		text += fmt.Sprintf("; \"%s generate --offline\" works from the snapshots", self())
	}
	w.app.stderr.printf("%s\n", text)
}

// summarize prints diagnostics and totals.
func (a *app) summarize(results []result) error {
	var all []diag.Diagnostic
	var failures []error
	var tools, types, fields, raw, failed int
	for _, r := range results {
		all = append(all, r.diagnostics...)
		tools += r.stats.Tools
		types += r.stats.Types
		fields += r.stats.Fields
		raw += r.stats.Raw
		if r.err != nil {
			failed++
			failures = append(failures, r.err)
		}
	}
	a.diagnose(diag.Sort(all))
	a.stderr.printf("%s", count(len(results), "server"))
	if failed > 0 {
		a.stderr.printf(" (%d failed)", failed)
	}
	a.stderr.printf(": %s, %s, %s", count(tools, "tool"), count(types, "type"), count(fields, "field"))
	if raw > 0 {
		a.stderr.printf(" (%d of them raw JSON)", raw)
	}
	a.stderr.printf("\n")
	if code := worst(failures); code != exitOK {
		return reported{code}
	}
	return nil
}

// diagnose prints sorted diagnostics: with -v all, else the first warnings.
func (a *app) diagnose(ds []diag.Diagnostic) {
	shown, ofServer, server := 0, 0, ""
	notes, hidden := 0, 0
	for _, d := range ds {
		if d.Server != server {
			server, ofServer = d.Server, 0
		}
		switch {
		case a.verbose:
			a.stderr.print(diagnostic(d))
		case d.Severity == diag.Note:
			notes++
		case ofServer == maxPerServer || shown == maxShown:
			hidden++
		default:
			ofServer++
			shown++
			a.stderr.print(diagnostic(d))
		}
	}
	var rest []string
	if hidden > 0 {
		rest = append(rest, fmt.Sprintf("%d more %s", hidden, plural(hidden, "warning")))
	}
	if notes > 0 {
		rest = append(rest, count(notes, "note"))
	}
	if len(rest) > 0 {
		a.stderr.printf("%s; -v shows all\n", strings.Join(rest, " and "))
	}
}

// diagnostic is one line about a place in a schema.
func diagnostic(d diag.Diagnostic) string {
	where := d.Server
	if d.Tool != "" {
		where += ": " + safetext.LineN(d.Tool, 80)
	}
	if d.Pointer != "" {
		where += " " + safetext.LineN(d.Pointer, 200)
	}
	text := fmt.Sprintf("%s: %s: %s", d.Severity, where, safetext.LineN(d.Message, 400))
	if d.Hint != "" {
		text += "; " + safetext.LineN(d.Hint, 200)
	}
	return text + " [" + string(d.Code) + "]\n"
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

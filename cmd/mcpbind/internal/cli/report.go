package cli

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpbind/mcpbind/gen/diag"
	"github.com/mcpbind/mcpbind/internal/safetext"
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

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/drift"
)

// The values of generate --update.
const (
	updateAll        = "all"        // whatever the server says now
	updateCompatible = "compatible" // only what breaks nobody
)

// An incompatible error lists the changes for which a server was not updated.
type incompatible struct{ changes []drift.Change }

func (e *incompatible) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s not compatible, so nothing was written; without --update=compatible they are accepted", count(len(e.changes), "change"))
	for _, c := range e.changes {
		fmt.Fprintf(&b, "\n%s: %s", toolName(c.Tool), strings.TrimSpace(textOf(c)))
	}
	return b.String()
}

// refuse returns an [*incompatible] error when b changes more than the update may.
func (w *workspace) refuse(t target, b built) error {
	if w.update != updateCompatible {
		return nil
	}
	before, err := w.readSnapshot(t)
	if err != nil || before == nil { // a new server breaks nobody
		return err
	}
	changes, err := w.app.grade(t.Name, t.usage(), before, b.snapshot)
	if err != nil {
		return err
	}
	r := report{level: drift.Source}
	changes = slices.DeleteFunc(changes, func(c drift.Change) bool { return !r.counts(c) })
	if len(changes) > 0 {
		return &incompatible{changes}
	}
	return nil
}

// refused reports whether a server was not updated for its changes.
func refused(r result) bool {
	_, is := errors.AsType[*incompatible](r.err)
	return is
}

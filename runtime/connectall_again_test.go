package runtime

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A second ConnectAll replaces what connects and keeps what does not.
func TestConnectAllAgain(t *testing.T) {
	r := NewRegistry(quiet())
	first := fleet{"a": {tools: toolsNamed("x")}, "b": {tools: toolsNamed("y")}}
	first.connectAll(t.Context(), r, configs("a", "b"))
	second := fleet{"a": {tools: toolsNamed("x2")}, "b": {connect: after(0, errors.New("refused"))}}
	failed := second.connectAll(t.Context(), r, configs("a", "b"))
	if diff := cmp.Diff([]string{"x2=a/x2", "y=b/y"}, namespace(r)); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(failed, []string{"b"}) || first["a"].closes.Load() != 1 || first["b"].closes.Load() != 0 {
		t.Error(outcome(r, failed))
	}
	if res, err := r.CallTool(t.Context(), ToolCall{Server: "b", Name: "y"}); err != nil {
		t.Error(res, err)
	}
}

// Clients that are replaced are closed at once, and waited for within the context.
func TestConnectAllAgainIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		limit, closing, want time.Duration
	}{
		"in time":         {time.Minute, 2 * time.Second, 2 * time.Second},
		"out of time":     {time.Second, 2 * time.Second, time.Second},
		"some never end":  {time.Minute, time.Hour, closeTimeout},
		"nothing to wait": {time.Minute, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := configs("a", "b", "c", "d")
				first, second := fleet{}, fleet{}
				for _, cfg := range list {
					first[cfg.Name] = &dialFake{fake: fake{close: func() error { time.Sleep(c.closing); return nil }}}
					second[cfg.Name] = &dialFake{tools: toolsNamed(cfg.Name)}
				}
				r := NewRegistry(quiet())
				first.connectAll(t.Context(), r, list)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				for _, d := range second { // the last one that connects starts the clock
					d.connect = func(context.Context) error { time.AfterFunc(c.limit, cancel); return nil }
				}
				begin := time.Now()
				second.connectAll(ctx, r, list)
				if took := time.Since(begin); took != c.want {
					t.Errorf("it took %v, want %v", took, c.want)
				}
				time.Sleep(time.Hour)
				for _, cfg := range list {
					if n := first[cfg.Name].closes.Load(); n != 1 && r.Has(cfg.Name) {
						t.Errorf("the replaced client of %s was closed %d times", cfg.Name, n)
					}
				}
			})
		})
	}
}

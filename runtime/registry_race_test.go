package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

// Readers see whole registrations while servers come, go and are replaced.
func TestConcurrentUse(t *testing.T) {
	r := NewRegistry(WithCollision(CollidePrefix), quiet())
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	var wg sync.WaitGroup
	for _, server := range []string{"a", "b", "c"} {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if err := r.RegisterServer(server, &fake{}, toolsNamed("shared", fmt.Sprint("left", i%3), fmt.Sprint("right", i%3))); err != nil {
					t.Error(err)
				}
				r.RecordFailure(server, errors.New("shaky"))
			}
		})
	}
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				names := map[string]map[string]bool{}
				for _, tool := range r.Tools() {
					side, n := tool.WireName[:len(tool.WireName)-1], tool.WireName[len(tool.WireName)-1:]
					if names[tool.Server] == nil {
						names[tool.Server] = map[string]bool{}
					}
					if side != "share" {
						names[tool.Server][n] = true
					}
				}
				for server, generations := range names {
					if len(generations) > 1 {
						t.Errorf("half of a registration of %s is visible: %v", server, slices.Sorted(maps.Keys(generations)))
					}
				}
				if _, err := r.CallTool(t.Context(), ToolCall{Name: "shared"}); err != nil && !errors.Is(err, ErrUnknownTool) {
					t.Error(err)
				}
				_, _, _, _ = r.Has("shared"), r.Servers(), r.FailedServers(), r.Status()
			}
		})
	}
	wg.Wait()
	for range 4 {
		wg.Go(func() { _ = r.Close() })
		wg.Go(func() { _ = r.RegisterServer("late", &fake{}, toolsNamed("z")) })
	}
	wg.Wait()
}

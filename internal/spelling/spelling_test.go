package spelling_test

import (
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/spelling"
)

func TestNearest(t *testing.T) {
	tools := []string{"get-sum", "get-tiny-image", "echo", "a", "url", strings.Repeat("x", 1000)}
	for word, want := range map[string]string{
		"get_sum": "get-sum", "getsum": "get-sum", "GET-SUM": "get-sum", "get-smu": "get-sum",
		"sum": "get-sum", "ehco": "echo", "ulr": "url", "ur": "url", "lru": "", "tiny": "get-tiny-image",
		"b": "", "xyz": "", "eggo": "", "exco": "", "foo": "", "": "", "get": "get-sum",
		strings.Repeat("y", 999): "",
	} {
		if got := spelling.Nearest(word, tools); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
}

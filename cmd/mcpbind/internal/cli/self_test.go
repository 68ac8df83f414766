package cli

import (
	"strings"
	"testing"
)

func TestCalledAs(t *testing.T) {
	cached := "/home/ada/.cache/go-build/3f/" + strings.Repeat("3f", 32) + "-d/mcpbind"
	tool := "module example.com/shop\n\ntool github.com/mcpbind/mcpbind/cmd/mcpbind\n"
	for _, test := range []struct{ executable, mod, want string }{
		{"/home/ada/go/bin/mcpbind", tool, "mcpbind"},
		{cached, tool, "go tool mcpbind"},
		{cached, "module example.com/shop\n\ntool (\n\texample.com/x\n\tgithub.com/mcpbind/mcpbind/cmd/mcpbind\n)\n", "go tool mcpbind"},
		{cached, "module github.com/mcpbind/mcpbind\n", "go run ./cmd/mcpbind"},
		{"/tmp/go-build123/b001/exe/mcpbind", "module example.com/shop\n", "go run github.com/mcpbind/mcpbind/cmd/mcpbind"},
		{`/tmp/go-build123/b001/exe/mcpbind`, tool, "go tool mcpbind"},
	} {
		if got := calledAs(test.executable, test.mod); got != test.want {
			t.Errorf("%s in %q: got %q, want %q", test.executable, test.mod, got, test.want)
		}
	}
}

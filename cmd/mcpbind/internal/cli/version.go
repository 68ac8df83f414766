package cli

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// version is the module version of this executable, or "devel" where the build
// does not know one.
var version = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == modulePath && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
})

const modulePath = "github.com/mcpbind/mcpbind"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  takes(0),
		RunE: func(*cobra.Command, []string) error {
			a.stdout.printf("mcpbind %s\n", version())
			a.stdout.printf("snapshot format %d\n", snapshot.FormatVersion)
			a.stdout.printf("built with %s for %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

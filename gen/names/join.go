package names

import (
	"slices"
	"strings"
)

// Join puts two identifiers together and says the words they share once:
// SetLogLevel and Level give SetLogLevel, HfJobs and JobsStatus HfJobsStatus.
func Join(prefix, name string) string {
	before, after := cutAtCase(prefix), cutAtCase(name)
	for n := min(len(before), len(after)); n > 0; n-- {
		if slices.Equal(before[len(before)-n:], after[:n]) {
			return prefix + strings.Join(after[n:], "")
		}
	}
	return prefix + name
}

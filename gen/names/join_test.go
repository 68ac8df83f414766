package names

import (
	"slices"
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	for _, test := range []struct{ prefix, name, want string }{
		{"CreateIssue", "State", "CreateIssueState"},
		{"SetLogLevel", "Level", "SetLogLevel"},
		{"HfJobs", "JobsStatus", "HfJobsStatus"},
		{"UpdateTestRun", "TestRunState", "UpdateTestRunState"},
		{"ListIssues", "Issue", "ListIssuesIssue"},
		{"GetAPI", "APIKey", "GetAPIKey"},
		{"GetMAP", "APIKey", "GetMAPAPIKey"},
		{"Record", "Recorder", "RecordRecorder"},
		{"A", "A", "A"},
		{"", "A", "A"},
		{"X名称", "X名称", "X名称"},
	} {
		if got := Join(test.prefix, test.name); got != test.want {
			t.Errorf("Join(%q, %q) = %q, want %q", test.prefix, test.name, got, test.want)
		}
	}
}

// A long name is cut where it meets the next one only, which must make no
// difference.
func TestJoinLong(t *testing.T) {
	words := []string{"IDs", "URL", "S", "s", "HTTPServer", "Ö", "V1", "名称", "userIDs", "A", "Level", "LogLevel", "PDFs"}
	for i := range 5000 {
		prefix := "X"
		for n := i; n > 0; n /= len(words) {
			prefix += words[n%len(words)]
		}
		for _, name := range words {
			if got, want := Join(prefix, name), joinWhole(prefix, name); got != want {
				t.Errorf("Join(%q, %q) = %q, want %q", prefix, name, got, want)
			}
		}
	}
}

func joinWhole(prefix, name string) string {
	before, after := cutAtCase(prefix), cutAtCase(name)
	for n := min(len(before), len(after)); n > 0; n-- {
		if slices.Equal(before[len(before)-n:], after[:n]) {
			return prefix + strings.Join(after[n:], "")
		}
	}
	return prefix + name
}

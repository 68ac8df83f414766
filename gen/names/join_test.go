package names

import "testing"

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

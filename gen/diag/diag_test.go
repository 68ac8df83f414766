package diag_test

import (
	"slices"
	"testing"

	"github.com/mcpbind/mcpbind/gen/diag"
)

func TestSort(t *testing.T) {
	want := []diag.Diagnostic{
		{Server: "a", Tool: "", Code: "z", Message: "about the server first"},
		{Server: "a", Tool: "t", Pointer: "/inputSchema", Code: "b", Message: "1"},
		{Server: "a", Tool: "t", Pointer: "/inputSchema", Code: "b", Message: "2"},
		{Server: "a", Tool: "t", Pointer: "/inputSchema", Code: "c", Message: "1"},
		{Server: "a", Tool: "t", Pointer: "/outputSchema", Code: "a", Message: "1"},
		{Server: "a", Tool: "u", Code: "a"},
		{Server: "b", Tool: "s", Code: "a", Severity: diag.Warning, Hint: "kept"},
	}
	got := append(slices.Clone(want), want...) // everything twice
	slices.Reverse(got)
	if got = diag.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if got := diag.Sort(nil); len(got) != 0 {
		t.Errorf("Sort(nil) = %v", got)
	}
}

func TestSeverity(t *testing.T) {
	for severity, want := range map[diag.Severity]string{diag.Note: "note", diag.Warning: "warning"} {
		if got := severity.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package cli

import (
	"errors"
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/mcpbind/mcpbind/generated/demomcp"
	"github.com/mcpbind/mcpbind/internal/demo"
	"github.com/mcpbind/mcpbind/runtime"
)

// The checked-in package calls the demo server: what it was made for.
func TestTypedCalls(t *testing.T) {
	server := httptest.NewServer(demo.Handler("1"))
	defer server.Close()
	registry := runtime.NewRegistry(runtime.WithLogger(slog.New(slog.DiscardHandler)))
	defer func() { _ = registry.Close() }()
	if failed := runtime.ConnectAll(t.Context(), registry, []runtime.ServerConfig{{Name: "demo", URL: server.URL, Timeout: plenty}}); len(failed) > 0 {
		t.Fatal(registry.FailedServers())
	}
	ctx, tracker := t.Context(), demomcp.New(registry)

	const crash = 9007199254740993 // float64 would ask for ...992
	issue, err := tracker.GetIssue(ctx, demomcp.GetIssueInput{ID: crash})
	if err != nil || issue.ID != crash || len(issue.Parts) != 1 {
		t.Fatalf("issue %+v, %v", issue, err)
	}

	// Null is sent, absent is not: only the assignee changes.
	change, err := tracker.UpdateIssue(ctx, demomcp.UpdateIssueInput{ID: crash, Assignee: runtime.Null[string]()})
	if err != nil || len(change.Changed) != 1 || change.Changed[0] != "assignee" {
		t.Errorf("changed %+v, %v", change, err)
	}

	comment := demomcp.AddCommentContent{Value: demomcp.Code{Source: "list[0]", Lines: &demomcp.CodeLines{V0: 3, V1: 4}}}
	if _, err := tracker.AddComment(ctx, demomcp.AddCommentInput{Issue: crash, Content: comment}); err != nil {
		t.Error(err)
	}
	history, err := tracker.ListEvents(ctx, demomcp.ListEventsInput{Issue: crash})
	if err != nil {
		t.Fatal(err)
	}
	var kinds string
	for _, event := range history.Events {
		switch e := event.Value.(type) {
		case demomcp.ListEventsEventOpened:
			kinds += "opened by " + e.By + ", "
		case demomcp.ListEventsEventChanged:
			kinds += e.Property + " from " + string(e.From) + " to " + string(e.To) + ", "
		case demomcp.ListEventsEventCommented:
			kinds += "commented"
		default:
			t.Errorf("an event of unknown kind: %T", e)
		}
	}
	if want := `opened by ada, assignee from "grace" to null, commented`; kinds != want {
		t.Errorf("events %q, want %q", kinds, want)
	}

	where := demomcp.Condition{Value: demomcp.ConditionNot{Not: demomcp.Condition{Value: demomcp.Comparison{
		Property: "state", Is: &demomcp.ComparisonIs{Value: demomcp.ComparisonIsText("closed")},
	}}}}
	found, err := tracker.Query(ctx, demomcp.QueryInput{Where: where})
	if err != nil || len(found.IDs) != 2 {
		t.Errorf("found %+v, %v", found, err)
	}

	_, err = tracker.DeleteIssue(ctx, demomcp.DeleteIssueInput{ID: crash})
	if toolErr, ok := errors.AsType[*runtime.ToolError](err); !ok || toolErr.Tool != "delete_issue" {
		t.Errorf("deleting an issue with parts: %v", err)
	}
	if _, err := tracker.CreateIssue(ctx, demomcp.CreateIssueInput{}); !errors.Is(err, runtime.ErrInvalidArguments) {
		t.Errorf("creating an issue without title: %v", err)
	}
}

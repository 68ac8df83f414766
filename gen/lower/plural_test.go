package lower

import "testing"

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"Issues": "Issue", "Categories": "Category", "Addresses": "Address", "Classes": "Class", "Branches": "Branch",
		"Indexes": "Index", "Indices": "Index", "Cases": "Case", "Databases": "Database", "Responses": "Response",
		"Statuses": "Status", "Aliases": "Alias", "Canvases": "Canvas", "Focuses": "Focus", "Causes": "Cause", "Purchases": "Purchase",
		"Children": "Child", "TreeChildren": "TreeChild", "People": "Person", "Criteria": "Criterion", "Cookies": "Cookie",
		"Movies": "Movie", "Axes": "Axis", "Analyses": "Analysis", "UserIDs": "UserID", "Data": "Data",
		"Status": "Status", "Series": "Series", "News": "News", "Bus": "Bus", "Pass": "Pass", "X名称s": "X名称",
	} {
		if got := singular(plural); got != want {
			t.Errorf("singular(%q) = %q, want %q", plural, got, want)
		}
	}
}

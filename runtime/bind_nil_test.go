package runtime

import (
	"errors"
	"testing"
)

// A client that was made with nothing to call through says so at each call, whatever
// type the nothing has.
func TestBindOfNil(t *testing.T) {
	for name, caller := range map[string]Caller{
		"nil": nil, "registry": (*Registry)(nil), "client": (*StreamableHTTPClient)(nil), "child": (*StdioClient)(nil),
	} {
		for how, b := range map[string]Binding{
			"Bind":      Bind(caller, "shop"),
			"BindTools": BindTools(caller, "shop", []ToolSpec{searchTool}, WithDrift(DriftRefuse)),
		} {
			_, err := Call[searchOutput](t.Context(), b, searchTool, searchInput{})
			if call, ok := errors.AsType[*CallError](err); !ok || !errors.Is(err, ErrNotConnected) || call.Phase != PhaseRoute {
				t.Errorf("%s of %s: %v", how, name, err)
			}
		}
	}
}

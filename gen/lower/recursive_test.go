package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/snapshot"
)

// Definitions that hold unions of all of them, as syntax trees and filters do,
// are honest: n of them have n*n variants, and no more than that is looked at.
func TestDefinitionsOfUnionsOfAll(t *testing.T) {
	for _, n := range []int{5, 20, 40} {
		for _, own := range []string{`"kind":{"const":"n%"}`, `"name%":{"type":"string"}`} {
			refs, defs := make([]string, n), make([]string, n)
			for i := range refs {
				refs[i] = fmt.Sprintf(`{"$ref":"#/$defs/N%d"}`, i)
			}
			union := `{"anyOf":[` + strings.Join(refs, ",") + `]}`
			for i := range defs {
				defs[i] = fmt.Sprintf(`"N%d":{"type":"object","properties":{`, i) + strings.ReplaceAll(own, "%", fmt.Sprint(i)) +
					`,"id":{"type":"string"},"left":` + union + `,"right":` + union + `},"required":["left"]}`
			}
			r := lowerTools(t, Input{Tools: []snapshot.Tool{{Name: "t", InputSchema: parsed(
				`{"type":"object","properties":{"root":{"$ref":"#/$defs/N0"}},"$defs":{` + strings.Join(defs, ",") + `}}`)}}})
			if len(r.Diagnostics) > 0 {
				t.Errorf("%d with %s: %v", n, own, r.Diagnostics)
			}
			if r.Stats.Fields != 4*n+1 || r.Stats.Raw > 0 || r.Stats.Open > 0 {
				t.Errorf("%d with %s: %+v", n, own, r.Stats)
			}
		}
	}
}

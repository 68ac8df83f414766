package runtime

import (
	"encoding/json"
	"strings"
	"testing"
)

// Cursors are kept to know them again, and count like tools.
func TestCursorsAreBounded(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	page := json.RawMessage(`{"tools":[],"nextCursor":"` + strings.Repeat("x", size) + `"}`)
	var list listing
	var err error
	pages := 0
	for ; err == nil && pages < maxPages; pages++ {
		_, err = list.add(page)
	}
	if err == nil || pages > maxListSize/size {
		t.Errorf("%d pages, then %v", pages, err)
	}
}

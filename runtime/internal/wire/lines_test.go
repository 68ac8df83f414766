package wire

import (
	"strings"
	"testing"
)

// The id of a response that is too long is found on either side of its result, and
// nothing else is taken for it.
func TestCutID(t *testing.T) {
	t.Parallel()
	cut := func(begin, end string) string {
		long := strings.Repeat("x", 1<<10)
		return begin + long + "\n" + long + end
	}
	for name, c := range map[string]struct {
		line string
		want any // nil: none
	}{
		"before":               {cut(`{"jsonrpc":"2.0","id":7,"result":{"a":"`, `"}}`), int64(7)},
		"behind":               {cut(`{"result":{"a":"`, `"},"jsonrpc":"2.0","id":7}`), int64(7)},
		"behind, the last":     {cut(`{"jsonrpc":"2.0","result":{"a":"`, `"} , "id" : "q-1" }`), "q-1"},
		"in front of jsonrpc":  {cut(`{"result":{"a":"`, `"},"id":7,"jsonrpc":"2.0"}`), int64(7)},
		"of an error":          {cut(`{"error":{"code":1,"message":"`, `"},"jsonrpc":"2.0","id":7}`), int64(7)},
		"of a request":         {cut(`{"params":{"a":"`, `"},"method":"m","jsonrpc":"2.0","id":7}`), nil},
		"of a named request":   {cut(`{"method":"m","params":{"a":"`, `"},"jsonrpc":"2.0","id":7}`), nil},
		"within the result":    {cut(`{"jsonrpc":"2.0","result":{"a":"`, `","id":7}}`), nil},
		"within a string":      {cut(`{"jsonrpc":"2.0","result":{"a":"`, `,\"id\":7}"}}`), nil},
		"of no message at all": {cut(`starting`, `,"id":7}`), nil},
		"null":                 {cut(`{"result":{"a":"`, `"},"jsonrpc":"2.0","id":null}`), nil},
	} {
		id, ok := cutID([]byte(c.line))
		if ok != (c.want != nil) || ok && id.Raw() != c.want {
			t.Errorf("%s: %v, %v; want %v", name, id.Raw(), ok, c.want)
		}
	}
}

package wire

import "testing"

// The members of a message may come in any order, and it may be cut off behind what
// is looked for.
func TestHead(t *testing.T) {
	for data, want := range map[string]struct {
		id, method string
		ok         bool
	}{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`: {"1", "m", true},
		`{"params":{"id":2},"method":"m","id":1}`:           {"1", "m", true},
		`{"id":1,"method":"m","params":{"a":`:               {"1", "m", true},
		`{"method":"m","params":{},"id":1}`:                 {"", "m", true},
		`{"id":1,"result":{"a":`:                            {"1", "", false},
		`{"id":"a","method":1}`:                             {`"a"`, "", true},
	} {
		id, method, err := head([]byte(data))
		if string(id) != want.id || method != want.method || (err == nil) != want.ok {
			t.Errorf("%s: %s, %q, %v", data, id, method, err)
		}
	}
}

// The SDK gets no more of a list than a cursor, and that only when it is one.
func TestBriefList(t *testing.T) {
	for result, want := range map[string]string{
		`{"tools":[{"name":"a"}],"ttlMs":5}`:  `{"tools":[]}`,
		`{"nextCursor":"c","tools":[]}`:       `{"tools":[],"nextCursor":"c"}`,
		`{"tools":[],"nextCursor":null}`:      `{"tools":[]}`,
		`{"tools":[],"nextCursor":{"a":"b"}}`: `{"tools":[]}`,
	} {
		if got, err := briefList([]byte(result)); string(got) != want || err != nil {
			t.Errorf("%s: %s, %v", result, got, err)
		}
	}
}

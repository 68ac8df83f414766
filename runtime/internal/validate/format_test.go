package validate

import "testing"

// TestReferences holds that no host is refused that RFC 3986 allows.
func TestReferences(t *testing.T) {
	for text, want := range map[string]bool{
		"http://[v1.fe]": true, "http://[V1.fe]:80/a?b#c": true, "http://a%41.example/%41": true,
		"http://[2001:db8::1]/": true, "http://u%40v@a.example": true, "urn:x:%41": true,
		"http://[v1]": false, "http://[::zz]": false, "http://a.example/%4": false, "http://a%4.example": false,
		"http://a.example:port": false, "/a": false,
	} {
		for _, name := range []string{"uri", "iri"} {
			if got := formats[name].valid(text); got != want {
				t.Errorf("%s %q: valid is %v", name, text, got)
			}
		}
	}
}

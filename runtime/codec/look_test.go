package codec_test

import "testing"

// kindEF is one more object told by the key k.
type kindEF struct {
	K string `json:"k" enum:"[\"e\",\"f\"]"`
	X string `json:"x"`
}

// Of duplicate keys the last tells, though the first is found sooner, and one that
// tells nothing takes back what an earlier one told. A constant is checked again when
// its variant is decoded, an enum is not.
func TestLastDiscriminatorTells(t *testing.T) {
	for text, want := range map[string]int{
		`{"k":"a","x":1,"k":"b"}`: 1,
		`{"k":"b","x":1,"k":"a"}`: 0,
		`{"k":"a","x":1,"k":"z"}`: 2,
	} {
		if got, out, err := choice[either[kindA, kindB]](text); err != nil || got != want {
			t.Errorf("%s: variant %d, %s, %v, want %d", text, got, out, err, want)
		}
	}
	for text, want := range map[string]int{
		`{"k":"c","x":"s","k":"e"}`: 1,
		`{"k":"e","x":"s","k":"d"}`: 0,
		`{"k":"c","x":"s","k":"z"}`: 2,
	} {
		if got, out, err := choice[either[kindCD, kindEF]](text); err != nil || got != want {
			t.Errorf("%s: variant %d, %s, %v, want %d", text, got, out, err, want)
		}
	}
}

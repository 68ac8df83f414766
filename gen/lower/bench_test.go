package lower

import "testing"

func BenchmarkCorpus(b *testing.B) {
	all := catalogs(b, "corpus/*.json")
	for b.Loop() {
		for name, tools := range all {
			if _, err := Lower(Input{Server: name, Tools: tools}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

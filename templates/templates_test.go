package templates_test

import (
	"go/format"
	"testing"

	"github.com/mcpbind/mcpbind/templates"
)

func TestGenerateIsFormatted(t *testing.T) {
	for _, data := range []templates.Generate{{Package: "main", Tagged: true}, {Package: "shop"}} {
		got, err := templates.Execute("generate.go", data)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := format.Source(got); err != nil || string(want) != string(got) {
			t.Errorf("%+v: not formatted (%v):\n%s", data, err, got)
		}
	}
}

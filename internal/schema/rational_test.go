package schema_test

import (
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
)

func TestRational(t *testing.T) {
	for literal, want := range map[string]string{
		"1.50":    "3/2",
		"-0":      "0/1",
		"1e3":     "1000/1",
		"1e1000":  "", // an exponent of four digits
		"1e-1000": "",
		"1x":      "",
	} {
		got := ""
		if r := schema.Rational(literal); r != nil {
			got = r.String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", literal, got, want)
		}
	}
	if schema.Rational("1e999") == nil {
		t.Error("1e999 is refused")
	}
}

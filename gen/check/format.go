package check

import (
	"bytes"
	"errors"
	"go/ast"
	"go/printer"
)

// gofmt is the layout of go/format, which would parse the source once more.
var gofmt = printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}

// format returns src, which f was parsed from, in the layout of gofmt. What was
// checked is what will be written: it may differ from src in white space only.
func (c *checker) format(f *ast.File, src []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/8)
	if err := gofmt.Fprint(&out, c.fset, f); err != nil {
		return nil, err
	}
	if !sameButBlanks(out.Bytes(), src) {
		return nil, errors.New("gofmt changes more than white space")
	}
	return out.Bytes(), nil
}

// sameButBlanks reports whether a and b are equal without their white space.
func sameButBlanks(a, b []byte) bool {
	next := func(text []byte) []byte { return bytes.TrimLeft(text, " \t\n") }
	for a, b = next(a), next(b); len(a) > 0 && len(b) > 0; a, b = next(a[1:]), next(b[1:]) {
		if a[0] != b[0] {
			return false
		}
	}
	return len(a) == len(b)
}

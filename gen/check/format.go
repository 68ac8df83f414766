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
	i, j := 0, 0
	for {
		for i < len(a) && isBlank(a[i]) {
			i++
		}
		for j < len(b) && isBlank(b[j]) {
			j++
		}
		switch {
		case i == len(a) || j == len(b):
			return i == len(a) && j == len(b)
		case a[i] != b[j]:
			return false
		}
		i, j = i+1, j+1
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

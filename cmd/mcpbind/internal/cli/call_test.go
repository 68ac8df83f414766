package cli

import (
	"strings"
	"testing"
)

// spaces is a reader without an end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A pipe without an end is told of as that, not as something that is no JSON.
func TestArgumentsWithoutEnd(t *testing.T) {
	a := &app{stdin: spaces{}}
	if _, err := a.arguments("-"); err == nil || !strings.Contains(err.Error(), "more than 67108864 bytes on stdin") {
		t.Errorf("arguments: %v", err)
	}
}

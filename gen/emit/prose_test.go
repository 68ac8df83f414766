package emit

import (
	"go/doc/comment"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen/model"
)

// What go doc makes of a server's words must be what the server meant by them.
func TestProse(t *testing.T) {
	tests := []struct {
		name, server string
		want         string // the blocks of the comment between lead and facts
	}{
		{"one line without a full stop", "Echoes back the input string", "paragraph(Echoes back the input string.)"},
		{"one line with a full stop", "Echoes back the input string.", "paragraph(Echoes back the input string.)"},
		{"line among paragraphs", "First of all.\n\nMind the gap\n\nThen more.", "paragraph(First of all.) paragraph(Mind the gap.) paragraph(Then more.)"},
		{"heading of the server", "First.\n\n# Usage\n\nMore.", "paragraph(First.) heading(Usage) paragraph(More.)"},
		{"list", "Takes one of:\n- a\n- b\nand no more.", "paragraph(Takes one of:) list(a|b) paragraph(and no more.)"},
		{"list of stars", "* a\n* b", "list(a|b)"},
		{"list with lines", "- a\n  goes on\n- b", "list(a goes on|b)"},
		{"numbers", "Steps:\n1. a\n2. b", "paragraph(Steps:) list(a|b)"},
		{"number by chance", "It was made in\n99. It still runs.", "paragraph(It was made in 99. It still runs.)"},
		{"dash in text", "A - b", "paragraph(A - b.)"},
		{"code", "Args:\n    a: text", "paragraph(Args:) code(a: text)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := model.Doc{Lead: "Echo calls the \"echo\" tool.", Server: test.server, Facts: []string{"The server says: read-only."}}
			lines := outer(d)
			var parser comment.Parser
			blocks := parser.Parse(strings.Join(lines, "\n")).Content
			var got []string
			for _, b := range blocks[1 : len(blocks)-1] {
				got = append(got, describe(b))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s\n%s", got, test.want, strings.Join(lines, "\n"))
			}
		})
	}
}

func describe(b comment.Block) string {
	var printer comment.Printer
	text := func(blocks ...comment.Block) string {
		printed := string(printer.Comment(&comment.Doc{Content: blocks}))
		return strings.Join(strings.Fields(printed), " ")
	}
	switch b := b.(type) {
	case *comment.Heading:
		return "heading(" + strings.TrimPrefix(text(b), "# ") + ")"
	case *comment.List:
		var items []string
		for _, item := range b.Items {
			items = append(items, text(item.Content...))
		}
		return "list(" + strings.Join(items, "|") + ")"
	case *comment.Code:
		return "code(" + text(b) + ")"
	default:
		return "paragraph(" + text(b) + ")"
	}
}

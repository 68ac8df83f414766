package safetext_test

import (
	"fmt"

	"github.com/mcpbind/mcpbind/internal/safetext"
)

func ExampleLine() {
	fmt.Println(safetext.Line("deletes \x1b[8mall\x1b[0m\nfiles"))
	// Output: deletes \x1b[8mall\x1b[0m files
}

func ExampleBlock() {
	fmt.Println(safetext.Block("Finds orders.\n\n::error::not an error", "  "))
	// Output:
	// Finds orders.
	//
	//   : :error::not an error
}

func ExampleMarkdown() {
	fmt.Println(safetext.Markdown("ask @admin | see [docs](https://example.com)"))
	// Output: ask @&#8203;admin \| see \[docs\]\(https:&#8203;//example.com\)
}

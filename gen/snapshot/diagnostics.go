package snapshot

import (
	"fmt"

	"github.com/mcpbind/mcpbind/gen/diag"
)

// The diagnostics of [New]. docs/diagnostics.md is made from these comments.
const (
	// CodeToolSkipped: a tool cannot be read, has no name or one of more than 1 KiB, or its name holds a secret of this server. It is left out; the others are not touched.
	CodeToolSkipped diag.Code = "tool-skipped"
	// CodeToolDuplicate: the server advertises two tools of one name. Only the first counts.
	CodeToolDuplicate diag.Code = "tool-duplicate"
	// CodeMemberIgnored: a member of a tool, such as title or annotations, has the wrong kind. It is left out.
	CodeMemberIgnored diag.Code = "member-ignored"
	// CodeSchemaDropped: a schema is no JSON, too deeply nested or too large. It is stored as {}, so that part is raw JSON.
	CodeSchemaDropped diag.Code = "schema-dropped"
	// CodeSecretRedacted: the server repeats a value that its own configuration took from a variable. That part is not stored, and becomes raw JSON.
	CodeSecretRedacted diag.Code = "secret-redacted"
)

// hints says what to do about a diagnostic, by code.
var hints = map[diag.Code]string{
	CodeToolSkipped:    "ask the server's authors to correct the tool's entry",
	CodeToolDuplicate:  "ask the server's authors to rename one of them",
	CodeMemberIgnored:  "ask the server's authors to correct the member",
	CodeSchemaDropped:  "ask the server's authors for a smaller, valid schema",
	CodeSecretRedacted: "ask the server's authors not to repeat what they are sent, or change the secret",
}

func (b *builder) report(tool, pointer string, code diag.Code, format string, args ...any) {
	b.diagnostics = append(b.diagnostics, diag.Diagnostic{
		Tool: tool, Pointer: pointer, Code: code, Severity: diag.Warning,
		Message: b.redactor.Text(fmt.Sprintf(format, args...)), Hint: hints[code],
	})
}

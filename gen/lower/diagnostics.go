package lower

import (
	"github.com/mcpbind/mcpbind/gen/diag"
)

// The diagnostics of lowering. docs/diagnostics.md is made from these comments.
const (
	// CodeSchemaMissing: a tool has no inputSchema, or null. Its arguments are raw JSON.
	CodeSchemaMissing diag.Code = "schema-missing"
	// CodeRootNotObject: the arguments' schema does not allow an object. The arguments are raw JSON.
	CodeRootNotObject diag.Code = "root-not-object"
	// CodeRootNullable: the arguments' schema allows more than objects. MCP sends objects only, so the rest is ignored.
	CodeRootNullable diag.Code = "root-not-only-object"
	// CodeUnknownDialect: $schema names a dialect that mcpbind does not read. The schema is read as raw JSON.
	CodeUnknownDialect diag.Code = "unknown-dialect"
	// CodeMalformedKeyword: a keyword has a value of the wrong type. The keyword is ignored.
	CodeMalformedKeyword diag.Code = "malformed-keyword"
	// CodeUnknownType: the type keyword names no JSON type. The keyword is ignored.
	CodeUnknownType diag.Code = "unknown-type"
	// CodeBadPattern: a pattern is no regular expression of ECMA-262, or longer than 4 KiB. No value is checked by it.
	CodeBadPattern diag.Code = "bad-pattern"
	// CodeRemoteRef: a $ref leaves the document. Nothing is ever fetched, so that part is raw JSON.
	CodeRemoteRef diag.Code = "remote-ref"
	// CodeBrokenRef: a $ref points at nothing. That part is raw JSON.
	CodeBrokenRef diag.Code = "broken-ref"
	// CodeRefCycle: references lead back to themselves with nothing between. That part is raw JSON.
	CodeRefCycle diag.Code = "ref-cycle"
	// CodeDynamicRef: $dynamicRef or $recursiveRef depends on who refers. It gives no type.
	CodeDynamicRef diag.Code = "dynamic-ref"
	// CodeIncompatible: parts that must all hold contradict each other. The type is the loosest that fits some of them.
	CodeIncompatible diag.Code = "incompatible-parts"
	// CodeTooComplex: a schema needs more work than any honest one. What is left of it is raw JSON.
	CodeTooComplex diag.Code = "too-complex"
	// CodeRootVariants: the arguments are one of several objects. They become one struct with the fields of all.
	CodeRootVariants diag.Code = "root-variants"
	// CodeMixedExtra: the keys that a map or Extra may hold have no type in common. Its values are untyped.
	CodeMixedExtra diag.Code = "mixed-extra"
	// CodeOpenAlternative: a property or item has a type in one alternative, and can be anything in another. It is untyped.
	CodeOpenAlternative diag.Code = "open-alternative"
	// CodeConditionalKey: a property stands only under if, then, else or dependentSchemas. It has no field.
	CodeConditionalKey diag.Code = "conditional-property"
	// CodeForbiddenKey: a declared property is ruled out by another part of the schema. It has no field.
	CodeForbiddenKey diag.Code = "forbidden-property"
	// CodeUnusedBinding: a binding in the configuration names no definition or place of this server.
	CodeUnusedBinding diag.Code = "unused-binding"
	// CodeVariantBinding: a binding names a variant of a union, which has to be a type of ours. It is ignored there.
	CodeVariantBinding diag.Code = "variant-binding"
	// CodeUnusedRename: a rename in the configuration names no tool of this server.
	CodeUnusedRename diag.Code = "unused-rename"
	// CodeRenameTaken: a rename in the configuration asks for a name that another tool has, or takes it from one. One of them gets another name.
	CodeRenameTaken diag.Code = "rename-taken"
	// CodeUnusedPattern: a pattern of include or exclude fits no tool of this server.
	CodeUnusedPattern diag.Code = "unused-pattern"
	// CodeNoTools: include and exclude leave no tool.
	CodeNoTools diag.Code = "no-tools"
	// CodeToolRejected: no Go that passes its check comes of the tool's schemas. Its arguments and result are raw JSON.
	CodeToolRejected diag.Code = "tool-rejected"
)

// hints says what to do about a diagnostic, by code.
var hints = map[diag.Code]string{
	CodeSchemaMissing:    "pass the arguments as JSON; ask the server's authors for an inputSchema",
	CodeRootNotObject:    "pass the arguments as JSON; MCP wants an inputSchema of type object",
	CodeRootNullable:     "nothing: arguments are always sent as an object",
	CodeUnknownDialect:   "ask the server's authors for JSON Schema 2020-12 or draft-07",
	CodeMalformedKeyword: "ask the server's authors to correct the keyword",
	CodeUnknownType:      "ask the server's authors to use a JSON Schema type",
	CodeBadPattern:       "ask the server's authors to correct the pattern",
	CodeRemoteRef:        "ask the server's authors to put the definition under $defs",
	CodeBrokenRef:        "ask the server's authors to correct the $ref",
	CodeRefCycle:         "ask the server's authors to correct the $ref",
	CodeDynamicRef:       "use $ref",
	CodeIncompatible:     "no value may satisfy this schema; ask the server's authors",
	CodeTooComplex:       "exclude the tool, or ask the server's authors for a simpler schema",
	CodeRootVariants:     "read the tool's documentation for which fields go together; arguments are validated before they are sent",
	CodeMixedExtra:       "decode the values by hand",
	CodeOpenAlternative:  "ask the server's authors to say the same in every alternative, or to rule it out with additionalProperties: false",
	CodeConditionalKey:   "set keep_unknown to pass such keys",
	CodeForbiddenKey:     "nothing: no value may have that key",
	CodeUnusedBinding:    "correct or remove the entry under go.bindings; it is a key of $defs, or a place such as tool#/inputSchema/properties/x",
	CodeVariantBinding:   "bind the whole union",
	CodeUnusedRename:     "correct or remove the entry under go.rename",
	CodeRenameTaken:      "give each of the tools a name of its own under go.rename",
	CodeUnusedPattern:    "correct or remove the pattern; * is any run of characters, ? is one",
	CodeNoTools:          "correct tools.include and tools.exclude",
	CodeToolRejected:     "this is a bug in mcpbind, please report the schema; until it is mended, pass the arguments as JSON",
}

// say records a diagnostic about a place in s's schema.
func (s *side) say(severity diag.Severity, code diag.Code, pointer, message string) {
	s.p.say(severity, code, s.tool.wire, s.root+pointer, message)
}

func (p *lowering) say(severity diag.Severity, code diag.Code, tool, pointer, message string) {
	d := diag.Diagnostic{
		Server: p.in.Server, Tool: tool, Pointer: pointer,
		Code: code, Severity: severity, Message: message, Hint: hints[code],
	}
	if !p.said[d] { // a schema is looked at from many sides
		p.said[d] = true
		p.diags = append(p.diags, d)
	}
}

// Package schema reads JSON Schema documents: ordered, exact, of every dialect
// from draft-04 to 2020-12, with references resolved inside the document only.
//
// In: JSON text of one schema. Out: a [Value] tree, a [Document] that resolves
// $ref, the canonical form and its digest. It knows no Go types, opens no file
// and no network, and imports nothing of mcpbind.
package schema

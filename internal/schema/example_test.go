package schema_test

import (
	"fmt"

	"github.com/mcpbind/mcpbind/internal/schema"
)

func ExampleDocument_Resolve() {
	root, err := schema.Parse([]byte(`{
		"properties": {"owner": {"$ref": "#person"}},
		"$defs": {"P": {"$anchor": "person", "type": "object"}}
	}`))
	if err != nil {
		panic(err)
	}
	doc, err := schema.NewDocument(root)
	if err != nil {
		panic(err)
	}
	owner := doc.RootNode().Child("properties").Child("owner")
	target, err := doc.Resolve(owner, owner.Value.Get("$ref").Text)
	fmt.Println(target.Pointer, target.Value.JSON(), err)

	_, err = doc.Resolve(owner, "https://example.com/person.json")
	fmt.Println(err)
	// Output:
	// /$defs/P {"$anchor":"person","type":"object"} <nil>
	// $ref "https://example.com/person.json": reference leaves the document
}

func ExampleCanonical() {
	v, err := schema.Parse([]byte(`{
		"type": ["string", "null"],
		"title": "left out",
		"properties": {"title": {"maximum": 1e2}}
	}`))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", schema.Canonical(v))
	// Output: {"properties":{"title":{"maximum":100}},"type":["null","string"]}
}

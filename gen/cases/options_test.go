package cases

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
)

const orderSchema = `{"type":"object",
	"properties":{
		"id":{"type":"integer"},
		"weight":{"type":"number"},
		"at":{"type":"string","format":"date-time"},
		"day":{"type":"string","format":"date"},
		"price":{"$ref":"#/$defs/Price"},
		"tip":{"type":"string","pattern":"[A-Z]$"},
		"seen":{"type":"array","items":{"type":"string","format":"date-time"}}},
	"required":["id","weight","at","day","price"],
	"$defs":{"Price":{"type":"string"}}}`

// TestOptions compiles and runs a package made with every option that a server
// can have: exact numbers, unknown keys, times, bindings by definition and by
// place, a method renamed and a tool left out.
func TestOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	snap, _, err := snapshot.New(snapshot.Catalog{Tools: []json.RawMessage{
		rawTool("create_order", "", json.RawMessage(orderSchema), json.RawMessage(orderSchema)),
		rawTool("delete_order", "", json.RawMessage(orderSchema), nil),
	}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(gen.Input{Snapshot: snap, Server: "shop", Source: "snapshots/shop.json", Options: lower.Options{
		Package: "shop", Exclude: []string{"delete_*"}, Rename: map[string]string{"create_order": "PlaceOrder"},
		Numbers: lower.NumbersExact, KeepUnknown: true, Formats: map[string]string{"date-time": "time"},
		Bindings: map[string]string{
			"Price": module + "/money.Amount",
			"create_order#/inputSchema/properties/tip":  module + "/money.Amount",
			"create_order#/outputSchema/properties/tip": module + "/money.Amount",
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range out.Diagnostics {
		t.Error(describe(d))
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	writeGoMod(t, dir, root)
	for name, src := range out.Files {
		writeFile(t, filepath.Join(dir, "shop", name), src)
	}
	for source, name := range map[string]string{"options.go.txt": "main.go", "money.go.txt": "money/money.go"} {
		src, err := os.ReadFile(filepath.Join("testdata", source))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), src)
	}
	got, err := goCommand(t, dir, "run", "-trimpath", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Files["types_gen.go"])
	}
	want := `{"id":123456789012345678901234567890,"weight":0.10,"at":"2026-11-30T21:00:00.12+01:00","day":"2026-12-01","price":"12.50 EUR","tip":"0.05 EUR","seen":["1970-01-01T00:00:00Z"],"later":[1.0]}
true 1250 5 true 123456789012345678901234567890 [1.0]
at "/price": money.Amount does not take the value
at "/at": time.Time does not take the value
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

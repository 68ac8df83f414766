package schema_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// A sharedTool is one tool of the shared test data.
type sharedTool struct {
	where       string // file and tool
	annotations *schema.Value
	schemas     []*schema.Value // input, output; nil for none
}

// sharedTools reads every tool of the catalogs or cases that match pattern.
func sharedTools(t *testing.T, pattern string) []sharedTool {
	t.Helper()
	var tools []sharedTool
	for _, file := range testshared.Files(t, pattern) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := schema.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list := []*schema.Value{v.Get("tool")}
		if all := v.Get("tools"); all != nil {
			list = all.Items
		}
		for _, tool := range list {
			tools = append(tools, sharedTool{
				where:       filepath.Base(file) + " " + tool.Get("name").JSON(),
				annotations: tool.Get("annotations"),
				schemas:     []*schema.Value{tool.Get("inputSchema"), tool.Get("outputSchema")},
			})
		}
	}
	return tools
}

// references returns every $ref that stands at a schema position at or below n.
func references(n schema.Node) []schema.Node {
	var found []schema.Node
	if ref := n.Value.Get("$ref"); ref != nil && ref.Kind == schema.String {
		found = append(found, n)
	}
	for sub := range n.Subschemas() {
		found = append(found, references(sub)...)
	}
	return found
}

func TestSharedReferencesResolve(t *testing.T) {
	// Files whose point is a reference that cannot be followed.
	dead := map[string]error{
		"004-external-network-ref.json": schema.ErrRemote,
	}
	total := 0
	for _, pattern := range []string{"corpus/*.json", "cases/*/*.json", "jsts/*/*.json"} {
		for _, tool := range sharedTools(t, pattern) {
			for _, root := range tool.schemas {
				if root == nil {
					continue
				}
				d, err := schema.NewDocument(root)
				if err != nil {
					if !strings.Contains(tool.where, "dialect") {
						t.Errorf("%s: %v", tool.where, err)
					}
					continue
				}
				for _, n := range references(d.RootNode()) {
					total++
					ref := n.Value.Get("$ref").Text
					target, err := d.Resolve(n, ref)
					file, _, _ := strings.Cut(tool.where, " ")
					if !errors.Is(err, dead[file]) {
						t.Errorf("%s: %q at %s: %v", tool.where, ref, n.Pointer, err)
					}
					if err == nil && walk(d, target.Pointer).Value != target.Value {
						t.Errorf("%s: %q leads to %s, where another value is", tool.where, ref, target.Pointer)
					}
				}
			}
		}
	}
	t.Logf("%d references", total)
}

// shuffled returns v with the members of every object in random order.
func shuffled(v *schema.Value, r *rand.Rand) *schema.Value {
	if v == nil {
		return nil
	}
	out := *v
	out.Items, out.Members = nil, nil
	for _, item := range v.Items {
		out.Items = append(out.Items, shuffled(item, r))
	}
	for _, m := range v.Members {
		out.Members = append(out.Members, schema.Member{Name: m.Name, Value: shuffled(m.Value, r)})
	}
	r.Shuffle(len(out.Members), func(i, j int) {
		out.Members[i], out.Members[j] = out.Members[j], out.Members[i]
	})
	again, err := schema.Parse(out.AppendJSON(nil))
	if err != nil {
		panic(err)
	}
	return again
}

func TestSharedDigestsAreStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tool := range sharedTools(t, "corpus/*.json") {
		in, out := tool.schemas[0], tool.schemas[1]
		want := schema.Digest(tool.annotations, in, out)
		mixedIn, mixedOut := shuffled(in, r), shuffled(out, r)
		if got := schema.Digest(shuffled(tool.annotations, r), mixedIn, mixedOut); got != want {
			t.Errorf("%s: shuffled keys change the digest", tool.where)
		}
		if !schema.SameText(in, mixedIn) || !schema.Equal(out, mixedOut) {
			t.Errorf("%s: shuffled keys make another schema", tool.where)
		}
		if in != nil {
			canonical, err := schema.Parse(schema.Canonical(in))
			if err != nil {
				t.Errorf("%s: canonical form: %v", tool.where, err)
				continue
			}
			if string(schema.Canonical(canonical)) != string(schema.Canonical(in)) {
				t.Errorf("%s: the canonical form has another canonical form", tool.where)
			}
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"required":["b","a"],"type":["null","string"],"maximum":1.0}`, `{"properties":{"title":{"title":"t"}},"items":[true]}`, `[1e5,"x"]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := schema.Parse(data)
		if err != nil {
			return
		}
		canonical := schema.Canonical(v)
		if !json.Valid(canonical) {
			t.Fatalf("canonical form of %s is no JSON: %s", data, canonical)
		}
		if len(canonical) > 25*len(data)+25 {
			t.Fatalf("%d bytes became %d", len(data), len(canonical))
		}
		mixed := shuffled(v, rand.New(rand.NewPCG(1, uint64(len(data)))))
		if string(schema.Canonical(mixed)) != string(canonical) {
			t.Fatalf("shuffled keys change the canonical form of %s", data)
		}
		if !schema.Equal(v, mixed) || !schema.SameText(v, mixed) {
			t.Fatalf("shuffled keys make another value of %s", data)
		}
	})
}

func FuzzResolve(f *testing.F) {
	f.Add([]byte(`{"$id":"https://e.com/a/","$defs":{"A":{"$id":"b","$anchor":"x"}}}`), "b#x")
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-04/schema#","definitions":{"A":{"id":"#x"}}}`), "#x")
	f.Add([]byte(`{"$defs":{"a/b":{"items":[{}]}}}`), "#/$defs/a~1b/items/0")
	f.Add([]byte(`{"$id":"urn:x:y"}`), "urn:x:y#")
	f.Fuzz(func(t *testing.T, data []byte, ref string) {
		v, err := schema.Parse(data)
		if err != nil {
			return
		}
		d, err := schema.NewDocument(v)
		if err != nil {
			return
		}
		from := d.RootNode()
		for n := range from.Subschemas() {
			from = n
		}
		target, err := d.Resolve(from, ref)
		switch {
		case err != nil && !errors.Is(err, schema.ErrRemote) && !errors.Is(err, schema.ErrNotFound):
			t.Fatalf("unexpected error %v", err)
		case err == nil && (target.Value == nil || walk(d, target.Pointer).Value != target.Value):
			t.Fatalf("%q leads to %q, where another value is", ref, target.Pointer)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1.0,"\ud800",null,true],"a":{}}`, ` [ ] `, `"\u0000"`, strings.Repeat("[", 300)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := schema.Parse(data)
		if err != nil {
			return
		}
		again, err := schema.Parse(v.AppendJSON(nil))
		if err != nil {
			t.Fatalf("its own text of %s: %v", data, err)
		}
		if !schema.SameText(v, again) || v.JSON() != again.JSON() {
			t.Fatalf("%s changes when written and read", data)
		}
	})
}

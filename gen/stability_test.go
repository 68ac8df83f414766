package gen_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpbind/mcpbind/gen"
	"github.com/mcpbind/mcpbind/gen/lower"
	"github.com/mcpbind/mcpbind/gen/snapshot"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/internal/testshared"
)

// TestCorpusStable changes every catalog of the corpus where it hurts. No name
// may change, neither in that run nor when generating from the stored snapshot
// alone. Under the race detector one in ten has to do.
func TestCorpusStable(t *testing.T) {
	if testing.Short() {
		t.Skip("generates the corpus several times")
	}
	for i, path := range testshared.Files(t, "corpus/*.json") {
		if underRace && i%10 != 0 {
			continue
		}
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			catalog, err := snapshot.ParseCatalog(data)
			if err != nil {
				t.Fatal(err)
			}
			checkStable(t, server, catalog)
		})
	}
}

func TestStable(t *testing.T) {
	for _, c := range loadCases(t, "cases") {
		data, err := os.ReadFile(filepath.Join(c.dir, "catalog.json"))
		if err != nil {
			t.Fatal(err)
		}
		catalog, err := snapshot.ParseCatalog(data)
		if err != nil {
			t.Fatal(err)
		}
		checkStable(t, c.name, catalog)
	}
}

func checkStable(t *testing.T, server string, catalog snapshot.Catalog) {
	t.Helper()
	before, _, err := snapshot.New(catalog, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := gen.LowerStable(gen.Input{Snapshot: before, Server: server})
	if err != nil {
		t.Fatal(err)
	}
	before = withPins(before, first.Pins)
	names := namesOf(t, server, before)
	for what, change := range map[string]func(*testing.T, snapshot.Catalog) snapshot.Catalog{
		"rivals": grown, "variants": withVariants, "reversed": reversed,
	} {
		if what == "reversed" && refersByIndex(catalog) {
			continue
		}
		after, _, err := snapshot.New(change(t, catalog), before, nil)
		if err != nil {
			t.Fatal(err)
		}
		second, err := gen.LowerStable(gen.Input{Snapshot: after, Previous: before, Server: server})
		if err != nil {
			t.Fatal(err)
		}
		stored := namesOf(t, server, withPins(after, second.Pins))
		for owner, name := range names {
			if now := stored[owner]; now != name {
				t.Errorf("%s, %s: %s was %s, is %q", server, what, owner, name, now)
			}
		}
	}
}

// namesOf returns the names that a snapshot gives with its own pins only.
func namesOf(t *testing.T, server string, s *snapshot.Snapshot) map[string]string {
	t.Helper()
	result, err := lower.Lower(lower.Input{Server: server, Tools: s.Tools, Digests: s.Digests, Pins: s.Pins})
	if err != nil {
		t.Fatal(err)
	}
	return result.Names
}

// changed returns the catalog with every schema changed.
func changed(t *testing.T, c snapshot.Catalog, change func(*schema.Value) *schema.Value) snapshot.Catalog {
	t.Helper()
	out := snapshot.Catalog{Observed: c.Observed}
	for _, raw := range c.Tools {
		tool, err := schema.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		members := []schema.Member{}
		for _, m := range tool.Members {
			if m.Name == "inputSchema" || m.Name == "outputSchema" {
				m.Value = change(m.Value)
			}
			members = append(members, m)
		}
		out.Tools = append(out.Tools, json.RawMessage((&schema.Value{Kind: schema.Object, Members: members}).AppendJSON(nil)))
	}
	return out
}

// each returns v with f applied to all that is in it, and then to itself.
func each(v *schema.Value, f func(keyword string, v *schema.Value) *schema.Value) *schema.Value {
	out := *v
	out.Items, out.Members = nil, nil
	for _, item := range v.Items {
		out.Items = append(out.Items, each(item, f))
	}
	for _, m := range v.Members {
		m.Value = f(m.Name, each(m.Value, f))
		out.Members = append(out.Members, m)
	}
	return &out
}

// withVariants gives each union another variant.
func withVariants(t *testing.T, c snapshot.Catalog) snapshot.Catalog {
	rival, err := schema.Parse([]byte(`{"type":"object","properties":{"_rival":{"type":"string"}},"required":["_rival"]}`))
	if err != nil {
		t.Fatal(err)
	}
	last := refersByIndex(c)
	return changed(t, c, func(root *schema.Value) *schema.Value {
		return each(root, func(keyword string, v *schema.Value) *schema.Value {
			if keyword != "anyOf" && keyword != "oneOf" || v.Kind != schema.Array || kindsIn(v) < 2 {
				return v
			}
			more := *v
			if more.Items = append([]*schema.Value{rival}, v.Items...); last {
				more.Items = append(slices.Clone(v.Items), rival)
			}
			return &more
		})
	})
}

// kindsIn counts the branches that make variants of their own for sure.
func kindsIn(list *schema.Value) int {
	kinds, objects := make(map[string]bool), 0
	for _, branch := range list.Items {
		switch v := branch.Get("type"); {
		case v == nil || v.Kind != schema.String || v.Text == "null":
		case v.Text == "object" && branch.Get("properties") != nil:
			objects++
		case v.Text == "number" || v.Text == "integer":
			kinds["number"] = true
		default:
			kinds[v.Text] = true
		}
	}
	return objects + len(kinds)
}

// refersByIndex reports whether a $ref names a branch of a union, which would be
// another one when reversed.
func refersByIndex(c snapshot.Catalog) bool {
	return slices.ContainsFunc(c.Tools, func(raw json.RawMessage) bool {
		return strings.Contains(string(raw), "Of/0/") || strings.Contains(string(raw), "Of/1/")
	})
}

// reversed returns the catalog with everything that has no order in another one.
func reversed(t *testing.T, c snapshot.Catalog) snapshot.Catalog {
	out := changed(t, c, func(root *schema.Value) *schema.Value {
		return each(root, func(keyword string, v *schema.Value) *schema.Value {
			switch keyword {
			case "properties", "$defs", "definitions":
				slices.Reverse(v.Members)
			case "anyOf", "oneOf", "enum", "required":
				slices.Reverse(v.Items)
			}
			return v
		})
	})
	slices.Reverse(out.Tools)
	return out
}

// grown returns the catalog with a rival for each tool, property and
// enum value.
func grown(t *testing.T, c snapshot.Catalog) snapshot.Catalog {
	t.Helper()
	out := snapshot.Catalog{Observed: c.Observed}
	for _, raw := range c.Tools {
		tool, err := schema.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		out.Tools = append(out.Tools, json.RawMessage(rival(tool).AppendJSON(nil)))
		members := []schema.Member{}
		for _, m := range tool.Members {
			if m.Name == "inputSchema" || m.Name == "outputSchema" {
				m.Value = withRivals(m.Value)
			}
			members = append(members, m)
		}
		out.Tools = append(out.Tools, json.RawMessage((&schema.Value{Kind: schema.Object, Members: members}).AppendJSON(nil)))
	}
	return out
}

func rival(tool *schema.Value) *schema.Value {
	name := "_" + tool.Get("name").Text
	return &schema.Value{Kind: schema.Object, Members: []schema.Member{
		{Name: "name", Value: &schema.Value{Kind: schema.String, Text: name}},
		{Name: "inputSchema", Value: tool.Get("inputSchema")},
	}}
}

func withRivals(v *schema.Value) *schema.Value {
	out := *v
	out.Items, out.Members = nil, nil
	for _, item := range v.Items {
		out.Items = append(out.Items, withRivals(item))
	}
	for _, m := range v.Members {
		switch {
		case m.Name == "properties" && m.Value.Kind == schema.Object:
			m.Value = withRivalMembers(m.Value)
		case m.Name == "enum" && m.Value.Kind == schema.Array:
			m.Value = withRivalItems(m.Value)
		default:
			m.Value = withRivals(m.Value)
		}
		out.Members = append(out.Members, m)
	}
	return &out
}

func withRivalMembers(v *schema.Value) *schema.Value {
	out := &schema.Value{Kind: schema.Object}
	for _, m := range v.Members {
		if other := "_" + m.Name; v.Get(other) == nil {
			out.Members = append(out.Members, schema.Member{Name: other, Value: m.Value})
		}
		out.Members = append(out.Members, schema.Member{Name: m.Name, Value: withRivals(m.Value)})
	}
	return out
}

func withRivalItems(v *schema.Value) *schema.Value {
	out := &schema.Value{Kind: schema.Array}
	for _, item := range v.Items {
		if item.Kind == schema.String {
			out.Items = append(out.Items, &schema.Value{Kind: schema.String, Text: "_" + item.Text})
		}
		out.Items = append(out.Items, item)
	}
	return out
}

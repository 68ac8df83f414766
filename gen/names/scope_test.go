package names_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/internal/yardstick"
)

func one(owner string, candidates ...string) names.Request {
	return names.Request{Owners: []string{owner}, Candidates: candidates}
}

func TestScope(t *testing.T) {
	for _, tt := range []struct {
		name     string
		reserved []string
		pins     map[string]string
		reqs     []names.Request
		want     map[string]string // owner -> name
		wantPins map[string]string
	}{
		{
			name: "uncontested names need no pin",
			reqs: []names.Request{one("a", "A"), one("b", "B")},
			want: map[string]string{"a": "A", "b": "B"},
		},
		{
			name:     "first owner in code-point order wins, both are pinned",
			reqs:     []names.Request{one("b", "A"), one("a", "A")},
			want:     map[string]string{"a": "A", "b": "A2"},
			wantPins: map[string]string{"a": "A", "b": "A2"},
		},
		{
			name:     "next candidate before a number",
			reqs:     []names.Request{one("a", "State"), one("b", "State", "BState"), one("c", "State", "BState")},
			want:     map[string]string{"a": "State", "b": "BState", "c": "BState2"},
			wantPins: map[string]string{"a": "State", "b": "BState", "c": "BState2"},
		},
		{
			name:     "a number after a digit",
			reqs:     []names.Request{one("a", "V1"), one("b", "V1")},
			want:     map[string]string{"a": "V1", "b": "V1_2"},
			wantPins: map[string]string{"a": "V1", "b": "V1_2"},
		},
		{
			name:     "a pin holds against an earlier owner",
			pins:     map[string]string{"z": "A"},
			reqs:     []names.Request{one("a", "A"), one("z", "A")},
			want:     map[string]string{"a": "A2", "z": "A"},
			wantPins: map[string]string{"a": "A2", "z": "A"},
		},
		{
			name:     "an owner that is gone keeps its pin and its name",
			pins:     map[string]string{"gone": "A"},
			reqs:     []names.Request{one("a", "A")},
			want:     map[string]string{"a": "A2"},
			wantPins: map[string]string{"a": "A2", "gone": "A"},
		},
		{
			name:     "reserved",
			reserved: []string{"Client"},
			pins:     map[string]string{"a": "Client"},
			reqs:     []names.Request{one("a", "Client"), one("b", "string"), one("c", "type"), one("d", "_")},
			want:     map[string]string{"a": "Client2", "b": "string2", "c": "type2", "d": "_2"},
			wantPins: map[string]string{"a": "Client2", "b": "string2", "c": "type2", "d": "_2"},
		},
		{
			name: "unusable pins are ignored",
			pins: map[string]string{"a": "no identifier", "b": "lower"},
			reqs: []names.Request{one("a", "A"), one("b", "B")},
			want: map[string]string{"a": "A", "b": "B"},
		},
		{
			name: "owners of one shape share",
			reqs: []names.Request{{Owners: []string{"a", "b"}, Candidates: []string{"Order"}}},
			want: map[string]string{"a": "Order", "b": "Order"},
		},
		{
			name:     "shapes part: the first keeps the name",
			pins:     map[string]string{"a": "Order", "b": "Order"},
			reqs:     []names.Request{one("b", "Order", "BOrder"), one("a", "Order", "AOrder")},
			want:     map[string]string{"a": "Order", "b": "BOrder"},
			wantPins: map[string]string{"a": "Order", "b": "BOrder"},
		},
		{
			name:     "shapes meet: the first owner's pin",
			pins:     map[string]string{"a": "Order", "b": "BOrder"},
			reqs:     []names.Request{{Owners: []string{"a", "b"}, Candidates: []string{"Order"}}},
			want:     map[string]string{"a": "Order", "b": "Order"},
			wantPins: nil,
		},
		{
			name:     "a rename beats the pin, which stays for the day it is undone",
			pins:     map[string]string{"a": "A2"},
			reqs:     []names.Request{{Owners: []string{"a"}, Candidates: []string{"Open"}, Rename: true}, one("b", "Open")},
			want:     map[string]string{"a": "Open", "b": "Open2"},
			wantPins: map[string]string{"a": "A2", "b": "Open2"},
		},
		{
			name:     "a rename may be pinned already",
			pins:     map[string]string{"a": "Open", "b": "Shut"},
			reqs:     []names.Request{{Owners: []string{"a"}, Candidates: []string{"Open"}, Rename: true}, {Owners: []string{"c"}, Candidates: []string{"Shut"}, Rename: true}},
			want:     map[string]string{"a": "Open", "c": "Shut2"},
			wantPins: map[string]string{"a": "Open", "b": "Shut"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := names.NewScope(tt.reserved, tt.pins)
			s.Assign(tt.reqs)
			if diff := cmp.Diff(tt.want, s.Names()); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			want := tt.wantPins
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, s.Pins()); diff != "" {
				t.Errorf("pins (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScopeAssignsInTurns(t *testing.T) {
	s := names.NewScope(nil, nil)
	s.Assign([]names.Request{one("type:z", "StateOpen")})
	s.Assign([]names.Request{one("const:a", "StateOpen")})
	if got := s.Name("type:z") + " " + s.Name("const:a") + s.Name("nobody"); got != "StateOpen StateOpen2" {
		t.Error(got)
	}
}

// TestScopeProperties grows a namespace step by step and checks, each time, what
// callers of a generated package rely on.
func TestScopeProperties(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		var pins, before map[string]string
		wires := map[string]bool{}
		for range 6 {
			for range 1 + r.IntN(8) {
				wires[word(r)] = true
			}
			for wire := range wires {
				if r.IntN(12) == 0 {
					delete(wires, wire)
				}
			}
			reqs := requests(wires)

			s := names.NewScope([]string{"A"}, mergedPins(pins, before))
			s.Assign(reqs)
			got := s.Names()
			checkUnique(t, got)
			for owner, name := range before {
				if now, ok := got[owner]; ok && now != name {
					t.Fatalf("seed %d: %s was %s, is %s", seed, owner, name, now)
				}
			}

			r.Shuffle(len(reqs), func(i, j int) { reqs[i], reqs[j] = reqs[j], reqs[i] })
			again := names.NewScope([]string{"A"}, mergedPins(pins, before))
			again.Assign(reqs)
			if diff := cmp.Diff(got, again.Names()); diff != "" {
				t.Fatalf("seed %d: the order of requests matters:\n%s", seed, diff)
			}

			pins = s.Pins()
			alone := names.NewScope([]string{"A"}, pins)
			alone.Assign(reqs)
			if diff := cmp.Diff(got, alone.Names()); diff != "" {
				t.Fatalf("seed %d: pins alone give other names:\n%s", seed, diff)
			}
			if diff := cmp.Diff(pins, alone.Pins()); diff != "" {
				t.Fatalf("seed %d: pins of pins differ:\n%s", seed, diff)
			}
			before = got
		}
	}
}

func requests(wires map[string]bool) []names.Request {
	var reqs []names.Request
	for _, wire := range slices.Sorted(maps.Keys(wires)) {
		name := names.Exported(wire)
		reqs = append(reqs, one("tool:"+wire, name, name+"Long"))
	}
	return reqs
}

func mergedPins(pins, names map[string]string) map[string]string {
	m := maps.Clone(pins)
	if m == nil {
		m = map[string]string{}
	}
	maps.Copy(m, names)
	return m
}

func checkUnique(t *testing.T, got map[string]string) {
	t.Helper()
	seen := map[string]string{}
	for owner, name := range got {
		if other, dup := seen[name]; dup {
			t.Fatalf("%s and %s are both %s", owner, other, name)
		}
		seen[name] = owner
	}
}

func ExampleScope() {
	s := names.NewScope([]string{"Client"}, map[string]string{"tool:get_user": "GetUser"})
	s.Assign([]names.Request{
		{Owners: []string{"tool:get-user"}, Candidates: []string{"GetUser"}},
		{Owners: []string{"tool:get_user"}, Candidates: []string{"GetUser"}},
	})
	fmt.Println(s.Name("tool:get-user"), s.Name("tool:get_user"))
	fmt.Println(s.Pins())
	// Output:
	// GetUser2 GetUser
	// map[tool:get-user:GetUser2 tool:get_user:GetUser]
}

// Names that are all one are numbered in linear time.
func TestManyRivals(t *testing.T) {
	const n = 50_000
	var s *names.Scope
	var reqs []names.Request
	for i := range n {
		reqs = append(reqs, names.Request{Owners: []string{fmt.Sprintf("%06d", i)}, Candidates: []string{"Same"}})
	}
	yardstick.Check(t, 2*time.Second, func() {
		s = names.NewScope(nil, nil)
		s.Assign(reqs)
	})
	if got := s.Name(fmt.Sprintf("%06d", n-1)); got != fmt.Sprint("Same", n) {
		t.Errorf("the last one is called %s", got)
	}
}

package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	exactmcp "github.com/mcpbind/mcpbind/gen/cases/testdata/exactmcp"
	nativemcp "github.com/mcpbind/mcpbind/gen/cases/testdata/nativemcp"
	"github.com/mcpbind/mcpbind/gen/names"
	"github.com/mcpbind/mcpbind/internal/schema"
	"github.com/mcpbind/mcpbind/runtime"
	"github.com/mcpbind/mcpbind/runtime/codec"
)

// A subject is the arguments or the result of one tool of our own cases, with
// both Go types that were generated for it.
type subject struct {
	tool          string
	output        bool
	doc           *schema.Document
	declared      map[string]bool // every name below some properties: what no type may lose
	exact, native reflect.Type
	seeds         []json.RawMessage
}

func (s *subject) String() string {
	if s.output {
		return s.tool + " output"
	}
	return s.tool + " input"
}

// FuzzOwn decodes and encodes values with the generated types of our own cases:
// values made to fit the schema, and any JSON. Nothing panics; a valid value comes
// back equal with exact types, and with native ones but for unknown keys and for
// digits beyond float64. What is encoded can be decoded, and encodes the same.
func FuzzOwn(f *testing.F) {
	subjects, valid := ownSubjects(f)
	for i, s := range subjects {
		for _, seed := range s.seeds {
			f.Add(uint8(i), []byte(seed))
		}
		for _, guide := range []string{"", "\x01\x02\x03\x04\x05\x06\x07\x08", "\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03", "\xfe\x09\x31\x80\x12\x77\x05\x22\x33\x41\x09\x02\x61\x10"} {
			f.Add(uint8(i), []byte(guide))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		s := subjects[int(which)%len(subjects)]
		text := data
		if !json.Valid(data) {
			text = (&maker{guide: data, doc: s.doc}).value(s.doc.RootNode(), 0).AppendJSON(nil)
		}
		fits := valid(s, text)
		checkTrip(t, s, s.exact, text, fits)
		checkTrip(t, s, s.native, text, fits)
	})
}

// TestOwnValues does the same with many values, each made by chance of a fixed
// seed, and sees to it that enough of them are valid to mean something.
func TestOwnValues(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	subjects, valid := ownSubjects(t)
	chance := rand.NewChaCha8([32]byte{})
	total := 0
	for _, s := range subjects {
		fit := 0
		for range n {
			guide := make([]byte, 64)
			_, _ = chance.Read(guide)
			text := (&maker{guide: guide, doc: s.doc}).value(s.doc.RootNode(), 0).AppendJSON(nil)
			fits := valid(s, text)
			if fits {
				fit++
			}
			checkTrip(t, s, s.exact, text, fits)
			checkTrip(t, s, s.native, text, fits)
		}
		if fit < n/200 {
			t.Errorf("%s: only %d of %d values are valid", s, fit, n)
		}
		total += fit
	}
	t.Logf("%d of %d values are valid", total, n*len(subjects))
}

func checkTrip(t *testing.T, s *subject, typ reflect.Type, text []byte, fits bool) {
	v := reflect.New(typ)
	err := codec.Unmarshal(text, v.Interface())
	if err != nil {
		if fits && (typ == s.exact || !outOfRange(text)) {
			t.Fatalf("%s: %s does not take %s: %v", s, typ, text, err)
		}
		return
	}
	once, err := codec.Marshal(v.Elem().Interface())
	if err != nil {
		if fits {
			t.Fatalf("%s: %s took %s and does not give it back: %v", s, typ, text, err)
		}
		return
	}
	if fits {
		if why := difference(s, typ == s.exact, parse(t, text), parse(t, once)); why != "" {
			t.Fatalf("%s: %s made of %s\n%s\n%s", s, typ, text, once, why)
		}
	}
	again := reflect.New(typ)
	if err := codec.Unmarshal(once, again.Interface()); err != nil {
		t.Fatalf("%s: %s does not take what it gave, %s: %v", s, typ, once, err)
	}
	if twice, err := codec.Marshal(again.Elem().Interface()); err != nil || !schema.Equal(parse(t, once), parse(t, twice)) {
		t.Fatalf("%s: %s gave %s first and then %s (%v)", s, typ, once, twice, err)
	}
}

func parse(t *testing.T, text []byte) *schema.Value {
	t.Helper()
	v, err := schema.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// difference says what of want is missing in got. With native types a key that
// the schema never declares may be missing, and numbers are equal as float64.
func difference(s *subject, exactly bool, want, got *schema.Value) string {
	switch {
	case schema.Equal(want, got):
		return ""
	case exactly:
		return "the value changed"
	}
	if want.Kind != got.Kind || len(want.Items) != len(got.Items) {
		return fmt.Sprintf("%s became %s", want.JSON(), got.JSON())
	}
	switch want.Kind {
	case schema.Number:
		a, errA := strconv.ParseFloat(want.Text, 64)
		b, errB := strconv.ParseFloat(got.Text, 64)
		if a != b || errA != nil || errB != nil {
			return fmt.Sprintf("%s became %s", want.Text, got.Text)
		}
		return ""
	case schema.Array:
		for i := range want.Items {
			if why := difference(s, false, want.Items[i], got.Items[i]); why != "" {
				return why
			}
		}
		return ""
	case schema.Object:
		for _, m := range got.Members {
			if want.Get(m.Name) == nil {
				return fmt.Sprintf("key %q was added", m.Name)
			}
		}
		for _, m := range want.Members {
			switch now := got.Get(m.Name); {
			case now != nil:
				if why := difference(s, false, m.Value, now); why != "" {
					return why
				}
			case s.declared[m.Name]:
				return fmt.Sprintf("key %q was lost", m.Name)
			}
		}
		return ""
	}
	return fmt.Sprintf("%s became %s", want.JSON(), got.JSON())
}

// outOfRange reports whether text holds a number that int or float64 does not.
func outOfRange(text []byte) bool {
	v, err := schema.Parse(text)
	if err != nil {
		return true
	}
	limit := new(big.Rat).SetInt64(1 << 53)
	var walk func(v *schema.Value) bool
	walk = func(v *schema.Value) bool {
		if v.Kind == schema.Number {
			if d, ok := schema.Decimal(v.Text); !ok || len(d) > 30 {
				return true
			}
			r, ok := new(big.Rat).SetString(v.Text)
			return !ok || r.Abs(r).Cmp(limit) > 0
		}
		return slices.ContainsFunc(v.Items, walk) ||
			slices.ContainsFunc(v.Members, func(m schema.Member) bool { return walk(m.Value) })
	}
	return walk(v)
}

// ownSubjects returns what is to be fuzzed, and a function that tells whether a
// value is valid, by the registry's validation.
func ownSubjects(tb testing.TB) ([]*subject, func(*subject, []byte) bool) {
	tb.Helper()
	var subjects []*subject
	var tools []runtime.Tool
	for _, c := range loadOwn(tb).cases {
		tools = append(tools, runtime.Tool{Name: c.tool(), WireName: c.tool(), InputSchema: c.Tool.InputSchema, OutputSchema: c.Tool.OutputSchema})
		for _, output := range []bool{false, true} {
			s := &subject{tool: c.tool(), output: output, declared: map[string]bool{}, seeds: slices.Concat(c.Accept, c.Reject)}
			raw := c.Tool.InputSchema
			if output {
				raw, s.seeds = c.Tool.OutputSchema, slices.Concat(c.AcceptOutput, c.RejectOutput)
			}
			if raw == nil {
				continue
			}
			root, err := schema.Parse(raw)
			if err != nil {
				tb.Fatal(err)
			}
			if s.doc, err = schema.NewDocument(root); err != nil {
				tb.Fatal(err)
			}
			noteDeclared(root, s.declared)
			s.exact = typeOf[*exactmcp.Client](tb, c.tool(), output)
			s.native = typeOf[*nativemcp.Client](tb, c.tool(), output)
			subjects = append(subjects, s)
		}
	}
	echo := &echo{}
	reg := runtime.NewRegistry(runtime.WithValidation(runtime.Validation{Arguments: true, Results: true}),
		runtime.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	tb.Cleanup(func() { _ = reg.Close() })
	if err := reg.RegisterServer("own", echo, tools); err != nil {
		tb.Fatal(err)
	}
	return subjects, func(s *subject, text []byte) bool {
		call := runtime.ToolCall{Server: "own", Name: s.tool, Arguments: text}
		echo.result = nil
		_, err := reg.CallTool(context.Background(), call)
		if !s.output {
			return !errors.Is(err, runtime.ErrInvalidArguments)
		}
		echo.result = text
		call.Arguments = json.RawMessage(`{"order":"","expression":0,"context":0,"from":{"iban":""},"to":{"iban":""}}`)
		if s.tool == "ping" {
			call.Arguments = nil
		}
		_, err = reg.CallTool(context.Background(), call)
		if errors.Is(err, runtime.ErrInvalidArguments) {
			panic(err)
		}
		return !errors.Is(err, runtime.ErrInvalidResult)
	}
}

// typeOf returns a type of the tool's method on a generated client.
func typeOf[Client any](tb testing.TB, tool string, output bool) reflect.Type {
	tb.Helper()
	method, ok := reflect.TypeFor[Client]().MethodByName(names.Exported(tool))
	if !ok {
		tb.Fatalf("no method for %s: run the tests with -update", tool)
	}
	if output {
		return method.Type.Out(0).Elem()
	}
	return method.Type.In(2)
}

func noteDeclared(v *schema.Value, into map[string]bool) {
	for _, m := range v.Members {
		if m.Name == "properties" {
			for _, p := range m.Value.Members {
				into[p.Name] = true
			}
		}
		noteDeclared(m.Value, into)
	}
	for _, item := range v.Items {
		noteDeclared(item, into)
	}
}

// echo answers every call with the structured content it holds.
type echo struct{ result json.RawMessage }

func (e *echo) ListTools(context.Context) ([]runtime.Tool, error) { return nil, nil }

func (e *echo) CallTool(context.Context, runtime.ToolCall) (*runtime.CallResult, error) {
	return &runtime.CallResult{Structured: e.result}, nil
}

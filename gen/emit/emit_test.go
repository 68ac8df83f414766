package emit_test

import (
	"bytes"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpbind/mcpbind/gen/check"
	"github.com/mcpbind/mcpbind/gen/emit"
	"github.com/mcpbind/mcpbind/gen/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everything is a model with every kind of declaration, field and method.
func everything() *model.Package {
	order := &model.Struct{Name: "Order", Doc: model.Doc{Server: "One order."}}
	card := &model.Struct{
		Name: "PaymentCard",
		Doc:  model.Doc{Lead: `PaymentCard is the variant of [Payment] whose kind is "card".`},
		Fields: []*model.Field{
			{Name: "_", Key: "kind", Role: model.RoleConst, Const: `"card"`},
			{Name: "Last4", Key: "last4", Type: model.String},
			{Name: "Mode", Key: "mode", Type: model.String, Enum: []string{`"a"`, `"it's"`}},
		},
	}
	text := &model.Enum{
		Name: "PaymentText",
		Doc:  model.Doc{Lead: "PaymentText is the text variant of [Payment]."},
		Base: model.String,
		Values: []model.EnumValue{
			{Name: "PaymentTextAll", JSON: `"all"`},
		},
	}
	number := &model.Named{Name: "PaymentNumber", Underlying: model.Number, Doc: model.Doc{Lead: "PaymentNumber is the number variant of [Payment]."}}
	raw := &model.Named{Name: "PaymentRaw", Underlying: model.RawMessage, Raw: true, Doc: model.Doc{Lead: "PaymentRaw holds a value that is none of the known variants of [Payment]."}}
	payment := &model.Union{
		Name: "Payment", Interface: "PaymentVariant", Marker: "isPayment", Var: "paymentVariants",
		Doc:      model.Doc{Lead: "Payment is one of [PaymentCard], [PaymentText], [PaymentNumber] or [PaymentRaw]:\n\n\tPayment{Value: PaymentTextAll}"},
		Variants: []model.Decl{card, text, number, raw},
	}
	status := &model.Enum{
		Name: "Status",
		Base: model.String,
		Values: []model.EnumValue{
			{Name: "StatusOpen", JSON: `"open"`},
			{Name: "StatusInTransit", JSON: `"in-transit"`, Doc: "On its way."},
			{Name: "StatusOdd", JSON: "\"a\\\"b`\\u202e\\n\""},
		},
	}
	level := &model.Enum{
		Name: "Level",
		Base: model.Int,
		Values: []model.EnumValue{
			{Name: "LevelLow", JSON: "-1"},
			{Name: "LevelHigh", JSON: "1.0"},
			{Name: "LevelTop", JSON: "1e3"},
		},
	}
	ratio := &model.Enum{Name: "Ratio", Base: model.Number, Values: []model.EnumValue{
		{Name: "RatioHalf", JSON: "0.50"}, {Name: "RatioHuge", JSON: "1e400"},
	}}
	point := &model.Struct{Name: "Point", Tuple: true, Fields: []*model.Field{
		{Name: "V0", Type: model.Float64, Role: model.RoleItem},
		{Name: "V1", Type: model.Pointer{Elem: model.Float64}, Optional: true, Role: model.RoleItem},
		{Name: "Rest", Type: model.Slice{Elem: model.String}, Role: model.RoleRest},
	}}
	tree := &model.Named{Name: "Tree"}
	tree.Underlying = model.Slice{Elem: model.Ref{Decl: tree}}
	same := &model.Named{Name: "SameTree", Underlying: model.Ref{Decl: tree}}
	anything := &model.Named{Name: "Anything", Underlying: model.Any}
	moment := &model.Named{Name: "Moment", Underlying: model.Time}
	in := &model.Struct{Name: "RefundInput", Doc: model.Doc{Lead: `RefundInput holds the arguments of the "refund" tool.`}, Fields: []*model.Field{
		{Name: "OrderID", Key: "order_id", Type: model.Int},
		{Name: "Payment", Key: "payment", Type: model.Ref{Decl: payment}, Doc: model.Doc{Server: "How to pay.\r\n\r\n\r\nOr not.", Facts: []string{"At least 1.", "The server's default is 2."}}},
		{Name: "ItSUrgent", Key: "it's urgent", Type: model.Pointer{Elem: model.Bool}, Optional: true},
		{Name: "Backquote", Key: "`", Type: model.Bool},
		{Name: "Empty", Key: "", Type: model.Bool},
		{Name: "Dash", Key: "-", Type: model.Bool, Optional: true},
		{Name: "X名称", Key: "名称", Type: model.Bool},
		{Name: "Since", Key: "since", Type: model.Nullable{Elem: model.Ref{Decl: status}}, Optional: true},
		{Name: "Level", Key: "level", Type: model.Ref{Decl: level}},
		{Name: "Ratio", Key: "ratio", Type: model.Ref{Decl: ratio}},
		{Name: "Point", Key: "point", Type: model.Ref{Decl: point}},
		{Name: "Tree", Key: "tree", Type: model.Ref{Decl: same}},
		{Name: "Anything", Key: "anything", Type: model.Ref{Decl: anything}},
		{Name: "Money", Key: "money", Type: model.Qualified{Path: "example.com/go-money/v2", Name: "Money"}},
		{Name: "String", Key: "string", Type: model.Qualified{Path: "example.com/string", Name: "T"}},
		{Name: "When", Key: "when", Type: model.Ref{Decl: moment}},
		{Name: "Extra", Role: model.RoleExtra, Type: model.Map{Elem: model.RawMessage}, Doc: model.Doc{Lead: "Extra holds every other member."}},
	}}
	order.Fields = []*model.Field{{Name: "Replaces", Key: "replaces", Type: model.Pointer{Elem: model.Ref{Decl: order}}, Optional: true}}
	none := &model.Struct{Name: "ListInput"}
	return &model.Package{
		Name: "shopmcp", Server: "shop", Source: "snapshots/shop.json",
		Tools: []*model.Tool{
			{Name: "list", Method: "List", Var: "listTool", Digest: "s1:x", ReadOnly: true, Idempotent: true,
				Doc:   model.Doc{Lead: `List calls the "list" tool.`},
				Input: model.Ref{Decl: none}, Output: model.Slice{Elem: model.Ref{Decl: order}}},
			{Name: "raw`\"", Method: "Raw", Var: "rawTool", Digest: "s1:z",
				Doc:   model.Doc{Lead: "Raw calls the \"raw`\\\"\" tool."},
				Input: model.RawMessage},
			{Name: "refund", Method: "Refund", Var: "refundTool", Digest: "s1:y", Destructive: true,
				Doc: model.Doc{
					Lead:   `Refund calls the "refund" tool.`,
					Server: "Gives money back. */ func init() { panic(1) } //go:embed x\n//go:embed y\n//line a.go:1\n+build ignore\n# Heading\n\n- one\n- two\n\nDeprecated: no.",
					Facts:  []string{"The server says: destructive."},
				},
				Input: model.Ref{Decl: in}},
		},
		Decls: []model.Decl{none, order, in, payment, card, text, number, raw, status, level, ratio, point, tree, same, anything, moment},
	}
}

func TestPackage(t *testing.T) {
	p := everything()
	files, err := emit.Package(p)
	if err != nil {
		t.Fatal(err)
	}
	files, err = check.Package(files, p)
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range files {
		golden := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.MkdirAll("testdata", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, src, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(src)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if again, err := format.Source(src); err != nil || !bytes.Equal(again, src) {
			t.Errorf("%s: gofmt changes it: %v\n%s", name, err, cmp.Diff(string(src), string(again)))
		}
	}
}

func TestPackageWithoutTools(t *testing.T) {
	p := &model.Package{Name: "emptymcp", Server: "empty", Source: "snapshots/empty.json"}
	files, err := emit.Package(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Errorf("%d files, want the client only", len(files))
	}
	if _, err := check.Package(files, p); err != nil {
		t.Error(err)
	}
}

func TestPackageErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		decl model.Decl
		want string
	}{
		{"type", &model.Struct{Name: "X", Fields: []*model.Field{{Name: "A", Key: "a"}}}, `server "s": types_gen.go: unknown type expression <nil>`},
		{"reference", &model.Named{Name: "X", Underlying: model.Ref{}}, `server "s": types_gen.go: a reference without a declaration`},
		{"role", &model.Struct{Name: "X", Fields: []*model.Field{{Name: "A", Key: "a", Type: model.Int, Role: 99}}}, `server "s": types_gen.go: field A: unknown role 99`},
		{"number", &model.Enum{Name: "X", Base: model.Int, Values: []model.EnumValue{{Name: "A", JSON: "f()"}}}, `server "s": types_gen.go: enum X: "f()" is no JSON number`},
		{"string", &model.Enum{Name: "X", Base: model.String, Values: []model.EnumValue{{Name: "A", JSON: "1"}}}, `server "s": types_gen.go: enum X: "1" is no JSON string`},
		{"variant", &model.Union{Name: "X", Interface: "XVariant", Marker: "isX", Var: "x", Variants: []model.Decl{nil}}, `server "s": types_gen.go: union X: a variant without a declaration`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := emit.Package(&model.Package{Name: "smcp", Server: "s", Decls: []model.Decl{tt.decl}})
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

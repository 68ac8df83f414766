// Package model is the Go-facing picture of one generated package.
//
// In: nothing; gen/lower fills it. Out: gen/emit prints it, internal tools
// compare it. Every name in it is final and every slice is in output order, so
// printing needs no decisions. It imports nothing of mcpbind and knows neither
// JSON Schema nor jennifer.
package model

// A Package is one generated package: the typed calls of one MCP server.
type Package struct {
	Name   string  // Go package name, like "githubmcp"
	Server string  // configured server name, the value of ServerName
	Source string  // slash-separated path of the snapshot as written in the file header
	Tools  []*Tool // in order of wire name
	Decls  []Decl  // types in output order: each type follows the first type that uses it
}

// A Tool is one method of the generated Client.
type Tool struct {
	Name   string // wire name
	Method string // Go method name, unique among the methods of Client
	Var    string // unexported package variable that holds the runtime.ToolSpec
	Doc    Doc    // Lead is complete: `CreateIssue calls the "create_issue" tool.`
	Digest string // "s1:..."

	ReadOnly, Idempotent, Destructive bool // the annotations as the snapshot has them

	Input  Type // Ref to a Struct, or json.RawMessage when the schema's root is no object
	Output Type // nil: no outputSchema, the method returns *runtime.CallResult
}

// Doc is the documentation of a declaration or field. Emission prints Lead,
// Server and Facts as paragraphs in that order, skipping empty ones.
type Doc struct {
	Lead   string   // our own sentence about the declaration; "" for fields
	Server string   // the server's words, verbatim and multi-line: hostile until emission has escaped it
	Facts  []string // sentences of ours made of the schema's facts, like "From 1 to 100."; may quote server text
}

// A Type is a Go type expression.
type Type interface{ isType() }

type (
	// Basic is a predeclared type: "any", "bool", "float64", "int", "string",
	// "uint64", or "struct{}".
	Basic string
	// Qualified is a type of another package: json.RawMessage, json.Number, time.Time, a binding.
	Qualified struct{ Path, Name string }
	// Pointer is *Elem.
	Pointer struct{ Elem Type }
	// Slice is []Elem.
	Slice struct{ Elem Type }
	// Map is map[string]Elem.
	Map struct{ Elem Type }
	// Nullable is runtime.Nullable[Elem]: absent, null or a value.
	Nullable struct{ Elem Type }
	// Ref is a type declared in this package.
	Ref struct{ Decl Decl }
)

func (Basic) isType()     {}
func (Qualified) isType() {}
func (Pointer) isType()   {}
func (Slice) isType()     {}
func (Map) isType()       {}
func (Nullable) isType()  {}
func (Ref) isType()       {}

// Common type expressions.
var (
	Any        Type = Basic("any")
	Empty      Type = Basic("struct{}") // *struct{} and Nullable[struct{}] hold nothing but null
	Bool       Type = Basic("bool")
	Float64    Type = Basic("float64")
	Int        Type = Basic("int")
	Uint64     Type = Basic("uint64")
	String     Type = Basic("string")
	RawMessage Type = Qualified{"encoding/json", "RawMessage"}
	Number     Type = Qualified{"encoding/json", "Number"}
	Time       Type = Qualified{"time", "Time"}
)

// A Decl is a type declared in the generated package: *Struct, *Enum, *Named or *Union.
type Decl interface {
	Ident() string // the declared type's name
	isDecl()
}

// A Struct is an object, or a tuple: an array with typed positions.
type Struct struct {
	Name   string
	Doc    Doc
	Tuple  bool     // encodes as an array: fields are RoleItem, at most one RoleRest last
	Fields []*Field // constants (RoleConst) first, then schema order, RoleExtra last
	Unions []*Union // the unions this struct is a variant of, in output order
}

// Role tells what a field is to the codec.
type Role uint8

const (
	RoleMember Role = iota // a member of the object, named by Key
	RoleConst              // a blank field: Key is always encoded with the constant Const
	RoleExtra              // every member that no other field names; Type is a Map
	RoleItem               // a position of a tuple
	RoleRest               // the positions of a tuple after the last item; Type is a Slice
)

// A Field is one field of a Struct.
type Field struct {
	Name     string // Go name; "_" for RoleConst
	Key      string // wire key, any string at all
	Type     Type   // nil for RoleConst
	Optional bool   // absent when zero (omitzero)
	Role     Role
	Const    string   // RoleConst: the constant as JSON
	Enum     []string // JSON values, on a member that tells the variants of a union apart; else nil
	Doc      Doc
	Pointer  string // where the schema stands, from the tool object
}

// An Enum is a named string or integer type with constants.
type Enum struct {
	Name   string
	Doc    Doc
	Base   Type // String, Int, Uint64, Float64 or Number
	Values []EnumValue
	Unions []*Union // the unions this type is a variant of
}

// An EnumValue is one constant of an Enum.
type EnumValue struct {
	Name string // Go constant name
	JSON string // the value as JSON: a string or a number
	Doc  string // the server's words about this value, "" mostly
}

// A Named is a defined type over another: a scalar variant, a recursive list or
// map, a definition that is neither object, enum nor union, or the raw variant.
type Named struct {
	Name       string
	Doc        Doc
	Underlying Type
	Raw        bool     // over json.RawMessage: its JSON methods pass the bytes through
	Unions     []*Union // the unions this type is a variant of
}

// A Union is a struct with one field that holds one of its variants:
//
//	type Shape struct{ Value ShapeVariant }
type Union struct {
	Name      string // "Shape"
	Interface string // "ShapeVariant", the sealed interface
	Marker    string // "isShape", the interface's unexported method
	Var       string // unexported variable with the codec.Variants
	Doc       Doc
	Variants  []Decl // declared types that implement Interface, in order; the raw variant last
}

func (d *Struct) Ident() string { return d.Name }
func (d *Enum) Ident() string   { return d.Name }
func (d *Named) Ident() string  { return d.Name }
func (d *Union) Ident() string  { return d.Name }

func (*Struct) isDecl() {}
func (*Enum) isDecl()   {}
func (*Named) isDecl()  {}
func (*Union) isDecl()  {}

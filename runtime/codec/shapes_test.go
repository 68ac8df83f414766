package codec_test

import (
	"encoding/json"
	"time"

	"github.com/mcpbind/mcpbind/runtime/codec"
)

// Everything has a field of every kind there is.
type Everything struct {
	_          struct{}                   `wire:"type" const:"\"every\""`
	_          struct{}                   `wire:"version" const:"1"`
	Bool       bool                       `json:"bool"`
	Int        int                        `json:"int"`
	Uint       uint64                     `json:"uint"`
	Float      float64                    `json:"float"`
	Number     json.Number                `json:"number"`
	String     string                     `json:"string"`
	List       []string                   `json:"list"`
	Map        map[string]int             `json:"map"`
	Any        any                        `json:"any"`
	Raw        json.RawMessage            `json:"raw"`
	Level      Level                      `json:"level"`
	NullInt    *int                       `json:"null_int"`
	NullList   *[]string                  `json:"null_list"`
	NullMap    *map[string]int            `json:"null_map"`
	Items      []*int                     `json:"items"`
	Time       time.Time                  `json:"time"`
	OptBool    *bool                      `json:"opt_bool,omitzero"`
	OptInt     *int                       `json:"opt_int,omitzero"`
	OptList    []int                      `json:"opt_list,omitzero"`
	OptMap     map[string]string          `json:"opt_map,omitzero"`
	OptAny     any                        `json:"opt_any,omitzero"`
	OptRaw     json.RawMessage            `json:"opt_raw,omitzero"`
	OptTime    *time.Time                 `json:"opt_time,omitzero"`
	OptNull    codec.Nullable[int]        `json:"opt_null,omitzero"`
	OptTree    Tree                       `json:"opt_tree,omitzero"`
	OptPair    *Pair                      `json:"opt_pair,omitzero"`
	OptRange   codec.Nullable[Range]      `json:"opt_range,omitzero"`
	OptShape   Shape                      `json:"opt_shape,omitzero"`
	Shapes     []Shape                    `json:"shapes,omitzero"`
	Table      map[string]Range           `json:"table,omitzero"`
	Quoted     *string                    `json:",omitzero" wire:"a\"b\\c,d"`
	Empty      *string                    `json:",omitzero" wire:""`
	Controls   *string                    `json:",omitzero" wire:"\x00\u202e😀"`
	Case       *string                    `json:"Case,omitzero"`
	LowerCase  *string                    `json:"case,omitzero"`
	ExtraValue map[string]json.RawMessage `json:"-" codec:"extra"`
}

func (v Everything) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Everything) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Empty is an object without properties.
type Empty struct{}

func (v Empty) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Empty) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Level is an enum over json.Number.
type Level json.Number

func (v Level) MarshalJSON() ([]byte, error)  { return codec.Marshal(json.Number(v)) }
func (v *Level) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, (*json.Number)(v)) }

// Tree is a recursive list.
type Tree []Tree

// Dict is a recursive map.
type Dict map[string]Dict

// Pair is a tuple with optional items and no rest.
type Pair struct {
	_  struct{} `codec:"tuple"`
	V0 string   `codec:"item"`
	V1 *int     `codec:"item,omitzero"`
	V2 []string `codec:"item,omitzero"`
}

func (v Pair) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Pair) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Range is a tuple with a rest of unions.
type Range struct {
	_    struct{} `codec:"tuple"`
	V0   int      `codec:"item"`
	V1   *int     `codec:"item,omitzero"`
	Rest []Shape  `codec:"rest"`
}

func (v Range) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Range) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Shape is a union with a variant of every kind, recursive.
type Shape struct{ Value ShapeVariant }

// ShapeVariant is implemented by the variants of [Shape] only.
type ShapeVariant interface{ isShape() }

type (
	// ShapeText is a string.
	ShapeText string
	// ShapeNumber is a number.
	ShapeNumber float64
	// ShapeFlag is a boolean.
	ShapeFlag bool
	// ShapeList is a list of shapes.
	ShapeList []Shape
	// ShapeRaw is anything else.
	ShapeRaw json.RawMessage
)

// ShapeCircle is told by kind.
type ShapeCircle struct {
	_      struct{} `wire:"kind" const:"\"circle\""`
	Radius int      `json:"radius"`
	Inner  Shape    `json:"inner,omitzero"`
}

// ShapeSquare is told by kind, one of two.
type ShapeSquare struct {
	Kind ShapeSquareKind `json:"kind" enum:"[\"square\",\"box\"]"`
	Side int             `json:"side"`
}

// ShapeSquareKind is an enum.
type ShapeSquareKind string

// ShapePoint has no kind.
type ShapePoint struct {
	X int  `json:"x"`
	Y *int `json:"y,omitzero"`
}

// ShapeNamed has no kind either, and more keys than [ShapePoint].
type ShapeNamed struct {
	X    int               `json:"x"`
	Name string            `json:"name"`
	Sub  Shape             `json:"sub,omitzero"`
	More map[string]string `json:"-" codec:"extra"`
}

func (ShapeText) isShape()   {}
func (ShapeNumber) isShape() {}
func (ShapeFlag) isShape()   {}
func (ShapeList) isShape()   {}
func (ShapeCircle) isShape() {}
func (ShapeSquare) isShape() {}
func (ShapePoint) isShape()  {}
func (ShapeNamed) isShape()  {}
func (ShapeRaw) isShape()    {}

func (v ShapeCircle) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *ShapeCircle) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }
func (v ShapeSquare) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *ShapeSquare) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }
func (v ShapePoint) MarshalJSON() ([]byte, error)   { return codec.Marshal(v) }
func (v *ShapePoint) UnmarshalJSON(b []byte) error  { return codec.Unmarshal(b, v) }
func (v ShapeNamed) MarshalJSON() ([]byte, error)   { return codec.Marshal(v) }
func (v *ShapeNamed) UnmarshalJSON(b []byte) error  { return codec.Unmarshal(b, v) }
func (v ShapeRaw) MarshalJSON() ([]byte, error)     { return json.RawMessage(v).MarshalJSON() }
func (v *ShapeRaw) UnmarshalJSON(b []byte) error    { return (*json.RawMessage)(v).UnmarshalJSON(b) }

var shapeVariants = codec.Variants{
	(*ShapeText)(nil), (*ShapeNumber)(nil), (*ShapeFlag)(nil), (*ShapeList)(nil), (*ShapeCircle)(nil),
	(*ShapeSquare)(nil), (*ShapePoint)(nil), (*ShapeNamed)(nil), (*ShapeRaw)(nil),
}

// Variants lists the types that Value may hold.
func (Shape) Variants() codec.Variants { return shapeVariants }

func (v Shape) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Shape) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Twin is a union whose variants differ in a member that comes after the recursion.
type Twin struct{ Value TwinVariant }

// TwinVariant is implemented by the variants of [Twin] only.
type TwinVariant interface{ isTwin() }

// TwinInt has integers.
type TwinInt struct {
	Sub  Twin  `json:"sub,omitzero"`
	List []int `json:"list"`
}

// TwinText has texts.
type TwinText struct {
	Sub  Twin     `json:"sub,omitzero"`
	List []string `json:"list"`
}

// TwinRaw is anything else.
type TwinRaw json.RawMessage

func (TwinInt) isTwin()  {}
func (TwinText) isTwin() {}
func (TwinRaw) isTwin()  {}

func (v TwinInt) MarshalJSON() ([]byte, error)   { return codec.Marshal(v) }
func (v *TwinInt) UnmarshalJSON(b []byte) error  { return codec.Unmarshal(b, v) }
func (v TwinText) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *TwinText) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }
func (v TwinRaw) MarshalJSON() ([]byte, error)   { return codec.Marshal(json.RawMessage(v)) }
func (v *TwinRaw) UnmarshalJSON(b []byte) error  { return codec.Unmarshal(b, (*json.RawMessage)(v)) }

var twinVariants = codec.Variants{(*TwinInt)(nil), (*TwinText)(nil), (*TwinRaw)(nil)}

// Variants lists the types that Value may hold.
func (Twin) Variants() codec.Variants { return twinVariants }

func (v Twin) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Twin) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Nested is a union of a union, a time and an enum over json.Number.
type Nested struct{ Value NestedVariant }

// NestedVariant is implemented by the variants of [Nested] only.
type NestedVariant interface{ isNested() }

type (
	// NestedTime is a time.
	NestedTime time.Time
	// NestedNumber is an exact number.
	NestedNumber json.Number
	// NestedMap is a map of tuples of unions.
	NestedMap map[string]Range
)

func (NestedTime) isNested()   {}
func (NestedNumber) isNested() {}
func (NestedMap) isNested()    {}
func (Twin) isNested()         {}

func (v NestedTime) MarshalJSON() ([]byte, error)    { return codec.Marshal(time.Time(v)) }
func (v *NestedTime) UnmarshalJSON(b []byte) error   { return codec.Unmarshal(b, (*time.Time)(v)) }
func (v NestedNumber) MarshalJSON() ([]byte, error)  { return codec.Marshal(json.Number(v)) }
func (v *NestedNumber) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, (*json.Number)(v)) }

var nestedVariants = codec.Variants{(*NestedTime)(nil), (*NestedNumber)(nil), (*NestedMap)(nil), (*Twin)(nil)}

// Variants lists the types that Value may hold.
func (Nested) Variants() codec.Variants { return nestedVariants }

func (v Nested) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Nested) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Strict is a union without a raw variant.
type Strict struct{ Value StrictVariant }

// StrictVariant is implemented by the variants of [Strict] only.
type StrictVariant interface{ isStrict() }

// StrictInt is an integer.
type StrictInt int

// StrictPoint is an object.
type StrictPoint struct {
	X int `json:"x"`
}

func (StrictInt) isStrict()   {}
func (StrictPoint) isStrict() {}

func (v StrictPoint) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *StrictPoint) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

// Variants lists the types that Value may hold.
func (Strict) Variants() codec.Variants {
	return codec.Variants{(*StrictInt)(nil), (*StrictPoint)(nil)}
}

func (v Strict) MarshalJSON() ([]byte, error)  { return codec.Marshal(v) }
func (v *Strict) UnmarshalJSON(b []byte) error { return codec.Unmarshal(b, v) }

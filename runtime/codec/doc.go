// Package codec moves values between JSON and generated Go types, exactly.
//
// In: values of generated types, or JSON text. Out: JSON text, or values, with
// errors that carry JSON pointers. One plan per Go type, built once by
// reflection, replaces encoding/json for generated types: exact keys, absent and
// null apart, 1.0 as an integer, nil lists as [], unions by what fits.
//
// It imports nothing of mcpbind and no encoding/json/v2.
//
// # Tags
//
//	A string           `json:"key"`                       // required: always sent
//	B *int             `json:"key,omitzero"`              // optional: absent when zero
//	C *int             `json:",omitzero" wire:"it's"`     // a key that is not safe in a json tag
//	_ struct{}         `wire:"kind" const:"\"card\""`     // a constant, as JSON: sent first, checked
//	D *Mode            `json:"mode" enum:"[\"a\",\"b\"]"` // tells the variants of a union apart
//	Extra map[string]T `json:"-" codec:"extra"`           // every key that no other field names
//
// A tuple is a struct that is a JSON array:
//
//	_    struct{} `codec:"tuple"`          // first
//	V0   string   `codec:"item"`           // always sent
//	V1   *int     `codec:"item,omitzero"`  // not sent when it and all after it are zero
//	Rest []T      `codec:"rest"`           // the items after the last V
//
// A union is a struct with the one field Value, of an interface type, and a
// method Variants; see [Variants].
//
// # Other types
//
// A type is generated when its UnmarshalJSON hands its bytes and itself straight
// to [Unmarshal]; such types are walked by their plan wherever they stand. A
// defined type that hands a conversion of itself to Unmarshal, such as
// (*json.Number)(v), is coded like the type it converts to. Any other type with
// JSON methods is coded by calling them. What only encoding/json knows (arrays,
// []byte, text methods, embedded structs) is left to it.
//
// # Limits
//
// Go values nest 1,000 lists and objects deep; more, as in a value that holds
// itself, is an error. Raw JSON may be as deep as jsontext allows. What a text
// makes takes about 64 MiB and 32 times the text at the most: {} can be a struct
// of kilobytes. Work is linear in the text whatever it holds: once much was
// decoded into variants, or for duplicate keys, in vain, a value that several
// variants of a union may hold is left raw, or where there is no raw variant goes
// to the first that decodes.
package codec

// Package codec moves values between JSON and generated Go types, exactly.
//
// In: values of generated types, or JSON text. Out: JSON text, or values, with
// errors that carry JSON pointers. One plan per Go type, built once by
// reflection, replaces encoding/json for generated types: exact keys, absent and
// null apart, 1.0 as an integer, nil lists as [], unions by one look ahead.
//
// It imports nothing of mcpbind and no encoding/json/v2.
package codec

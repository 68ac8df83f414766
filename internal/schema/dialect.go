package schema

import (
	"fmt"
	"strings"
)

// A Dialect is a version of JSON Schema. The zero Dialect is no version.
type Dialect uint8

// The dialects, oldest first: later ones compare greater.
const (
	Draft4 Dialect = iota + 1
	Draft6
	Draft7
	Draft2019
	Draft2020
)

// String returns the name people use, like "draft-07" or "2020-12".
func (d Dialect) String() string {
	switch d {
	case Draft4:
		return "draft-04"
	case Draft6:
		return "draft-06"
	case Draft7:
		return "draft-07"
	case Draft2019:
		return "2019-09"
	case Draft2020:
		return "2020-12"
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// DialectByURI returns the dialect that a $schema value names, with or without
// a trailing '#', over http or https.
func DialectByURI(uri string) (Dialect, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(uri, "#"), "http")
	if !ok {
		return 0, false
	}
	switch strings.TrimPrefix(rest, "s") {
	case "://json-schema.org/draft-04/schema":
		return Draft4, true
	case "://json-schema.org/draft-06/schema":
		return Draft6, true
	case "://json-schema.org/draft-07/schema":
		return Draft7, true
	case "://json-schema.org/draft/2019-09/schema":
		return Draft2019, true
	case "://json-schema.org/draft/2020-12/schema", "://json-schema.org/schema":
		return Draft2020, true
	}
	return 0, false
}

// UnknownDialectError says that a document's $schema names no dialect we read.
type UnknownDialectError struct {
	URI string // the value of $schema: its text, or its JSON when it is no string
}

func (e *UnknownDialectError) Error() string {
	return fmt.Sprintf("unknown JSON Schema dialect %q", e.URI)
}

// RefAlone reports whether a $ref hides every keyword beside it, as it does up
// to draft-07.
func (d Dialect) RefAlone() bool { return d <= Draft7 }

// idKeyword is the keyword that names a resource.
func (d Dialect) idKeyword() string {
	if d == Draft4 {
		return "id"
	}
	return "$id"
}

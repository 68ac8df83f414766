package emit

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpbind/mcpbind/gen/model"
	"github.com/mcpbind/mcpbind/internal/safetext"
)

// tagOf returns the struct tag of a field as a Go string literal.
//
//	`json:"key"`                        required member
//	`json:"key,omitzero"`               optional member
//	`wire:"it's urgent"`                required member, key unsafe in a json tag
//	`json:",omitzero" wire:"it's"`      optional one
//	`json:"mode" enum:"[\"a\",\"b\"]"`  member that tells variants apart
//	`wire:"kind" const:"\"card\""`      constant
//	`json:"-" codec:"extra"`            every other member
//	`codec:"item,omitzero"`             optional position of a tuple
//	`codec:"rest"`                      the positions after the last
func (f *file) tagOf(field *model.Field) string {
	var tags []string
	add := func(key, value string) { tags = append(tags, key+":"+quote(value)) }
	switch field.Role {
	case model.RoleMember:
		memberTags(field, add)
	case model.RoleConst:
		add("wire", field.Key)
		add("const", field.Const)
	case model.RoleExtra:
		add("json", "-")
		add("codec", "extra")
	case model.RoleItem:
		add("codec", "item"+omitzero(field))
	case model.RoleRest:
		add("codec", "rest")
	default:
		f.fail("field %s: unknown role %d", field.Name, field.Role)
	}
	return literal(strings.Join(tags, " "))
}

func memberTags(field *model.Field, add func(key, value string)) {
	omit := omitzero(field)
	switch {
	case SafeKey(field.Key):
		add("json", field.Key+omit)
	case omit != "":
		add("json", omit)
		add("wire", field.Key)
	default:
		add("wire", field.Key)
	}
	if len(field.Enum) > 0 {
		add("enum", "["+strings.Join(field.Enum, ",")+"]")
	}
}

func omitzero(field *model.Field) string {
	if field.Optional {
		return ",omitzero"
	}
	return ""
}

// SafeKey reports whether a json tag names key with this text on every
// toolchain: under encoding/json of Go 1.26, under its later versions built on
// v2, and for go vet. Letters, digits and a few marks are; quotes, commas,
// backslashes, blanks, other symbols, "-" and "" are not.
func SafeKey(key string) bool {
	if key == "" || key == "-" {
		return false
	}
	for _, r := range key {
		if hidden(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:/@$+#", r) {
			return false
		}
	}
	return true
}

// literal returns s as a Go string literal, between backquotes where that is
// possible and shows everything.
func literal(s string) string {
	if strconv.CanBackquote(s) && !strings.ContainsFunc(s, hidden) {
		return "`" + s + "`"
	}
	return quote(s)
}

// quote returns s as a Go string literal in double quotes that hides nothing.
func quote(s string) string {
	if strings.ContainsFunc(s, hidden) {
		return strconv.QuoteToASCII(s)
	}
	return strconv.Quote(s)
}

func hidden(r rune) bool { return !strconv.IsPrint(r) || safetext.Hidden(r) }

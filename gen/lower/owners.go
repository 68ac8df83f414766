package lower

import (
	"slices"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// An owner names what an identifier stands for, as kind:tool#pointer. Kinds:
// tool (a method), type, variant, const and field. Owners never hold an index,
// so that reordering a schema renames nothing.

var escapeTool = strings.NewReplacer("%", "%25", "#", "%23", ":", "%3A")

func toolOwner(wire string) string { return "tool:" + escapeTool.Replace(wire) }

// everyone returns in and the types of other tools that it stands for.
func (in *info) everyone() []*info { return append([]*info{in}, in.shared...) }

// owners returns the sorted owners of kind at in's place plus tokens.
func (in *info) owners(kind string, tokens ...string) []string {
	below := ""
	for _, t := range tokens {
		below = schema.JoinPointer(below, t)
	}
	out := make([]string, 0, 1+len(in.shared))
	for _, one := range in.everyone() {
		out = append(out, kind+":"+escapeTool.Replace(one.s.tool.wire)+"#"+one.pointer+below)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// typeOwners returns the owners of the type itself.
func (in *info) typeOwners() []string {
	if in.union != nil {
		return in.owners("variant")
	}
	return in.owners("type")
}

// parentOf cuts the last token off an owner.
func parentOf(owner string) string { return owner[:strings.LastIndexByte(owner, '/')+1] }

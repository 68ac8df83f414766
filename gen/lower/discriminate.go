package lower

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mcpbind/mcpbind/gen/model"
)

// discriminate finds the properties that tell the variants of each union apart
// and tags them, then puts constants first.
func (p *lowering) discriminate() {
	for _, in := range p.all {
		if u, ok := in.decl.(*model.Union); ok {
			p.tagVariants(u)
		}
	}
	for _, in := range p.all {
		if st, ok := in.decl.(*model.Struct); ok && !st.Tuple {
			slices.SortStableFunc(st.Fields, func(a, b *model.Field) int { return cmp.Compare(rank(a), rank(b)) })
		}
	}
}

func rank(f *model.Field) int {
	switch f.Role {
	case model.RoleConst:
		return 0
	case model.RoleExtra:
		return 2
	default:
		return 1
	}
}

// tagVariants tags every property for which at least two variants list values
// that differ. Where no value is in two of them, it tells the variants apart.
func (p *lowering) tagVariants(u *model.Union) {
	var listing [][]*model.Field // of each variant, those that list values
	for _, v := range u.Variants {
		if st, ok := v.(*model.Struct); ok && !st.Tuple {
			fields := slices.DeleteFunc(slices.Clone(st.Fields), func(f *model.Field) bool { return len(p.fields[f].values) == 0 })
			if len(fields) > 0 {
				listing = append(listing, fields)
			}
		}
	}
	if len(listing) < 2 {
		return
	}
	byKey := make(map[string][]*model.Field)
	var keys []string
	for _, f := range slices.Concat(listing...) {
		if byKey[f.Key] == nil {
			keys = append(keys, f.Key)
		}
		byKey[f.Key] = append(byKey[f.Key], f)
	}
	for _, key := range keys {
		fields := byKey[key]
		if len(fields) < 2 || p.sameValues(fields) {
			continue
		}
		tells := p.disjoint(fields)
		for _, f := range fields {
			if tells {
				p.tagField(f)
			} else if f.Role != model.RoleConst {
				f.Enum = p.fields[f].values
			}
		}
	}
}

// sameValues reports whether all fields list the same values.
func (p *lowering) sameValues(fields []*model.Field) bool {
	first := p.fields[fields[0]].values
	return !slices.ContainsFunc(fields, func(f *model.Field) bool { return !slices.Equal(p.fields[f].values, first) })
}

func (p *lowering) disjoint(fields []*model.Field) bool {
	seen := make(map[string]bool)
	for _, f := range fields {
		for _, value := range p.fields[f].values {
			if seen[value] {
				return false
			}
			seen[value] = true
		}
	}
	return true
}

// tagField makes f a constant when it must have one value, and else lists its
// values for the codec.
func (p *lowering) tagField(f *model.Field) {
	fi := p.fields[f]
	if fi.of.tag == "" && len(fi.values) == 1 {
		fi.of.tag = strconv.Quote(f.Key) + " is " + fi.values[0]
	}
	switch {
	case f.Role == model.RoleConst:
	case fi.required && len(fi.values) == 1 && !fi.typ.null:
		fix(f, fi.values[0])
	default:
		f.Enum = fi.values
	}
}

package lower

import (
	"slices"

	"github.com/mcpbind/mcpbind/gen/model"
)

// Several definitions may have become one type, see share. They have one shape,
// but bounds, defaults and words of their own, so the type's documentation says
// only what is true wherever it is used.

// differs stands for what owners do not agree on.
const differs = "What else the server says of it depends on where it is used."

// agree returns the words of those owners that have any, and the facts that all
// of them have.
func agree[T any](first T, others []T, words func(T) string, facts func(T) []string) (string, []string) {
	text, common := words(first), facts(first)
	if len(others) == 0 {
		return text, common
	}
	texts, agreed := []string{text}, true
	for _, one := range others {
		texts = append(texts, words(one))
		theirs := facts(one)
		before := len(common)
		common = slices.DeleteFunc(common, func(fact string) bool { return !slices.Contains(theirs, fact) })
		agreed = agreed && len(common) == before && len(common) == len(theirs)
	}
	text, same := agreedText(texts)
	if !same || !agreed {
		common = append(common, differs)
	}
	return text, common
}

// agreedText returns the one text among texts, some of which may be "". It
// reports false when there are several.
func agreedText(texts []string) (text string, ok bool) {
	for _, t := range texts {
		switch {
		case t == "" || t == text:
		case text != "":
			return "", false
		default:
			text = t
		}
	}
	return text, true
}

// agreeOnValues leaves the constants of d, the enum of in, the words that all
// owners agree on.
func (in *info) agreeOnValues(d *model.Enum) {
	if len(in.shared) == 0 {
		return
	}
	texts := make(map[string][]string, len(d.Values))
	for _, one := range in.everyone() {
		for _, v := range one.decl.(*model.Enum).Values {
			texts[v.JSON] = append(texts[v.JSON], v.Doc)
		}
	}
	for i := range d.Values {
		v := &d.Values[i]
		v.Doc, _ = agreedText(texts[v.JSON])
	}
}

package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// A finding is a violation in the making. It either has its message, or says what
// values are wanted, so that the wants of several forms can become one.
type finding struct {
	pointer string
	message string
	want    []string // phrases: "a string", `"open"`
	more    int      // how many more values are wanted than want has room for
	exact   bool     // want lists values, not kinds
	not     string   // the kind that was met, with kinds in want
}

// findings collects, up to a limit.
type findings struct{ list []finding }

func (f *findings) full() bool { return len(f.list) >= maxViolations }

func (f *findings) add(one finding) {
	if !f.full() {
		f.list = append(f.list, one)
	}
}

// blameName rewrites the findings about the name of the member at pointer.
func (f *findings) blameName(pointer string) {
	for i := range f.list {
		if one := &f.list[i]; one.pointer == pointer && !strings.HasPrefix(one.message, nameMessage) {
			*one = finding{pointer: pointer, message: nameMessage + one.text()}
		}
	}
}

const nameMessage = "the name of this property "

// fail notes a violation at the present place. It returns false. Most failures are
// those of a form that was only tried: what to say is asked where it is kept.
func (e *evaluation) fail(say func() finding) bool {
	if e.reporting && !e.found.full() {
		e.spend(1)
		f := say()
		f.pointer = e.pointer()
		e.found.add(f)
	}
	return false
}

func (e *evaluation) failText(say func() string) bool {
	return e.fail(func() finding { return finding{message: say()} })
}

// maxPointerToken bounds the names in the pointer of a violation, in bytes.
const maxPointerToken = 100

func (e *evaluation) pointer() string {
	e.spend(len(e.path) / 4)
	var b strings.Builder
	for _, t := range e.path {
		name := t.name
		if t.item {
			name = strconv.Itoa(t.index)
		}
		if len(name) > maxPointerToken {
			name = strings.ToValidUTF8(name[:maxPointerToken], "") + "..."
		}
		b.WriteString(schema.JoinPointer("", name))
	}
	return b.String()
}

func (f finding) text() string {
	if f.message != "" {
		return f.message
	}
	if len(f.want) == 0 {
		return "no value is allowed here: the schema lists none"
	}
	text, or := "must be ", " or "
	if f.exact && len(f.want) > 1 {
		text, or = "must be one of ", ", "
	}
	text += list(f.want, f.more, or)
	if f.not != "" {
		text += ", not " + f.not
	}
	return text
}

// exported returns what was found, each once.
func (f *findings) exported() []Violation {
	var violations []Violation
	for _, one := range f.list {
		v := Violation{Pointer: one.pointer, Message: one.text()}
		if !slices.Contains(violations, v) {
			violations = append(violations, v)
		}
	}
	if violations == nil {
		violations = []Violation{{Message: "does not match the schema; it would take too long to say where"}}
	}
	return violations
}

// failForms reports that v matches none of the forms of a union. It returns false.
//
// Every form is looked at, but only the closest one in depth: unions within unions
// would otherwise multiply.
func (e *evaluation) failForms(forms []*node, v *schema.Value) bool {
	switch {
	case !e.reporting || e.found.full():
		return false
	case e.shallow:
		return e.failText(func() string { return noForm(len(forms)) })
	}
	outer := e.found
	e.shallow = true
	var lists [][]finding
	for _, form := range forms {
		e.found = &findings{}
		e.check(form, v, nil)
		lists = append(lists, e.found.list)
	}
	e.found, e.shallow = outer, false
	said, form := closest(lists, e.pointer())
	if said != nil {
		e.found.add(*said)
	}
	if form >= 0 {
		e.check(forms[form], v, nil)
	}
	return false
}

func noForm(total int) string {
	return "matches none of the " + strconv.Itoa(total) + " allowed forms"
}

// closest judges what is wrong with a value at pointer in each form of a union. It
// returns what to say of the union as a whole, if anything, and the form to go on
// about, or -1: the one that was plainly meant, or else the one with the fewest
// faults. When the forms want other values in one place, saying so is enough.
func closest(lists [][]finding, pointer string) (said *finding, form int) {
	if f, ok := merged(lists, pointer); ok {
		return &f, -1
	}
	forms := make([]int, 0, len(lists))
	for i, l := range lists {
		if wants(l, pointer) < 0 {
			forms = append(forms, i)
		}
	}
	if len(forms) == 1 {
		return nil, forms[0]
	}
	var told [][]finding // told apart by a member that they want to have certain values
	meant := slices.DeleteFunc(slices.Clone(forms), func(i int) bool {
		told = append(told, lists[i])
		return discriminator(lists[i], pointer) != ""
	})
	switch len(meant) {
	case 0:
		if f, ok := merged(told, discriminator(told[0], pointer)); ok {
			return &f, -1
		}
		meant = forms
	case 1:
		return nil, meant[0]
	}
	best := slices.MinFunc(meant, func(a, b int) int { return len(lists[a]) - len(lists[b]) })
	return &finding{pointer: pointer, message: noForm(len(lists)) + "; the closest one asks for this:"}, best
}

// wants returns the index of the finding that wants another value at pointer
// itself, or -1.
func wants(l []finding, pointer string) int {
	return slices.IndexFunc(l, func(f finding) bool { return f.pointer == pointer && f.want != nil })
}

// merged puts together what the forms want at pointer, if each of them wants
// another value there.
func merged(lists [][]finding, pointer string) (finding, bool) {
	all := finding{pointer: pointer, exact: true}
	known := make(map[string]bool)
	for _, l := range lists {
		i := wants(l, pointer)
		if i < 0 {
			return finding{}, false
		}
		for _, want := range l[i].want {
			if !known[want] {
				known[want] = true
				all.want = append(all.want, want)
			}
		}
		all.more += l[i].more
		all.exact = all.exact && l[i].exact
		all.not = l[i].not
	}
	if all.exact {
		all.not = ""
	}
	return all, true
}

// discriminator returns the pointer of a member of the value at pointer that the
// form wants to be one of certain values, or "".
func discriminator(l []finding, pointer string) string {
	for _, f := range l {
		if rest, ok := strings.CutPrefix(f.pointer, pointer+"/"); ok && f.exact && !strings.Contains(rest, "/") {
			return f.pointer
		}
	}
	return ""
}

package validate

import (
	"fmt"
	"unicode/utf8"

	"github.com/mcpbind/mcpbind/internal/schema"
)

// isOne applies type, const and enum.
func (e *evaluation) isOne(n *node, v *schema.Value) bool {
	if v.Kind == schema.Number && n.types != 0 {
		e.spend(len(v.Text) / 1024)
	}
	if n.types != 0 && n.types&typesOf(v) == 0 {
		return e.fail(func() finding { return finding{want: n.types.phrases(), not: kindPhrase(v, n.types)} })
	}
	if n.constant != nil && !e.equal(n.constant, v) {
		return e.fail(func() finding { return finding{want: []string{e.quoteValue(n.constant.value)}, exact: true} })
	}
	if n.enum != nil && !e.listed(n.enum, v) {
		return e.fail(func() finding {
			want, more := e.quoteValues(n.enum.literals)
			return finding{want: want, more: more, exact: true}
		})
	}
	return true
}

func (e *evaluation) equal(l *literal, v *schema.Value) bool {
	return l.value.Kind == v.Kind && e.key(v) == l.key
}

func (e *evaluation) listed(list *enumeration, v *schema.Value) bool {
	if !list.kinds[v.Kind] {
		return false
	}
	_, ok := list.keys[e.key(v)]
	return ok
}

// key is v's key, at the price of reading all of v.
func (e *evaluation) key(v *schema.Value) string {
	e.spend(weight(v) / 4)
	return string(appendKey(nil, v))
}

func (e *evaluation) object(r *objectRules, v *schema.Value, seen *marks) bool {
	e.spend((len(v.Members) + len(r.required)) / 8)
	ok := e.counted(r.count, len(v.Members), "property", "properties")
	for _, name := range r.required {
		e.spend(len(name) / 1024)
		if v.Get(name) == nil {
			ok = e.failText(func() string { return "missing property " + quoteName(name) })
			if !e.reporting {
				return false
			}
		}
	}
	for _, d := range r.dependencies {
		e.spend(len(d.name) / 1024)
		if v.Get(d.name) != nil {
			ok = e.goOn(ok) && e.dependency(d, v, seen) && ok
		}
	}
	if r.properties == nil && r.patterns == nil && r.additional == nil && r.propertyName == nil {
		return ok
	}
	for i := range v.Members {
		if !e.goOn(ok) {
			return false
		}
		ok = e.member(r, v, i, seen) && ok
	}
	return ok
}

func (e *evaluation) dependency(d dependency, v *schema.Value, seen *marks) bool {
	ok := true
	for _, name := range d.required {
		e.spend(len(name) / 1024)
		if v.Get(name) == nil {
			ok = e.failText(func() string {
				return fmt.Sprintf("missing property %s, required where %s is present", quoteName(name), quoteName(d.name))
			})
		}
	}
	return (d.node == nil || e.within(d.node, v, seen)) && ok
}

// member checks the member at i: its value, and its name.
func (e *evaluation) member(r *objectRules, v *schema.Value, i int, seen *marks) bool {
	m := v.Members[i]
	e.spend(len(m.Name) / 1024)
	e.push(token{name: m.Name})
	ok, evaluated := true, false
	if n := r.properties[m.Name]; n != nil {
		evaluated = true
		ok = e.check(n, m.Value, nil)
	}
	for _, rule := range r.patterns {
		if e.goOn(ok) && e.match(rule.pattern, m.Name) {
			evaluated = true
			// Where the pattern decides nothing, neither does its schema.
			ok = (rule.pattern.unknown || e.check(rule.node, m.Value, nil)) && ok
		}
	}
	if !evaluated && r.additional != nil {
		evaluated = true
		ok = e.extra(r.additional, m.Value, r.names)
	}
	if r.propertyName != nil && e.goOn(ok) {
		ok = e.name(r.propertyName, m.Name) && ok
	}
	if evaluated {
		seen.mark(i)
	}
	e.pop()
	return ok
}

// extra checks a property that the schema does not name.
func (e *evaluation) extra(n *node, v *schema.Value, known []string) bool {
	if n.never {
		e.spend(1)
		return e.failText(func() string { return unexpectedProperty(known) })
	}
	return e.check(n, v, nil)
}

// name checks a property's name.
func (e *evaluation) name(n *node, name string) bool {
	if e.check(n, &schema.Value{Kind: schema.String, Text: name}, nil) {
		return true
	}
	if e.reporting {
		e.found.blameName(e.pointer())
	}
	return false
}

func (e *evaluation) array(r *arrayRules, v *schema.Value, seen *marks) bool {
	ok := e.counted(r.count, len(v.Items), "item", "items")
	for i, item := range v.Items {
		if !e.goOn(ok) {
			return false
		}
		n := r.rest
		if i < len(r.prefix) {
			n = r.prefix[i]
		}
		if n == nil {
			break
		}
		ok = e.child(n, token{index: i, item: true}, item) && ok
		seen.mark(i)
	}
	if r.unique {
		ok = e.goOn(ok) && e.unique(v.Items) && ok
	}
	if r.contains != nil {
		ok = e.goOn(ok) && e.contains(r, v, seen) && ok
	}
	return ok
}

func (e *evaluation) unique(items []*schema.Value) bool {
	first := make(map[string]int, len(items))
	for i, item := range items {
		key := e.key(item)
		if j, ok := first[key]; ok {
			return e.failText(func() string { return fmt.Sprintf("items %d and %d are equal, but all must differ", j, i) })
		}
		first[key] = i
	}
	return true
}

func (e *evaluation) contains(r *arrayRules, v *schema.Value, seen *marks) bool {
	certain, possible := 0, 0
	for i, item := range v.Items {
		answer := e.quietly(r.contains, item, nil)
		if answer == no {
			continue
		}
		possible++
		if answer == yes {
			certain++
		}
		if r.marks {
			seen.mark(i)
			if answer == perhaps {
				seen.doubt()
			}
		}
	}
	least, most := r.matches, r.matches
	if !least.hasMin {
		least.min, least.hasMin = 1, true
	}
	least.hasMax, most.hasMin = false, false
	if certain < least.min && possible >= least.min || most.hasMax && certain <= most.max && possible > most.max {
		e.doubts++
	}
	return e.counted(least, possible, "matching item", "matching items") &&
		e.counted(most, certain, "matching item", "matching items")
}

// counted checks a number of elements.
func (e *evaluation) counted(want span, n int, one, many string) bool {
	switch {
	case want.hasMin && n < want.min:
		return e.failText(func() string { return "must have at least " + plural(want.min, one, many) })
	case want.hasMax && n > want.max:
		return e.failText(func() string { return "must have at most " + plural(want.max, one, many) })
	}
	return true
}

func (e *evaluation) text(n *node, s string) bool {
	ok := true
	if r := n.text; r != nil {
		if r.length != (span{}) {
			e.spend(len(s) / 1024)
			ok = e.counted(r.length, utf8.RuneCountInString(s), "character", "characters")
		}
		if r.pattern != nil && e.goOn(ok) && !e.match(r.pattern, s) {
			ok = e.failText(func() string { return "must match the pattern " + quoteText(r.pattern.source) })
		}
	}
	if n.format != nil && e.goOn(ok) {
		e.spend(len(s) / 256)
		if !n.format.valid(s) {
			ok = e.failText(func() string { return "must have the format " + quoteText(n.format.name) })
		}
	}
	return ok
}

func (e *evaluation) number(r *numberRules, literal string) bool {
	e.spend(len(literal) / 1024)
	d := parseDecimal(literal)
	ok := true
	if r.minimum != nil {
		if c := d.compare(*r.minimum); c < 0 || c == 0 && r.exclusiveMin {
			ok = e.failText(func() string { return limit("at least", "greater than", r.exclusiveMin, *r.minimum) })
		}
	}
	if r.maximum != nil && e.goOn(ok) {
		if c := d.compare(*r.maximum); c > 0 || c == 0 && r.exclusiveMax {
			ok = e.failText(func() string { return limit("at most", "less than", r.exclusiveMax, *r.maximum) })
		}
	}
	if r.multipleOf != nil && e.goOn(ok) {
		e.spend(min(len(r.multipleOf.digits), maxDivisible) / 4)
		switch multiple, known := d.multipleOf(*r.multipleOf); {
		case !known: // the number is too long to divide
			e.undecided(nil)
		case !multiple:
			ok = e.failText(func() string { return "must be a multiple of " + r.multipleOf.String() })
		}
	}
	return ok
}

// unevaluated applies the keywords for what no other keyword evaluated.
func (e *evaluation) unevaluated(n *node, v *schema.Value, seen *marks) bool {
	if seen == nil || !n.tracks(v) {
		return true
	}
	if seen.doubtful {
		e.doubts++
	}
	if seen.everything {
		return true
	}
	ok := true
	for i, item := range v.Items {
		if !seen.seen[i] && e.goOn(ok) {
			ok = e.child(n.array.unevaluated, token{index: i, item: true}, item) && ok
		}
	}
	for i, m := range v.Members {
		if !seen.seen[i] && e.goOn(ok) {
			e.push(token{name: m.Name})
			ok = e.extra(n.object.unevaluated, m.Value, nil) && ok
			e.pop()
		}
	}
	seen.markAll()
	return ok
}

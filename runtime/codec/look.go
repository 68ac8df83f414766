package codec

import "slices"

// A member is one member of an object that was looked at.
type member struct {
	key   []byte
	value int // where it starts
}

// look looks ahead at the object at d's position, collects its members and
// returns the variant that a discriminator tells, or nil, and whether that is
// final. A hasty look ends at the first constant that tells.
func (u *unionCoder) look(d *decoder, hasty bool) (v *variant, final bool) {
	start := d.pos
	defer func() {
		d.looked(d.pos - start)
		d.pos = start
	}()
	d.members = d.members[:0]
	d.pos++
	for d.peek() != '}' {
		m := member{key: d.key()}
		d.peek()
		m.value = d.pos
		d.pos = d.end(d.pos)
		d.members = append(d.members, m)
		if !hasty {
			continue
		}
		for i := range u.tells {
			if u.tells[i].key == string(m.key) {
				if t := u.tells[i].tell(d.data[m.value:d.pos]); t.constant {
					return t.variant, u.tells[i].final
				}
			}
		}
	}
	return u.toldBy(d)
}

// toldBy returns the variant that the collected members tell, or nil, and
// whether that is final.
func (u *unionCoder) toldBy(d *decoder) (v *variant, final bool) {
	for i := range u.tells {
		for _, m := range slices.Backward(d.members) {
			if u.tells[i].key != string(m.key) {
				continue
			}
			if t := u.tells[i].tell(d.data[m.value:d.end(m.value)]); t.variant != nil {
				return t.variant, u.tells[i].final
			}
			break // of duplicates the last counts
		}
	}
	return nil, false
}

// key moves past the next key and returns it, valid as long as the text.
func (d *decoder) key() []byte {
	raw := d.value()
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return inner
	}
	return unquote(nil, raw)
}

// looked counts n bytes passed in looking ahead. When unions nest so deeply that
// this outgrows the text, the ends of long values are noted once, so that
// looking ahead stays linear.
func (d *decoder) looked(n int) {
	if d.ahead += n; d.ahead > 8*len(d.data) && d.ends == nil {
		d.ends = longValues(d.data)
	}
}

// longValues maps the start of each value longer than 64 bytes to its end.
func longValues(data []byte) map[int]int {
	const long = 64
	ends := map[int]int{}
	note := func(start, end int) {
		if end-start > long {
			ends[start] = end
		}
	}
	var open []int
	for pos := 0; pos < len(data); pos++ {
		switch data[pos] {
		case '"':
			end := stringEnd(data, pos)
			note(pos, end)
			pos = end - 1
		case '{', '[':
			open = append(open, pos)
		case '}', ']':
			note(open[len(open)-1], pos+1)
			open = open[:len(open)-1]
		}
	}
	return ends
}

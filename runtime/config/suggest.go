package config

import (
	"maps"
	"slices"
	"strconv"
)

// suggest returns `; did you mean "x"?` for the known key nearest to name, or "".
func suggest(name string, known map[string]int) string {
	best, bestDistance := "", 3
	for _, k := range slices.Sorted(maps.Keys(known)) {
		// Two edits make any three letters of any others.
		if d := distance(name, k); d < bestDistance && d < len(k)-1 {
			best, bestDistance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + strconv.Quote(best) + "?"
}

// distance is the Levenshtein distance of two short strings; of long ones it
// only says that it is large.
func distance(a, b string) int {
	if max(len(a), len(b)) > 40 {
		return 40
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Package spelling finds the word that somebody meant.
//
// In: a word and those that it may have been. Out: the nearest, as it is spelled
// among them. It prints nothing and imports nothing of mcpbind.
package spelling

import (
	"slices"
	"strings"
)

// longest bounds the words that are compared, in bytes: a server may have tools
// with very long names.
const longest = 128

// Nearest returns what of known was probably meant by word: the word that a few
// edits make of it, else the shortest one that it is a part of. Case counts for
// nothing, and neither does which of "-", "_", "." and " " separates words. It
// returns "" when nothing is near. The order of known does not matter.
func Nearest(word string, known []string) string {
	meant := fold(word)
	allowed := min(max(2, len(meant)/4), 8)
	if len(meant) < 5 {
		allowed = 1 // two edits make "bash" of "tcsh"
	}
	best, bestDistance := "", allowed+1
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := distance(meant, fold(k)); d < bestDistance && d < max(len(k)-1, 1) {
			best, bestDistance = k, d
		}
	}
	if best != "" || len(meant) < 3 {
		return best
	}
	for _, k := range slices.Sorted(slices.Values(known)) {
		if strings.Contains(fold(k), meant) && (best == "" || len(k) < len(best)) {
			best = k
		}
	}
	return best
}

func fold(word string) string {
	return strings.NewReplacer("_", "-", ".", "-", " ", "-").Replace(strings.ToLower(word))
}

// distance counts the edits between two words: letters that are missing, too many
// or others, and neighbours that changed places, the commonest slip of fingers. Of
// long words it only says that it is large.
func distance(a, b string) int {
	if max(len(a), len(b)) > longest {
		return longest
	}
	// Three rows of the table whose place i, j is the distance of a[:i] and b[:j].
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}

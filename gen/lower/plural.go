package lower

import "strings"

// irregular holds plurals whose singular no rule below finds, as they end names.
var irregular = []struct{ plural, singular string }{
	{"children", "child"}, {"people", "person"}, {"indices", "index"}, {"vertices", "vertex"},
	{"matrices", "matrix"}, {"criteria", "criterion"}, {"analyses", "analysis"}, {"axes", "axis"},
	{"canvases", "canvas"}, {"excuses", "excuse"}, {"movies", "movie"}, {"cookies", "cookie"}, {"calories", "calorie"}, {"selfies", "selfie"},
}

// unchanging are endings of words that are no plurals, or both.
var unchanging = []string{"ss", "us", "is", "series", "news", "species"}

// latin are endings of words in -us, -is and -as before their plural -es.
var latin = []string{"tuses", "ruses", "nuses", "puses", "iuses", "cuses", "iases", "lases", "buses"}

// singular returns the English singular of an identifier, or the identifier
// when in doubt: a wrong singular reads worse than a plural.
func singular(name string) string {
	lower := strings.ToLower(name)
	if len(lower) != len(name) {
		return name // no English
	}
	for _, word := range irregular {
		if strings.HasSuffix(lower, word.plural) {
			stem := len(name) - len(word.plural)
			return name[:stem] + name[stem:stem+1] + word.singular[1:]
		}
	}
	ends := func(endings ...string) bool {
		for _, ending := range endings {
			if strings.HasSuffix(lower, ending) {
				return true
			}
		}
		return false
	}
	switch {
	case len(name) < 4 || !strings.HasSuffix(name, "s") || ends(unchanging...):
		return name
	case ends("ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case ends("sses", "shes", "ches", "xes") || ends(latin...):
		return name[:len(name)-2]
	}
	return name[:len(name)-1]
}

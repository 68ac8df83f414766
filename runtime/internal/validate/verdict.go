package validate

// A verdict is an answer where a doubt counts.
type verdict int

const (
	no      verdict = iota
	perhaps         // yes, unless something undecided does not hold
	yes
)

// settle answers with a verdict: perhaps is a yes, and a doubt.
func (e *evaluation) settle(answer verdict) bool {
	if answer == perhaps {
		e.doubts++
	}
	return answer != no
}

package compare

import (
	"fmt"
	"strings"
)

// Summary says in a sentence what was found.
func (c *Comparison) Summary() string {
	count := map[Verdict]int{}
	for _, l := range c.Lines {
		count[l.Verdict]++
	}
	judged := count[Better] + count[Worse] + count[Same]
	if judged == 0 {
		return "Nothing can be said: " + c.first() + "."
	}
	var parts []string
	for _, v := range []Verdict{Worse, Better} {
		if n := count[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) == 0 {
		parts = []string{string(Same)}
	}
	text := fmt.Sprintf("%s, of %d metrics compared", strings.Join(parts, ", "), judged)
	if n := len(c.Lines) - judged; n > 0 {
		text += fmt.Sprintf("; %d could not be", n)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// first is the reason of the first line without a verdict.
func (c *Comparison) first() string {
	for _, l := range c.Lines {
		if l.Verdict == Unknown {
			return string(Unknown) + " (" + l.Reason + ")"
		}
	}
	for _, l := range c.Lines {
		if l.Reason != "" {
			return l.Metric + " is not known (" + l.Reason + ")"
		}
	}
	return "no metric was compared"
}

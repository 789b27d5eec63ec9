package cluster

import (
	"strings"

	"github.com/kvscen/kvscen/internal/plan"
)

// lastLines is how much of a log is shown with an error.
const lastLines = 20

// Error is a set-up that failed, and who is to blame for it.
type Error struct {
	Pos       plan.Pos // of the node or process in the scenario
	Member    string
	Process   string // empty: the member as a whole
	Err       error
	LastLines []string // of the process's log
}

// Error is the message with the position in front and the last lines of the log
// below it.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos != (plan.Pos{}) {
		b.WriteString(e.Pos.String() + ": ")
	}
	b.WriteString(e.Member)
	if e.Process != "" {
		b.WriteString("." + e.Process)
	}
	b.WriteString(": " + e.Err.Error())
	return withLog(b.String(), e.LastLines)
}

func (e *Error) Unwrap() error { return e.Err }

// withLog puts the last lines of a log below a text.
func withLog(text string, lines []string) string {
	if len(lines) == 0 {
		return text
	}
	return text + "; its log ends with:\n    " + strings.Join(lines, "\n    ")
}

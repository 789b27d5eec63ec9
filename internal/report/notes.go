package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
)

// notes are the reasons of unknown figures that have no room in their cells.
type notes struct {
	room    int // characters of a reason that fit into a cell
	reasons []string
}

// cell prints a figure, or n/a with its reason or the number of a note.
func (n *notes) cell(v result.Number, as func(float64) string) string {
	if v.OK() {
		return as(v.V)
	}
	reason := clean(v.Reason)
	if len(reason) <= n.room {
		return "n/a (" + reason + ")"
	}
	if strings.HasSuffix(reason, " samples") || reason == "1 sample" { // a note for each number would be too many
		reason = "a percentile needs 10 samples beyond it"
	}
	i := slices.Index(n.reasons, reason)
	if i < 0 {
		i = len(n.reasons)
		n.reasons = append(n.reasons, reason)
	}
	return fmt.Sprintf("n/a [%d]", i+1)
}

// list gives the reasons in the order of their numbers; none of nil.
func (n *notes) list() []string {
	if n == nil {
		return nil
	}
	return n.reasons
}

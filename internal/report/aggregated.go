package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/kvscen/kvscen/internal/result"
)

// SummaryCSV writes the summary table of a phase, a line for each row and a column
// for each cluster, cells as the table has them. A phase that loads data has none.
func SummaryCSV(w io.Writer, r *result.Run, phase string) error {
	g, _, err := summaryOf(r, phase, math.MaxInt)
	if err != nil || len(g.head) < 2 {
		return err
	}
	out := csv.NewWriter(w)
	g.head[0] = ""
	for _, line := range append([][]string{g.head}, g.rows...) {
		if slices.ContainsFunc(line, func(cell string) bool { return cell != "" }) {
			_ = out.Write(line) // a failure stays until Error
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing the summary as CSV: %w", err)
	}
	return nil
}

// SummaryText writes the same with borders.
func SummaryText(w io.Writer, r *result.Run, phase string) error {
	g, n, err := summaryOf(r, phase, cellRoom)
	if err != nil || len(g.head) < 2 {
		return err
	}
	return (&terminal{w: w}).table(g, n)
}

func summaryOf(r *result.Run, phase string, room int) (*grid, *notes, error) {
	columns, err := columnsOf(r, phase)
	if err != nil {
		return nil, nil, err
	}
	g, n := summaryGrid(phase, measuredOf(columns), room)
	return g, n, nil
}

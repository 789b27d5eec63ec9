package report

import (
	"bytes"
	"fmt"
	"io"
)

// Explain writes how each row of the summary table comes about, and where it
// differs from dbtester's row of the same name.
func Explain(w io.Writer) error {
	var b bytes.Buffer
	paragraph(&b, "", 0,
		"The summary table. W is the window from the first start to the last completion of measured requests. Warm-up requests are counted nowhere but in the row that names them. Repetitions are merged: counts, windows and bytes are summed, "+
			"histograms are added bin by bin; no percentile and no mean is ever averaged. A figure that can't be known is n/a, with the reason.")
	write := func(title string, rows []row) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for i, r := range rows {
			if i > 0 && r.formula == rows[i-1].formula && r.differs == rows[i-1].differs {
				paragraph(&b, "  "+r.name, 42, "likewise")
				continue
			}
			paragraph(&b, "  "+r.name, 42, r.formula)
			if r.differs != "" {
				paragraph(&b, "", 42, "Not as in dbtester, which "+r.differs+".")
			}
		}
	}
	write("Rows that dbtester has", classicRows())
	write("Rows of kvscen's own", ownRows(nil))
	fmt.Fprintln(&b, "\nTables of steps and of operations")
	paragraph(&b, "  server %, client %", 42, "largest one-second CPU of any member and of kvscen in the step, percent of one core")
	paragraph(&b, "  the others", 42, "as the rows above, of one step or of one operation")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the explanation: %w", err)
	}
	return nil
}

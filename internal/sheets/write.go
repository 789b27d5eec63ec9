package sheets

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kvscen/kvscen/internal/report"
	"github.com/kvscen/kvscen/internal/result"
)

// aggregatedName is that of the summary table, as CSV and as text.
const aggregatedName = "all-aggregated"

// aggregated describes the summary table of a phase.
func aggregated() Sheet {
	return Sheet{
		Name: aggregatedName + ".csv",
		Doc:  "the summary table of the phase, its repetitions merged, as `kvscen report` prints it; the same with borders in " + aggregatedName + ".txt. `kvscen report --explain` says what each row means",
		Columns: []Column{
			{"", "", "name of the row; phases that load data have no table"},
			{"CLUSTER", "in the cell", "a column for each cluster"},
		},
	}
}

// Write writes the files of a result below dir, a folder for each phase. It
// returns how many were written.
func Write(dir string, r *result.Run) (int, error) {
	w := writer{dir: dir, used: map[string]int{}}
	for _, phase := range r.PhaseNames() {
		if err := w.phase(r, phase); err != nil {
			return w.n, fmt.Errorf("writing phase %s as CSV: %w", phase, err)
		}
	}
	return w.n, nil
}

// writer counts what it has written, and gives no name twice.
type writer struct {
	dir  string
	used map[string]int
	n    int
}

func (w *writer) phase(r *result.Run, name string) error {
	folder := result.FileSafe(name)
	for _, f := range []struct {
		ending string
		write  func(io.Writer, *result.Run, string) error
	}{{".csv", report.SummaryCSV}, {".txt", report.SummaryText}} {
		if err := w.file(folder, aggregatedName, f.ending, func(to io.Writer) error { return f.write(to, r, name) }); err != nil {
			return err
		}
	}
	for i := range r.Clusters {
		c := &r.Clusters[i]
		for j := range c.Phases {
			if c.Phases[j].Name != name {
				continue
			}
			if err := w.subject(folder, &subject{r, c, &c.Phases[j]}); err != nil {
				return fmt.Errorf("on %s: %w", c.Label, err)
			}
		}
	}
	return nil
}

func (w *writer) subject(folder string, sub *subject) error {
	cluster := sub.cluster.Label
	if sub.run.Scenario.Repeat > 1 {
		cluster += fmt.Sprintf("-run-%d", sub.cluster.Repetition+1)
	}
	for _, k := range kinds() {
		files, err := k.files(sub)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := w.file(folder, result.FileSafe(cluster+"-"+f.name), ".csv", f.write); err != nil {
				return err
			}
		}
	}
	return nil
}

// file writes one file, unless it would be empty. Names that differ only in what
// no file may be called get a number.
func (w *writer) file(folder, name, ending string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil || b.Len() == 0 {
		return err
	}
	path := filepath.Join(w.dir, folder, name)
	w.used[path+ending]++
	if n := w.used[path+ending]; n > 1 {
		path += fmt.Sprintf("-%d", n)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+ending, b.Bytes(), 0o644); err != nil {
		return err
	}
	w.n++
	return nil
}

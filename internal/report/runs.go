package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kvscen/kvscen/internal/history"
)

// Runs writes a line for each past run.
func Runs(w io.Writer, runs []history.Run) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(w, "no runs")
		return err
	}
	g := grid{head: []string{"when", "scenario", "status", "took", "folder", "parameters", "figures"}, left: 7}
	var unreadable []string
	for _, r := range runs {
		line := []string{r.Start.Local().Format("2006-01-02 15:04:05"), "?", "?", "?", shorten(r.Path, 60), "", "not readable"}
		if r.Error != "" {
			unreadable = append(unreadable, r.Error)
		} else {
			took := time.Duration(r.Seconds * float64(time.Second)).Round(time.Second)
			line[1], line[2], line[3] = shorten(r.Scenario, 30), statusText(r.Status), took.String()
			line[5], line[6] = shorten(strings.Join(r.Params, " "), 40), keyFigures(r)
		}
		g.rows = append(g.rows, line)
	}
	if err := g.write(w); err != nil {
		return err
	}
	for _, text := range unreadable {
		paragraph(w, "not readable:", 2, clean(text))
	}
	return nil
}

// keyFigures are those of each cluster; a run without any says why.
func keyFigures(r history.Run) string {
	var parts []string
	for _, f := range r.Figures {
		text := shorten(f.Cluster, 24) + " "
		if !f.Throughput.OK() {
			parts = append(parts, text+"n/a")
			continue
		}
		text += shorten(f.Phase, 24) + " " + throughput(f.Throughput.V)
		if f.P99.OK() {
			text += ", p99 " + decimals(f.P99.V/1e6, 2) + " ms"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return shorten(headline(r.Reason), 60)
	}
	return strings.Join(parts, "; ")
}

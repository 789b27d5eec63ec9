package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/kvscen/kvscen/internal/result"
)

// CSV writes every figure of a result, for spreadsheets and data frames: a line
// for each phase, each of its repetitions and each of their steps, and of a mix
// one for each operation too. The columns after the first nine are the metrics,
// with their unit; what is not known is empty.
func CSV(w io.Writer, r *result.Run) error {
	metrics := result.Metrics()
	head := []string{"cluster", "phase", "role", "repetition", "step", "operation", "clients", "connections", "rate"}
	for _, m := range metrics {
		head = append(head, m.Name+" ("+m.Unit+")")
	}
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	for _, name := range r.PhaseNames() {
		columns, err := columnsOf(r, name)
		if err != nil {
			return fmt.Errorf("writing phase %s as CSV: %w", clean(name), err)
		}
		for _, c := range columns {
			if err := csvColumn(out, r, name, c, metrics); err != nil {
				return fmt.Errorf("writing phase %s on %s as CSV: %w", clean(name), clean(c.label), err)
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// csvColumn writes the lines of one cluster in one phase: "all" stands for what
// is merged.
func csvColumn(out *csv.Writer, r *result.Run, phase string, c *column, metrics []result.MetricInfo) error {
	at := result.Selection{Cluster: c.label, Phase: phase, Repetition: result.Merged, Step: result.Merged}
	if err := csvOps(out, r, at, c.phases, nil, metrics); err != nil {
		return err
	}
	for i, p := range c.phases {
		at.Repetition = c.number[i] - 1
		for at.Step = range p.Steps {
			if err := csvOps(out, r, at, c.phases[i:i+1], &p.Steps[at.Step], metrics); err != nil {
				return err
			}
		}
	}
	return nil
}

// csvOps writes the line of a selection and, of a mix, of each operation in it.
func csvOps(out *csv.Writer, r *result.Run, at result.Selection, phases []*result.Phase, step *result.Step, metrics []result.MetricInfo) error {
	names := []string{""}
	if ops := distinctOps(phases); len(ops) > 1 {
		for _, op := range ops {
			names = append(names, op.Name)
		}
	}
	for _, at.Op = range names {
		v, err := r.View(at)
		if err != nil {
			return err
		}
		line := []string{
			plain(at.Cluster), plain(at.Phase), plain(phases[0].Role),
			ordinal(at.Repetition), ordinal(at.Step), allOr(plain(at.Op)), "", "", "",
		}
		if step != nil {
			line[6], line[7], line[8] = strconv.Itoa(step.Clients), strconv.Itoa(step.Connections), plain(rate(step))
		}
		for _, m := range metrics {
			line = append(line, csvNumber(v.Metric(m.Name)))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func csvNumber(n result.Number) string {
	if !n.OK() {
		return ""
	}
	return strconv.FormatFloat(n.V, 'f', -1, 64)
}

// ordinal counts from 1, as the table does.
func ordinal(i int) string {
	if i == result.Merged {
		return "all"
	}
	return strconv.Itoa(i + 1)
}

func allOr(name string) string {
	if name == "" {
		return "all"
	}
	return name
}

// plain keeps a foreign text from being taken for a formula by a spreadsheet.
func plain(text string) string {
	text = clean(text)
	if text != "" && (text[0] == '=' || text[0] == '+' || text[0] == '-' || text[0] == '@') {
		return "'" + text
	}
	return text
}

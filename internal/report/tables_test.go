package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/result"
)

func known(v float64) *result.Number {
	n := result.Known(v)
	return &n
}

func unknown(reason string) *result.Number {
	n := result.NA(reason)
	return &n
}

// reportedRun has a report with texts, figures and one that is not known, and
// one that failed.
func reportedRun() *result.Run {
	r := runOf()
	r.Reports = []result.Report{{
		Name: "as published", Where: "a.star:9:3",
		Parts: []result.ReportPart{
			{Text: strings.Repeat("word ", 30) + "\nsecond\x1b[31m line"},
			{Table: &result.Table{
				Title:   "Reads",
				Columns: []result.Column{{Name: "clients"}, {Name: "target", Words: true}, {Name: "p90", Unit: "ms"}},
				Rows: [][]result.Cell{
					{{Text: "1", Value: known(1)}, {Text: "leader only"}, {Text: "0.490", Value: known(0.4901)}},
					{{Text: "1,000", Value: known(1000)}, {Text: "all\nservers"}, {Text: "n/a", Value: unknown("did not run")}},
				},
			}},
		},
	}, {
		Name: "broken", Where: "a.star:10:3", Line: "report(broken)", Error: "a.star:4:5: no\n    x = y\n    ^",
	}}
	r.Status, r.Reason = result.StatusReport, "the report broken failed"
	return r
}

func TestOwnTables(t *testing.T) {
	golden(t, "reports.txt", table(t, reportedRun()))
}

func TestOwnTablesInJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, reportedRun()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name": "as published"`, `"text": "0.490",`, `"value": 0.4901`, `"na": "did not run"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

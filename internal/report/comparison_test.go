package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/compare"
	"github.com/kvscen/kvscen/internal/result"
)

func comparison() *compare.Comparison {
	known := result.Known
	return &compare.Comparison{
		Base: "results/<b>", New: "results/new", Level: 0.05,
		Warnings: []string{"the kernel differs: 6.1 against 6.12"},
		Lines: []compare.Line{
			{
				Cluster: "etcd", Phase: "write", Step: result.Merged, Metric: "p99", Unit: result.UnitNanoseconds,
				Base: compare.Sample{N: 10, Center: known(2e6)}, New: compare.Sample{N: 10, Center: known(3e6)},
				Delta:  compare.Interval{Value: known(1e6), Low: known(0.5e6), High: known(1.5e6)},
				Effect: 1, P: 0.00001, Adjusted: 0.00002, Verdict: compare.Worse,
			},
			{
				Cluster: "etcd", Phase: "write", Step: result.Merged, Metric: "error_rate", Unit: result.UnitShare,
				Base: compare.Sample{N: 10, Center: known(0)}, New: compare.Sample{N: 10, Center: known(0.01)},
				Delta:  compare.Interval{Value: known(0.01), Low: known(-0.001), High: known(0.02)},
				Effect: 0.5, P: 0.3, Adjusted: 0.3, Verdict: compare.Same,
			},
			{
				Cluster: "etcd", Phase: "write", Step: 1, Metric: "p99.9", Unit: result.UnitNanoseconds,
				Base: compare.Sample{Center: result.NA("20 samples")}, New: compare.Sample{N: 10, Center: known(1)},
				P: 1, Adjusted: 1, Verdict: compare.NotKnown, Reason: "20 samples",
			},
			{
				Cluster: "a|b", Phase: "write", Step: result.Merged, Metric: "throughput", Unit: result.UnitRate,
				Base: compare.Sample{N: 2, Center: known(1000)}, New: compare.Sample{N: 2, Center: known(900)},
				Delta: compare.Interval{Value: known(-100), Low: result.NA("too few runs"), High: result.NA("too few runs")},
				P:     1, Adjusted: 1, Verdict: compare.Unknown, Reason: "2 and 2; at least 4 a side are needed",
			},
		},
	}
}

func TestComparisonTable(t *testing.T) {
	c := comparison()
	violated := []compare.Violation{{Condition: compare.Condition{Text: "p99 > +5%"}, Line: c.Lines[0]}}
	var b strings.Builder
	if err := Comparison(&b, c, violated); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Phase write on etcd\n", "Phase write on etcd, step 2\n", "Phase write on a|b\n",
		"| 2.0000 ms | 3.0000 ms |   +50.00 % | +25.00 % to +75.00 % |   1.00 | < 0.0001 | 10, 10 |               worse |",
		"| 0.0000 % |  1.0000 % |  +1.0000 % | -0.1000 % to +2.0000 % |   0.50 |   0.3000 | 10, 10 | no difference shown |",
		"n/a (20 samples)", "not enough runs: 2 and 2; at least 4 a side are needed", "-10.00 %",
		"1 worse, of 2 metrics compared; 2 could not be.",
		"the kernel differs: 6.1 against 6.12",
		"violated: p99 > +5%: phase write on etcd: +50.00 % of p99 (+25.00 % to +75.00 %), p < 0.0001",
	} {
		if !strings.Contains(b.String(), want) && !strings.Contains(squeezed(b.String()), squeezed(want)) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}

// squeezed leaves out how wide columns are.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestComparisonMarkdownIsEscaped(t *testing.T) {
	var b strings.Builder
	if err := ComparisonMarkdown(&b, comparison(), nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#### Phase write on a\\|b\n", "| p99 | 2.0000 ms |", "| error\\_rate |", "> **warning**: the kernel differs"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "|") && strings.Count(line, "|")-strings.Count(line, `\|`) != 10 {
			t.Errorf("a row with another number of cells: %s", line)
		}
	}
}

func TestComparisonJSONReadsBack(t *testing.T) {
	var b strings.Builder
	if err := ComparisonJSON(&b, comparison(), nil); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Lines    []compare.Line
		Violated []compare.Violation
	}
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Lines) != 4 || back.Lines[0].Delta.Value.V != 1e6 || back.Lines[2].Base.Center.OK() || back.Violated == nil {
		t.Errorf("read back as %+v", back)
	}
}

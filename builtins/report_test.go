package builtins_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kvscen/kvscen/internal/result"
)

// reported evaluates an expression of r, which is the body of a report.
func reported(t *testing.T, body string, run *result.Run) result.Report {
	t.Helper()
	text := `
def main():
    return scenario(
        clusters = [stores["etcd"](version = "3.4")],
        phases = [
            phase("write", put(keys(10).one(), value(1)), requests = 20, clients = steps([1, 2])),
            phase("later", mix([(1, get(keys(10).one())), (1, get(keys(10).one()))]), requests = 20, rate = 5, role = "load"),
        ],
        repeat = 2,
        reports = [report("r", lambda r: ` + body + `)],
    )
`
	s := built(t, text)
	made := after(s, run, text).Reports(s.Reports)
	if len(made) != 1 || made[0].Name != "r" || !strings.Contains(made[0].Line, "reports = ") || !strings.HasPrefix(made[0].Where, "test.star:10:") {
		t.Fatalf("reports %+v", made)
	}
	return made[0]
}

// printed are the cells of the table of a report, cell by cell and line by line.
func printed(t *testing.T, r result.Report) (head, body string) {
	t.Helper()
	if len(r.Parts) != 1 || r.Parts[0].Table == nil {
		t.Fatalf("no table: %+v", r)
	}
	var heads, lines []string
	for _, c := range r.Parts[0].Table.Columns {
		heads = append(heads, strings.TrimSuffix(c.Name+" "+c.Unit, " "))
	}
	for _, row := range r.Parts[0].Table.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(heads, "|"), strings.Join(lines, "\n")
}

func TestReportTable(t *testing.T) {
	for _, c := range []struct{ table, head, body string }{
		{`table(["n"], [[1], [1234567], [-1000]])`, "n", "1\n1,234,567\n-1,000"},
		{`table(["n"], [[0.5], [12], [1234.56]])`, "n", "0.500\n12.000\n1,234.560"},
		{`table(["n"], [[0.00001], [0]])`, "n", "0.0000\n0.0000"},
		{`table(["n"], [[55.2], [4581]])`, "n", "55.2\n4,581.0"},
		{`table(["t"], [[900 * ns], [2 * us]])`, "t us", "0.900\n2.000"},
		{`table(["t"], [[490 * us], [29760 * us]])`, "t ms", "0.490\n29.760"},
		{`table(["t"], [[1 * second], [20 * second]])`, "t s", "1\n20"},
		{`table([("t", "ms")], [[2 * second], [None], ["-"]])`, "t ms", "2,000\n\n-"},
		{`table([("s", "MB"), ("b", "MiB/s"), ("c", "%")], [[433 * MB, 3 * MiB, 97.5]])`, "s MB|b MiB/s|c %", "433|3|97.5"},
		{`table(["a"], [])`, "a", ""},
		{`table(["clients", "p50"], [[s.clients, s.p50] for s in r.phase("write").steps])`, "clients|p50 ms", "1|10.0\n2|20.0"},
		{`table(["n/a"], [[r.phase("write").step(1).p99_9 * 2], [round(r.phase("later").p50, 1)]])`, "n/a", "n/a\nn/a"},
	} {
		r := reported(t, strings.ReplaceAll(c.table, "* ns", "* us / 1000"), finished(t))
		if r.Failed() {
			t.Errorf("%s: %s", c.table, r.Error)
			continue
		}
		if head, body := printed(t, r); head != c.head || body != c.body {
			t.Errorf("%s: got %s\n%s\nwant %s\n%s", c.table, head, body, c.head, c.body)
		}
	}
}

// Every part that the plan has can be looked at, whether it ran or not.
func TestReportFacts(t *testing.T) {
	later, none := "1|5.0|load|get get-2", "did not run"
	for body, want := range map[string]string{
		`r.clusters[0].label + r.label + r.driver`: "etcdetcdetcd",
		`str(r.version)`:                                                                    "n/a (version not known)",
		`" ".join([p.name for p in r.phases])`:                                              "write later",
		`" ".join([str(s.number) for s in r.phase("write").steps])`:                         "1 2",
		`str(r.phase("write").step(2).rate)`:                                                "None",
		`"%s|%s|%s|" % (p.connections, p.rate, p.role) + " ".join([o.kind for o in p.ops])`: later,
		`r.phase("write").kind`:                                                             "put",
		`str(r.params.clients)`:                                                             "7",
		`str(r.phase("later").op("get-2").ok)`:                                              "n/a (" + none + ")",
		`str(len(r.runs)) + str(r.phase("write").runs[1].ok)`:                               "210100",
	} {
		if strings.Contains(body, "(p.") {
			body = `[` + body + ` for p in [r.phase("later")]]`
		}
		r := reported(t, body, finished(t))
		if r.Failed() || len(r.Parts) != 1 || r.Parts[0].Text != want {
			t.Errorf("%s: got %+v, want %s", body, r, want)
		}
	}
}

func TestReportFails(t *testing.T) {
	for body, want := range map[string]string{
		`None`:                             "the function returned NoneType: it must return a table(...), a text, or a list of them",
		`[]`:                               "the function returned an empty list",
		`["x", 3]`:                         "the function returned int (3), element 1 of a list",
		`r.phase("write").clients`:         "clients differs from step to step: say which step is meant",
		`r.phase("write").step(9).clients`: "phase write has no step 9: there are 2",
		`r.phase("later").kind`:            "say which operation is meant, as .op(kind); there are: get, get-2",
		`r.number`:                         "say which step is meant",
		`r.name`:                           "say which phase is meant, as .phase(name); there are: write, later",
		`r.cluster("etdc")`:                "did you mean etcd",
		`r.clutsers`:                       "did you mean clusters",
		`r.params.clinets`:                 "clinets",
		`table(["a"], [[r]])`:              "want a number, a duration, a text, a figure of the result or None, got result",
		`"x" if r.phase("later").p50 < ms else 1`: "n/a",
	} {
		r := reported(t, body, finished(t))
		if !strings.Contains(r.Error, want) || len(r.Parts) > 0 {
			t.Errorf("%s: got %+v, want %s", body, r, want)
		}
	}
}

// What is written to run.json reads back as it was, with figures unrounded.
func TestReportRoundTrip(t *testing.T) {
	r := reported(t, `["text", table(["w", ("t", "us")], [["a", 1234567 * us / 1000], ["b", r.phase("later").p50]])]`, finished(t))
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again result.Report
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("got %+v, want %+v", again, r)
	}
	rows := again.Parts[1].Table.Rows
	if v := rows[0][1].Value; v == nil || v.V != 1234.567 || rows[0][1].Text != "1,235" {
		t.Errorf("the figure %+v", rows[0][1])
	}
	if v := rows[1][1].Value; v == nil || v.Reason != "did not run" {
		t.Errorf("the figure that is not known: %+v", rows[1][1])
	}
	if columns := again.Parts[1].Table.Columns; !columns[0].Words || columns[1].Words {
		t.Errorf("columns %+v", columns)
	}
}

package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kvscen/kvscen/internal/result"
	"github.com/kvscen/kvscen/internal/sheets"
)

// results is the reference of a result folder: each file, each column of a CSV and
// each field of run.json, from the declarations that they are written by.
func results() ([]byte, error) {
	p := newPage("Result folders", `Each run leaves a folder, `+"`results/NAME-TIME`"+` unless `+"`--out`"+` says otherwise. Nothing in it is ever
overwritten by another run. What a run measured is in `+"`run.json`"+`, all of it; the other files say
the same in forms that other programs read, or hold what it was made from.`)
	p.folder()
	p.versions()
	p.hlog()
	p.samples()
	p.csv()
	if err := p.runJSON(); err != nil {
		return nil, err
	}
	return p.Bytes(), nil
}

func (p *page) folder() {
	p.table("File", "What")
	for _, f := range [][2]string{
		{"`run.json`", "[everything measured](#runjson), with verdicts and reports; written at the end, in one step"},
		{"`latency.hlog`", "[latencies second by second](#latencyhlog), as an HdrHistogram log; written as the run goes on"},
		{"`report.html`", "the report with charts, one file that needs no network; `kvscen report --format html` makes it again"},
		{"`csv/PHASE/*.csv`", "[figures by subject](#csv); `kvscen csv` makes them again"},
		{"`samples/*.csv`", "[each request](#samples) of phases of at most 10,000, or with `samples = True`"},
		{"`plots/*.svg`, `*.png`", "charts, with `--plots` or by `kvscen plot`; it prints the column of run.json that each of them draws"},
		{"`scenario/`", "the scenario and all that it loaded, as it was"},
		{"`logs/CLUSTER/*.log`", "what members wrote to their logs"},
		{"`data/`", "the members' data while the run goes on, and after it with `--keep-data` or `kill -9`"},
	} {
		p.row(f[0], f[1])
	}
	p.printf(`
A run that was killed leaves no run.json. What it had measured by then is in latency.hlog: ` + "`kvscen rescue`" + `
prints it, and any tool for such logs reads it.
`)
}

func (p *page) versions() {
	p.printf(`
## Versions

`+"`schema`"+` in run.json is the version of its schema; this is version %d. Within a version fields may be added,
which readers pass over, and no field goes or changes its meaning or unit. What does raises the version.
kvscen reads all earlier versions, and says of a later one which kvscen wrote it. Columns of a CSV are added behind
the others, and keep their names, units and order.
`, result.Schema)
}

func (p *page) hlog() {
	p.printf(`
## latency.hlog

HdrHistogram's log format, version 1.3, with histograms in the V2 compressed encoding. A line is one second of one
operation:

    Tag=CLUSTER.PHASE.OP,START,LENGTH,MAX,HISTOGRAM

With repetitions the tag ends in `+"`.runN`"+`. START and LENGTH are seconds; START counts from the base time in the
head. Histograms count latencies in nanoseconds, from %d ns to an hour with %d digits: response times where there is a
schedule, else service times, of the ok requests that completed in that second. MAX is in milliseconds. A second
without any has a line too.
`, result.HistLowest, result.HistDigits)
}

func (p *page) samples() {
	p.printf("\n## samples\n\nA line for each measured request of a phase on a cluster, in the order of their numbers. What does not exist is empty.\n")
	p.table("Column", "Meaning")
	for _, c := range result.SampleColumns() {
		p.row(code(c.Name), c.Doc)
	}
}

func (p *page) csv() {
	p.printf(`
## csv

A folder for each phase. In the names of files CLUSTER is its label, followed by ` + "`-run-N`" + ` where the scenario
repeats. Files and columns that [dbtester](https://github.com/etcd-io/dbtester) has bear its names. What is not known is
empty. ` + "`kvscen report --format csv`" + ` prints another table: a line for each phase, repetition, step and operation,
and a column for each of the [metrics](metrics.md), with its unit.
`)
	for _, s := range sheets.Sheets() {
		p.printf("\n### %s\n\n%s.\n", s.Name, sentence(s.Doc))
		p.table("Column", "Unit", "Meaning")
		for _, c := range s.Columns {
			p.row(code(c.Name), c.Unit, c.Doc)
		}
	}
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// runJSON describes run.json, read from the comments of the structs that it is
// written from.
func (p *page) runJSON() error {
	structs, err := parseStructs(result.Declarations())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(structs, func(s structDoc) bool { return s.name == "Run" })
	if i < 0 {
		return fmt.Errorf("reading the structs of run.json: Run is not among them")
	}
	first := structs[i]
	structs = slices.Insert(slices.Delete(structs, i, i+1), 0, first)
	p.printf(`
## run.json

The file holds one object, a [Run](#run). Durations and latencies are in nanoseconds, sizes in bytes, CPU in percent of
one core. Instants are RFC 3339 times. A *number* that can't be known is ` + "`{\"na\": reason}`" + `. A *column* is an
array of numbers in which ` + "`null`" + ` is a gap. A field that may be missing is marked with a question mark. The
statuses of a run are the [exit statuses](cli.md#exit-statuses).
`)
	names := map[string]bool{}
	for _, s := range structs {
		names[s.name] = true
	}
	for _, s := range structs {
		p.structTable(s, names)
	}
	p.tracks()
	return nil
}

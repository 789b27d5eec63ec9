// Package sheets writes what a run measured as CSV files, one a subject, for
// spreadsheets and data frames. Files and columns that dbtester has too bear its
// names, so that what reads those reads these; further columns stand behind them.
// A column's name holds its unit, and a figure that is not known is empty.
package sheets

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/kvscen/kvscen/internal/result"
)

// Column describes one column.
type Column struct {
	Name string
	Unit string
	Doc  string
}

// Sheet describes one kind of file.
type Sheet struct {
	Name    string // of the file; capital words stand for what differs
	Doc     string
	Columns []Column
}

// Sheets describes all files, in the order in which they are written.
func Sheets() []Sheet {
	list := []Sheet{aggregated()}
	for _, k := range kinds() {
		list = append(list, k.describe())
	}
	return list
}

// kinds are the files of one run on one cluster.
func kinds() []kind {
	return append([]kind{
		bySecond(), byKey(), byClients(),
		percentiles(), distribution(), summary(),
		serverMetrics(), hostMetrics(), clientMetrics(),
	}, append(trackByKey(), diskUsage())...)
}

// kind is one kind of file.
type kind interface {
	describe() Sheet
	files(*subject) ([]file, error)
}

// file is one file to be written.
type file struct {
	name  string // without the cluster's
	write func(io.Writer) error
}

// subject is what a set of files is about: a phase on a cluster in one
// repetition.
type subject struct {
	run     *result.Run
	cluster *result.Cluster
	phase   *result.Phase
}

// sheet is a kind whose lines are made of values of type T. A column and its
// cells can't get out of step: they are one value.
type sheet[T any] struct {
	name, doc string
	columns   []column[T]
	headless  bool // there is no line of names
	tables    func(*subject) ([]table[T], error)
}

type column[T any] struct {
	Column
	cell func(T) string
}

// table is one file of a sheet. A table without a line is not written.
type table[T any] struct {
	name  string // without an ending
	lines []T
}

// one is the table of a sheet that has just one.
func one[T any](name string, lines []T) []table[T] { return []table[T]{{name, lines}} }

func (s sheet[T]) describe() Sheet {
	d := Sheet{Name: "CLUSTER-" + s.name + ".csv", Doc: s.doc}
	for _, c := range s.columns {
		d.Columns = append(d.Columns, c.Column)
	}
	return d
}

func (s sheet[T]) files(sub *subject) ([]file, error) {
	tables, err := s.tables(sub)
	if err != nil {
		return nil, err
	}
	var list []file
	for _, t := range tables {
		if len(t.lines) > 0 {
			list = append(list, file{t.name, func(w io.Writer) error { return s.write(w, t.lines) }})
		}
	}
	return list, nil
}

func (s sheet[T]) write(w io.Writer, lines []T) error {
	out := csv.NewWriter(w)
	line := make([]string, len(s.columns))
	for i, c := range s.columns {
		line[i] = c.Name
	}
	if !s.headless {
		_ = out.Write(line) // a failure stays until Error
	}
	for _, v := range lines {
		for i, c := range s.columns {
			line[i] = c.cell(v)
		}
		_ = out.Write(line)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing %s: %w", s.name, err)
	}
	return nil
}

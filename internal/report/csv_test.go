package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"testing"
)

func TestCSV(t *testing.T) {
	r := oddRun(t)
	var b bytes.Buffer
	if err := CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll() // it refuses lines of another length
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int {
		i := slices.Index(rows[0], name)
		if i < 0 {
			t.Fatalf("no column %q in %q", name, rows[0])
		}
		return i
	}
	ok, p99 := column("ok (count)"), column("p99 (ns)")
	find := func(phase, repetition, step, op string) []string {
		i := slices.IndexFunc(rows, func(row []string) bool {
			return row[1] == phase && row[3] == repetition && row[4] == step && row[5] == op
		})
		if i < 0 {
			t.Fatalf("no line of phase %s, repetition %s, step %s, operation %s", phase, repetition, step, op)
		}
		return rows[i]
	}
	if got := find("mixed", "all", "all", "all")[ok]; got != "33000" {
		t.Errorf("ok of the phase is %s, want 33000", got)
	}
	if got := find("mixed", "all", "all", "get")[ok]; got != "16500" {
		t.Errorf("ok of get is %s, want 16500", got)
	}
	if got := find("mixed", "2", "1", "all"); got[6] == "" || got[7] == "" || got[8] == "" {
		t.Errorf("a step has clients %q, connections %q, rate %q", got[6], got[7], got[8])
	}
	for _, row := range rows[1:] {
		for _, cell := range []string{row[ok], row[p99]} {
			if v, err := strconv.ParseFloat(cell, 64); cell != "" && (err != nil || v < 0) {
				t.Errorf("a figure %q in %q", cell, row[:9])
			}
		}
	}
}

func TestCSVHoldsNoFormula(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "etcd": "etcd", "": ""} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

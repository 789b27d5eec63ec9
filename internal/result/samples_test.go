package result

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func someSamples() []Sample {
	return []Sample{
		{N: 0, Op: "put", Start: 5, End: 5 + 2*time.Millisecond, OK: true},
		{N: 1, Step: 1, Op: "get", Open: true, Due: 1_000_000, Start: 1_000_010, End: 1_000_017, OK: true},
		{N: 2, Step: 1, Op: "get", Open: true, Due: 2_000_000, Start: 2_000_001, End: 2_000_009, Class: "timeout, or so"},
	}
}

const someCSV = "request,step,op,start_ns,due_ns,service_ns,response_ns,lag_ns,ok,error_class,failed_ns\n" +
	"0,1,put,5,,2000000,,,true,,\n" +
	"1,2,get,1000010,1000000,7,17,10,true,,\n" +
	"2,2,get,2000001,2000000,,,1,false,\"timeout, or so\",8\n"

func TestWriteSamples(t *testing.T) {
	var b strings.Builder
	if err := WriteSamples(&b, slices.Values(someSamples())); err != nil || b.String() != someCSV {
		t.Errorf("%v, got\n%s", err, b.String())
	}
	if err := WriteSamples(&full{10}, slices.Values(make([]Sample, 3))); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
}

func TestReadSamples(t *testing.T) {
	all := func(*Sample) bool { return true }
	got, err := ReadSamples(strings.NewReader(someCSV), all)
	if err != nil || !reflect.DeepEqual(got, someSamples()) {
		t.Errorf("%v, got %+v", err, got)
	}
	head, _, _ := strings.Cut(someCSV, "\n")
	for text, want := range map[string]string{
		"":                               "the head of the samples: EOF",
		"a,b\n":                          `the columns are ["a" "b"]`,
		head + "\n1,2\n":                 "wrong number of fields",
		head + "\n0,1,p,5,,,,,yes,,\n":   `line 2: ok is "yes"`,
		head + "\n0,1,p,5,,x,,,true,,\n": "line 2",
		head + "\n0,1,p,5,,,,,true,,\n":  "line 2", // an ok request without a latency
	} {
		if _, err := ReadSamples(strings.NewReader(text), all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestSamplesOfARun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(someCSV), 0o644); err != nil {
		t.Fatal(err)
	}
	phase := Phase{Name: "p", Ops: []Op{{Name: "put"}, {Name: "get"}}, Steps: make([]Step, 2), SamplesFile: "a.csv"}
	none, outside := phase, phase
	none.Name, none.SamplesFile = "none", ""
	outside.Name, outside.SamplesFile = "outside", "../a.csv"
	phases := []Phase{phase, none, outside}
	run := &Run{Schema: Schema, Kvscen: "test", Clusters: []Cluster{{Label: "c", Phases: phases}, {Label: "c", Repetition: 1, Phases: phases}}}
	if err := Save(dir, run); err != nil {
		t.Fatal(err)
	}
	r, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := Selection{Cluster: "c", Phase: "p", Repetition: Merged, Step: Merged}
	second, get, first := all, all, all
	second.Step, get.Op, first.Repetition = 1, "get", 0
	for _, c := range []struct {
		sel  Selection
		want int
	}{{all, 6}, {second, 4}, {get, 4}, {first, 3}} {
		if got, err := r.Samples(c.sel); err != nil || len(got) != c.want {
			t.Errorf("%+v: %d samples, %v; want %d", c.sel, len(got), err, c.want)
		}
	}
	for _, c := range []struct{ phase, want string }{
		{"none", "none were kept: phases of at most 10000 requests keep them, and those with samples = True"},
		{"outside", "lies outside of the result"},
		{"other", `no phase "other"`},
	} {
		s := all
		s.Phase = c.phase
		if _, err := r.Samples(s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("phase %s: error %v, want %s", c.phase, err, c.want)
		}
	}
	if _, err := run.Samples(all); err == nil || !strings.Contains(err.Error(), "folder of the result is not known") {
		t.Errorf("error %v", err)
	}
}

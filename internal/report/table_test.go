package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/kvscen/kvscen/internal/result"
)

// plainRun is one cluster, two steps, nothing odd.
func plainRun(t *testing.T) *result.Run {
	return runOf(clusterOf("etcd", 0, phaseOf("write", []result.Op{put()},
		shape{seed: 1, ops: []string{"put"}, ok: 3000, median: 2 * time.Millisecond, seconds: 5, clients: 1, conns: 1, endedBy: "requests"}.step(t),
		shape{seed: 2, ops: []string{"put"}, ok: 12000, median: 3 * time.Millisecond, from: 10 * time.Second, seconds: 5, clients: 100, conns: 10, endedBy: "requests"}.step(t),
	)))
}

// oddRun has what goes wrong: repetitions, a store where nothing is ok, one in
// process with a lone sample, missed requests, hostile texts, long names.
func oddRun(t *testing.T) *result.Run {
	get := result.Op{Name: "get", Weight: 0.05, RPCs: "1 Range RPC", Consistency: "linearizable", Asked: "strong"}
	mostPut := result.Op{Name: "put", Weight: 0.95, RPCs: "1 Put RPC"}
	load := func(seed uint64) result.Phase {
		p := phaseOf("load", []result.Op{put()}, shape{seed: seed, ops: []string{"put"}, ok: 500, median: time.Millisecond, seconds: 1, clients: 10, conns: 1, endedBy: "requests"}.step(t))
		p.Role = "load"
		return p
	}
	r := runOf()
	for i := range 3 {
		mixed := phaseOf("mixed", []result.Op{mostPut, get},
			shape{seed: uint64(10 + i), ops: []string{"put", "get"}, ok: 5000 + 500*i, missed: 700, failed: 3, median: 2 * time.Millisecond, seconds: 4, open: true, clients: 100, conns: 3, endedBy: "duration"}.step(t))
		mixed.Group = 1
		mixed.Steps[0].Errors = []result.ErrorClass{{Class: "timeout", Count: 3, Sample: "context deadline exceeded"}}
		mixed.Markers = []result.MarkerCount{{Member: "m1", Label: "snapshot", Count: 2 + i}}
		mixed.Marks = []result.Mark{
			{Kind: "schedule-missed", Step: 0, Bad: true, Text: "700 of 10,703 requests were never started"},
			{Kind: "shared-machine", Step: -1, Text: "client and servers share bench-1"},
		}
		r.Clusters = append(r.Clusters, clusterOf("etcd", i, load(uint64(i)), mixed))
	}
	nothing := shape{seed: 30, ops: []string{"put"}, failed: 5000, median: time.Millisecond, seconds: 2, clients: 7, conns: 2, endedBy: "max_errors"}.step(t)
	nothing.Errors = []result.ErrorClass{
		{Class: "refused", Count: 17, Sample: "dial \x1b[31mred\x07\r\n\u202egnp.exe \xff end"},
		{Class: "unavailable", Count: 4983, Sample: strings.Repeat("a long text about quorum ", 30)},
	}
	broken := phaseOf("mixed", []result.Op{put()}, nothing)
	broken.Error = "more than 5,000 errors"
	zoo := clusterOf("zookeeper-on-a-very-long-label-that-goes-on", 0, broken)
	zoo.Error = "member m2 died: \x1b]0;title\x07 out of memory"
	zoo.Events = []result.Event{
		{At: start().Add(3 * time.Second), Member: "m2", Kind: "died", Text: "exit status 137; its log ends with:\n    last words"},
		{At: start().Add(5 * time.Second), Member: "m3", Kind: "leader", Text: "term 4"},
	}
	lone := shape{seed: 40, ops: []string{"cas"}, ok: 1, median: 250 * time.Nanosecond, clients: 1, conns: 1, endedBy: "interrupt"}.step(t)
	lone.To = lone.From + 900
	lone.Usage = result.Usage{Client: result.ProcessUsage{MaxCPU: result.NA("step shorter than one second of sampling"), MaxRSS: result.Known(1e6)}}
	mem := clusterOf("mem", 0, phaseOf("mixed", []result.Op{{Name: "cas", Weight: 1, RPCs: "a call"}}, lone))
	mem.Driver, mem.InProcess, mem.Members, mem.Version = "mem", true, nil, ""
	unready := clusterOf("consul", 0)
	unready.Setup, unready.Version, unready.Members = 0, "", nil
	unready.Error = "not ready within 30s: m3 has no leader"
	r.Clusters = append(r.Clusters, zoo, mem, unready)
	r.Scenario.Repeat = 3
	r.Scenario.Params = append(r.Scenario.Params, result.Param{Name: "clients", Value: "[" + strings.Repeat("1000, ", 60) + "1]"})
	r.Status, r.Reason = result.StatusRun, "zookeeper: nothing ok; its log ends with:\n    last words"
	r.Verdicts = []result.Verdict{
		{Kind: "expect", Name: "p99 below 20 ms", Status: result.Fail, Where: "mixed.star:12:5", Line: `        expect("mixed", p99 = below(20 * ms)),`,
			Reads: []result.Read{{Path: `cluster("etcd").phase("mixed").response.p99`, Value: "35.2 ms", Limit: "below 20 ms"}}, Text: "700 requests were missed"},
		{Kind: "check", Name: "spread", Status: result.Unknown, Where: "mixed.star:20:1", Text: "p99.9 is n/a (1 sample)"},
		{Kind: "check", Name: "slip", Status: result.Fail, Where: "mixed.star:21:1", Text: "the function failed: mixed.star:6:4: no field .p\n    return r.p\n             ^"},
		{Kind: "check", Name: "counts", Status: result.Pass, Where: "mixed.star:24:1", Reads: []result.Read{{Path: "ok", Value: "5,000", OK: true}}},
	}
	return r
}

// golden compares with a file in testdata; KVSCEN_UPDATE=1 writes it anew.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("KVSCEN_UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

func table(t *testing.T, r *result.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Table(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTable(t *testing.T) {
	golden(t, "plain.txt", table(t, plainRun(t)))
	golden(t, "odd.txt", table(t, oddRun(t)))
}

// Large values bring rows and columns of bytes a second, small ones do not.
func TestTableOfLargeValues(t *testing.T) {
	r := plainRun(t)
	if text := string(table(t, r)); strings.Contains(text, "MB/sec") {
		t.Errorf("values of 1 KiB have a rate in bytes:\n%s", text)
	}
	for i := range r.Clusters[0].Phases[0].Steps {
		s := &r.Clusters[0].Phases[0].Steps[i].Series[0]
		s.Written = s.OK << 20
	}
	text := string(table(t, r))
	for _, want := range []string{
		"| payload sent                          |                 16 GB |\n",
		"| payload sent a second                 |        1,379.7 MB/sec |\n",
		"| req/sec | sent MB/sec | mean ms |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "received a second") || strings.Contains(text, "received MB/sec") {
		t.Errorf("nothing is read, and yet has a rate:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(line)) - 1; n > 160 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestExplain(t *testing.T) {
	var b bytes.Buffer
	if err := Explain(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain.txt", b.Bytes())
}

func TestTableIsSafe(t *testing.T) {
	text := string(table(t, oddRun(t)))
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("the report holds %U", r)
		}
	}
	if bad := regexp.MustCompile(`NaN|Inf|9223372036854775807|9\.2e\+?18|%!`).FindString(text); bad != "" {
		t.Errorf("the report holds %q", bad)
	}
}

func TestTableIsTheSameAfterLoading(t *testing.T) {
	for name, r := range map[string]*result.Run{"plain": plainRun(t), "odd": oddRun(t)} {
		dir := t.TempDir()
		want := table(t, r)
		if err := result.Save(dir, r); err != nil {
			t.Fatal(err)
		}
		loaded, err := result.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := table(t, loaded); !bytes.Equal(got, want) {
			t.Errorf("%s: after loading the report is\n%s\nwas\n%s", name, got, want)
		}
	}
}

func TestTableFitsTheWidth(t *testing.T) {
	for line := range strings.Lines(string(table(t, plainRun(t))) + string(table(t, oddRun(t)))) {
		if n := len([]rune(line)) - 1; n > 160 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestTableOfNothing(t *testing.T) {
	r := runOf()
	r.Status, r.Reason = result.StatusSetup, "etcd is not ready"
	text := string(table(t, r))
	if !strings.Contains(text, "Status 3 (set-up failed): etcd is not ready") {
		t.Errorf("got\n%s", text)
	}
	if err := Table(&bytes.Buffer{}, &result.Run{}); err != nil {
		t.Errorf("the zero run: %v", err)
	}
}

func TestTableOfDamagedHistogram(t *testing.T) {
	r := plainRun(t)
	r.Clusters[0].Phases[0].Steps[1].Series[0].Service.Data = "AAAA"
	var b bytes.Buffer
	err := Table(&b, r)
	if err == nil || !strings.Contains(err.Error(), "step 2: operation put: decoding a histogram") {
		t.Errorf("error %v", err)
	}
	if b.Len() > 0 {
		t.Errorf("half a report was written:\n%s", b.Bytes())
	}
}

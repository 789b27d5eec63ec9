package sheets

import (
	"encoding/csv"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kvscen/kvscen/internal/result"
)

var nan = math.NaN()

func hist(t *testing.T, values ...int64) *result.Hist {
	t.Helper()
	hdr := result.NewHDR()
	h := &result.Hist{N: uint64(len(values)), Min: slices.Min(values), Max: slices.Max(values)}
	for _, v := range values {
		if err := hdr.RecordValue(v); err != nil {
			t.Fatal(err)
		}
		h.Sum += uint64(v)
	}
	if err := h.Encode(hdr); err != nil {
		t.Fatal(err)
	}
	return h
}

// runOf is one phase of four requests in three seconds, on a cluster of two
// members: one on a machine of its own, one beside the client.
func runOf(t *testing.T) *result.Run {
	t.Helper()
	step := result.Step{
		Clients: 7, From: 0, To: 3 * time.Second, Counts: result.Counts{Attempted: 5, OK: 4, Failed: 1},
		Errors: []result.ErrorClass{{Class: "timeout", Count: 1, Sample: "no \"answer\"\nat all"}},
		Series: []result.Series{{
			Op: "put", OK: 4, Failed: 1, Service: hist(t, 1e6, 1e6, 2e6, 8e6),
			Seconds: result.Seconds{Step: time.Second, OK: []uint32{3, 0, 1}, Failed: []uint32{0, 1, 0},
				Min: result.Values{1e6, nan, 8e6}, Mean: result.Values{4e6 / 3., nan, 8e6}, Max: result.Values{2e6, nan, 8e6},
				P50: result.Values{nan, nan, nan}, P90: result.Values{nan, nan, nan}, P99: result.Values{nan, nan, nan}, P999: result.Values{nan, nan, nan}},
			Ranges: &result.Ranges{Width: 1000, OK: []uint32{4}, Min: result.Values{1e6}, Mean: result.Values{3e6}, Max: result.Values{8e6}},
		}},
		Usage: result.Usage{Members: []result.ProcessUsage{{Name: "m1", DiskUsage: result.Known(1234567)}, {Name: "m2", DiskUsage: result.NA("no folder")}}},
	}
	return &result.Run{Schema: 1, Kvscen: "test", Scenario: result.Scenario{Name: "s", Repeat: 1}, Clusters: []result.Cluster{{
		Label:   "etcd",
		Members: []result.Member{{Name: "m1", Host: "10.0.0.1", Endpoint: "10.0.0.1:2379"}, {Name: "m2", Host: "local", Endpoint: "=local:1"}},
		Phases: []result.Phase{{
			Name: "write", Role: "measure", Start: time.Unix(1000, 500e6), Ops: []result.Op{{Name: "put", Weight: 1}}, Steps: []result.Step{step},
			Samples: result.Samples{Start: 250 * time.Millisecond, Step: time.Second, Tracks: []result.Track{
				{Source: "member:m1", Name: "rss_bytes", Values: result.Values{1e6, 2e6, nan}},
				{Source: "member:m2", Name: "rss_bytes", Values: result.Values{3e6, 4e6, 5e6}},
				{Source: "host:10.0.0.1", Name: "disk_writes_per_second", Values: result.Values{11, nan, 13}},
				{Source: "host:local", Name: "disk_writes_per_second", Values: result.Values{21, 22, 23}},
				{Source: "client", Name: "cpu_percent", Values: result.Values{50, nan, 70}},
			}},
		}},
	}}}
}

// written gives the files by path, below the folder.
func written(t *testing.T, r *result.Run) map[string]string {
	t.Helper()
	dir := t.TempDir()
	inner := filepath.Join(dir, "csv")
	n, err := Write(inner, r)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(inner, path)
		if err != nil || !filepath.IsLocal(name) {
			t.Errorf("%s lies outside", path)
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil || len(files) != n {
		t.Fatalf("%d files are there, %d were told: %v", len(files), n, err)
	}
	return files
}

func TestFiles(t *testing.T) {
	files := written(t, runOf(t))
	for name, want := range map[string]string{
		"client-latency-throughput-timeseries": `UNIX-SECOND,CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,AVG-THROUGHPUT,P50-LATENCY-MS,P90-LATENCY-MS,P99-LATENCY-MS,P99.9-LATENCY-MS,FAILED-REQUESTS-PER-SECOND,OPERATION,PHASE-SECONDS
1000,7,1.000000,1.333333,2.000000,3,,,,,0,put,0.000000
1001,7,,,,0,,,,,1,put,1.000000
1002,7,8.000000,8.000000,8.000000,1,,,,,0,put,2.000000
`,
		"client-latency-by-key-number": `KEYS,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,OK-REQUESTS-NUM,FIRST-KEY,OPERATION
5,1.000000,3.000000,8.000000,4,0,put
`,
		"client-latency-throughput-by-client-number": `CONTROL-CLIENT-NUM,MIN-LATENCY-MS,AVG-LATENCY-MS,MAX-LATENCY-MS,AVG-THROUGHPUT,P50-LATENCY-MS,P99-LATENCY-MS,P99.9-LATENCY-MS,SECTORS-WRITTEN-PER-SECOND,FAILED-REQUESTS-NUM,RATE
7,1.000000,3.000000,8.000000,1.3333,,,,,1,
`,
		"client-latency-distribution-all": `LATENCY-MS,COUNT,CUMULATIVE-SHARE,OPERATION
1.000447,2,0.500000000,all
2.000895,1,0.750000000,all
8.003583,1,1.000000000,all
`,
		"client-latency-distribution-summary": `TOTAL-SECONDS,3.0000
REQUESTS-PER-SECOND,1.3333
SLOWEST-LATENCY-MS,8.0000
FASTEST-LATENCY-MS,1.0000
AVERAGE-LATENCY-MS,3.0000
STDDEV-LATENCY-MS,3.3680
"ERROR: ""timeout: no \""answer\"" at all""",1
`,
		"server-disk-space-usage-summary": `INDEX,DATABASE-ENDPOINT,DISK-SPACE-USAGE,DISK-SPACE-USAGE-BYTES-NUM,MEMBER
0,10.0.0.1:2379,1.2 MB,1234567,m1
1,'=local:1,,,m2
`,
		"server-memory-by-key-number": `KEYS,MIN-VMRSS-MB,AVG-VMRSS-MB,MAX-VMRSS-MB,SAMPLES-NUM
4,2.000,3.667,5.000,3
`,
	} {
		if got := files["write/etcd-"+name+".csv"]; got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
	for _, name := range []string{"all-aggregated.csv", "all-aggregated.txt"} {
		if !strings.Contains(files["write/"+name], "AVG-LATENCY") {
			t.Errorf("%s: %s", name, files["write/"+name])
		}
	}
}

// TestWhatIsSharedIsCountedOnce looks at the writes of hosts: those of a machine
// that a member has for itself are in its file, others in the host's alone.
func TestWhatIsSharedIsCountedOnce(t *testing.T) {
	files := written(t, runOf(t))
	for name, want := range map[string][]string{
		"etcd-1-server-system-metrics.csv":      {"11.00", "", "13.00"},
		"etcd-2-server-system-metrics.csv":      {"", "", ""},
		"etcd-client-system-metrics.csv":        {"", "", ""},
		"etcd-host-local-system-metrics.csv":    {"21.00", "22.00", "23.00"},
		"etcd-host-10.0.0.1-system-metrics.csv": {"11.00", "", "13.00"},
	} {
		rows, err := csv.NewReader(strings.NewReader(files["write/"+name])).ReadAll()
		if err != nil || len(rows) != 4 {
			t.Fatalf("%s: %d lines, %v", name, len(rows), err)
		}
		at := slices.Index(rows[0], "WRITES-COMPLETED-DELTA")
		if got := []string{rows[1][at], rows[2][at], rows[3][at]}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestForeignNames has names in a result that no scenario could give.
func TestForeignNames(t *testing.T) {
	r := runOf(t)
	again := r.Clusters[0]
	r.Clusters[0].Label, again.Label = "../../<script>", "../../<script)"
	r.Clusters = append(r.Clusters, again)
	for i := range r.Clusters {
		r.Clusters[i].Phases = slices.Clone(r.Clusters[i].Phases)
		r.Clusters[i].Phases[0].Name = "../../../etc/cron.d"
	}
	files := written(t, r)
	for _, name := range []string{"client-latency-by-key-number", "client-latency-distribution-all"} {
		n := 0
		for path := range files {
			if strings.Contains(path, name) {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%d files %s of 2 clusters", n, name)
		}
	}
}

// TestNothingMeasured leaves out what would be empty.
func TestNothingMeasured(t *testing.T) {
	for name, r := range map[string]*result.Run{
		"no cluster": {}, "no step": {Clusters: []result.Cluster{{Label: "c", Phases: []result.Phase{{Name: "w", Role: "load"}}}}},
	} {
		if files := written(t, r); len(files) != 0 {
			t.Errorf("%s: %d files", name, len(files))
		}
	}
	r := runOf(t)
	r.Clusters[0].Phases[0].Steps[0].Series = []result.Series{{Op: "put"}}
	for name, text := range written(t, r) {
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestSheetsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sheets() {
		if s.Doc == "" || len(s.Columns) == 0 || seen[s.Name] {
			t.Errorf("%q is not described, or twice", s.Name)
		}
		seen[s.Name] = true
	}
}
